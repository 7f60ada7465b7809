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
package io.statesql.benchmark.jmh;

import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.rows.ElementRows;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One split of the snapshot in each form, read by one thread: how long until all its entries were
 * passed, or the values of a state decoded.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class FormatBenchmark {
  @Param({"canonical", "compressed", "rocksdb"})
  private String form;

  private Snapshot snapshot;
  private KeyedSplit split;

  @Setup
  public void open() {
    Path path = JmhSnapshots.path(form);
    snapshot = Snapshot.open(path.toString());
    split = KeyedSplits.of(snapshot, JmhSnapshots.users(snapshot)).get(0);
  }

  /** The number of values of one state. */
  @Benchmark
  public long countTotals() {
    return read("total", List.of(ColumnSource.Derived.KEY_GROUP));
  }

  /** All fields of the POJO. */
  @Benchmark
  public long decodeProfiles() {
    return read("profile", List.of(new ColumnSource.Whole(ColumnSource.Part.VALUE)));
  }

  /** The keys and values of the map. */
  @Benchmark
  public long decodePages() {
    return read(
        "pages",
        List.of(
            new ColumnSource.Whole(ColumnSource.Part.MAP_KEY),
            new ColumnSource.Whole(ColumnSource.Part.VALUE)));
  }

  private long read(String state, List<ColumnSource> columns) {
    long rows = 0;
    try (RowCursor cursor =
        ElementRows.open(snapshot, split, Set.of(state), ElementCondition.NONE, columns)) {
      while (cursor.next()) {
        rows += cursor.row().length;
      }
    }
    return rows;
  }
}
