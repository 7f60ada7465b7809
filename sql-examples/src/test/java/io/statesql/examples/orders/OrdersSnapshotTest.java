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
package io.statesql.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.examples.orders.expect.OrdersExpectation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The expectation against Flink: what Flink's own restore finds in a canonical savepoint of the job
 * is what the input implies.
 */
class OrdersSnapshotTest {

  private static final Path SAMPLE = Path.of("snapshots", "orders");

  @Test
  void theSampleHoldsWhatItsInputImplies() throws Exception {
    Map<String, List<Map<String, Object>>> restored =
        RestoredTables.of(
            SAMPLE, Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2100-01-01T00:00:00Z"));

    assertSame(restored, OrdersExpectation.of(100, 2));
  }

  /**
   * The job restores from each kind of snapshot and goes on as if it had never stopped, whichever
   * way that snapshot was taken.
   */
  @ParameterizedTest
  @CsvSource({
    "hashmap, CANONICAL, true, 1, 300",
    "hashmap, NATIVE, false, 2, 128",
    "rocksdb, CANONICAL, false, 3, 300",
    "rocksdb, INCREMENTAL_CHECKPOINT, true, 2, 128"
  })
  void theJobGoesOnFromItsSnapshot(
      String backend,
      SnapshotForm form,
      boolean compression,
      int parallelism,
      int maxParallelism,
      @TempDir Path target)
      throws Exception {
    int stages = form == SnapshotForm.INCREMENTAL_CHECKPOINT ? 3 : 1;
    SampleRun run =
        new SampleRun(
            backend,
            form,
            compression,
            parallelism,
            maxParallelism,
            70,
            stages,
            MemorySize.parse("2kb"),
            Optional.empty(),
            false,
            target);
    Instant begin = Instant.now();
    Path snapshot = run.write();
    if (form == SnapshotForm.CANONICAL) {
      assertSame(
          RestoredTables.of(snapshot, begin, Instant.now()), OrdersExpectation.of(70, parallelism));
    }

    Path canonical = run.continuedFrom(snapshot, 205).write();

    assertSame(
        RestoredTables.of(canonical, begin, Instant.now()), OrdersExpectation.of(205, parallelism));
  }

  @Test
  void aJvmOfItsOwnWritesASnapshot() throws Exception {
    Instant begin = Instant.now();

    Path snapshot =
        SampleProcess.write(
            Path.of("target", "snapshots"), "--backend=rocksdb", "--compression", "--orders=90");

    assertSame(RestoredTables.of(snapshot, begin, Instant.now()), OrdersExpectation.of(90, 2));
  }

  private static void assertSame(
      Map<String, List<Map<String, Object>>> restored, OrdersExpectation expectation) {
    Map<String, List<Map<String, Object>>> expected = new HashMap<>(expectation.tables());
    expected.keySet().removeIf(table -> table.endsWith("/keyed_state"));

    assertThat(restored.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (table, rows) ->
            assertThat(comparable(restored.get(table)))
                .as(table)
                .containsExactlyInAnyOrderElementsOf(comparable(rows)));
  }

  /** Byte arrays as text, so that rows are equal by their content. */
  private static List<Map<String, Object>> comparable(List<Map<String, Object>> rows) {
    return rows.stream()
        .map(
            row -> {
              Map<String, Object> comparable = new HashMap<>(row);
              comparable.replaceAll(
                  (column, value) ->
                      value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
              return comparable;
            })
        .collect(Collectors.toList());
  }
}
