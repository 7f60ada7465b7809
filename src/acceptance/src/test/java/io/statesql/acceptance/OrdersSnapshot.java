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
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A snapshot of the orders job.
 *
 * @param orders how much of the input it covers
 * @param begin of the run that wrote it
 * @param end of that run
 */
record OrdersSnapshot(
    Path folder, int orders, int parallelism, int maxParallelism, Instant begin, Instant end) {

  /** The one that ships with the project; its README tells when it was written. */
  static final OrdersSnapshot COMMITTED =
      new OrdersSnapshot(
          ProjectFiles.SAMPLE,
          100,
          2,
          128,
          Instant.parse("2026-11-29T21:54:47Z"),
          Instant.parse("2026-11-29T21:55:01Z"));

  private static final Map<Run, OrdersSnapshot> WRITTEN = new HashMap<>();

  /** What a run of the job is asked for. */
  record Run(String backend, boolean compressed, int orders, int parallelism, int maxParallelism) {}

  /**
   * A canonical savepoint of the job, which a JVM of its own writes when it is first asked for: it
   * alone has the job's classes.
   *
   * @throws IOException if that JVM fails; the message holds what it printed
   */
  static synchronized OrdersSnapshot of(Run run) throws IOException, InterruptedException {
    OrdersSnapshot snapshot = WRITTEN.get(run);
    if (snapshot == null) {
      snapshot =
          write(run.backend, run.compressed, run.orders, run.parallelism, run.maxParallelism);
      WRITTEN.put(run, snapshot);
    }
    return snapshot;
  }

  private static OrdersSnapshot write(
      String backend, boolean compressed, int orders, int parallelism, int maxParallelism)
      throws IOException, InterruptedException {
    List<String> command = FlinkVersion.V2_3.java("-Xmx1g");
    command.add("io.statesql.examples.orders.SampleSnapshots");
    command.add("--target=" + ProjectFiles.TARGET.resolve("snapshots"));
    command.add("--backend=" + backend);
    command.add("--orders=" + orders);
    command.add("--parallelism=" + parallelism);
    command.add("--max-parallelism=" + maxParallelism);
    if (compressed) {
      command.add("--compression");
    }
    Instant begin = Instant.now();
    Path folder = Path.of(run(command));
    return new OrdersSnapshot(folder, orders, parallelism, maxParallelism, begin, Instant.now());
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Path messages = Files.createTempFile("orders-job", ".log");
    try {
      Process process =
          new ProcessBuilder(command).redirectError(Redirect.to(messages.toFile())).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException("The job failed: " + output + "\n" + Files.readString(messages));
      }
      return output;
    } finally {
      Files.delete(messages);
    }
  }
}
