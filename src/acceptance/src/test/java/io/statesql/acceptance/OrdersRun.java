/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file
 * except in compliance with the License. You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions
 * and limitations under the License.
 */
package io.statesql.acceptance;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a run of the orders job is asked for.
 *
 * @param stages how many snapshots it takes on the way, of which the last one is the result
 * @param from the run whose snapshot it starts from, or null
 */
record OrdersRun(
    FlinkVersion flink,
    String backend,
    Form form,
    boolean compressed,
    int orders,
    int parallelism,
    int maxParallelism,
    int stages,
    OrdersRun from) {

  /** The kinds of snapshots that Flink takes. */
  enum Form {
    CANONICAL,
    NATIVE,
    FULL_CHECKPOINT,
    INCREMENTAL_CHECKPOINT
  }

  private static final Map<OrdersRun, OrdersSnapshot> WRITTEN = new HashMap<>();

  /** A run of its own; a chain of incremental checkpoints has three. */
  static OrdersRun of(
      String backend,
      Form form,
      boolean compressed,
      int orders,
      int parallelism,
      int maxParallelism) {
    int stages = form == Form.INCREMENTAL_CHECKPOINT ? 3 : 1;
    return new OrdersRun(
        FlinkVersion.V2_3,
        backend,
        form,
        compressed,
        orders,
        parallelism,
        maxParallelism,
        stages,
        null);
  }

  /** The same run with another Flink. */
  OrdersRun on(FlinkVersion other) {
    return new OrdersRun(
        other,
        backend,
        form,
        compressed,
        orders,
        parallelism,
        maxParallelism,
        stages,
        from == null ? null : from.on(other));
  }

  /** A run in the same form that starts from the snapshot of this one. */
  OrdersRun continued(int moreOrders, int newParallelism) {
    return new OrdersRun(
        flink, backend, form, compressed, moreOrders, newParallelism, maxParallelism, stages, this);
  }

  /** The same run, which ends with another kind of snapshot. */
  OrdersRun as(Form other) {
    return new OrdersRun(
        flink, backend, other, compressed, orders, parallelism, maxParallelism, stages, from);
  }

  /**
   * The snapshot, which is written when it is first asked for.
   *
   * @throws IOException if the job fails; the message holds what it printed
   */
  OrdersSnapshot snapshot() throws IOException {
    synchronized (WRITTEN) {
      OrdersSnapshot known = WRITTEN.get(this);
      if (known == null) {
        known = write();
        WRITTEN.put(this, known);
      }
      return known;
    }
  }

  /**
   * What this run, which continues another, writes if it starts from an edit of that one's
   * snapshot.
   *
   * @throws IOException if the job fails; the message holds what it printed
   */
  OrdersSnapshot startedFrom(Path edited) throws IOException {
    return write(edited, false, from.snapshot().begin());
  }

  /** The same where the job owns the edited savepoint from then on, and may delete it. */
  OrdersSnapshot startedByClaiming(Path edited) throws IOException {
    return write(edited, true, from.snapshot().begin());
  }

  private OrdersSnapshot write() throws IOException {
    OrdersSnapshot base = from == null ? null : from.snapshot();
    return base == null
        ? write(null, false, Instant.now())
        : write(base.folder(), false, base.begin());
  }

  private OrdersSnapshot write(Path base, boolean claim, Instant begin) throws IOException {
    List<String> options = new ArrayList<>();
    options.add("--target=" + ProjectFiles.TARGET.resolve("snapshots"));
    options.add("--backend=" + backend);
    options.add("--form=" + form);
    options.add("--orders=" + orders);
    options.add("--parallelism=" + parallelism);
    options.add("--max-parallelism=" + maxParallelism);
    options.add("--stages=" + stages);
    options.add("--inline-below=" + (stages == 1 ? "2kb" : "0b"));
    if (compressed) {
      options.add("--compression");
    }
    if (base != null) {
      options.add("--restore-from=" + base);
    }
    if (claim) {
      options.add("--claim");
    }
    return new OrdersSnapshot(
        OrdersProcess.write(flink, options),
        orders,
        parallelism,
        maxParallelism,
        begin,
        Instant.now());
  }

  @Override
  public String toString() {
    String text =
        String.format(
            Locale.ROOT,
            "%s %s %s%s of %d orders, parallelism %d of %d",
            flink,
            backend,
            form,
            compressed ? " compressed" : "",
            orders,
            parallelism,
            maxParallelism);
    return from == null ? text : text + ", after " + from;
  }
}
