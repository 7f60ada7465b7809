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
package io.statesql.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoldenRecorderTest {
  private static final Path SNAPSHOTS = Path.of(System.getProperty("golden.snapshots"));
  private static final Path GOLDEN = Path.of(System.getProperty("golden.output"));

  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new-stateful-udf-migration-itcase-flink2.2-hashmap-savepoint",
        "new-stateful-broadcast-udf-migration-itcase-flink1.15-rocksdb-checkpoint",
        "new-stateful-udf-migration-itcase-flink1.20-rocksdb-savepoint-native",
        "new-stateful-udf-migration-itcase-flink1.17-hashmap-checkpoint",
        "new-stateful-udf-migration-itcase-flink1.9-rocksdb-savepoint",
        "operatorstate/complexKeyed-flink1.19",
      })
  void recordsTheCommittedBytes(String snapshot, @TempDir Path output) throws Exception {
    recorder(output).record(SNAPSHOTS.resolve(snapshot), snapshot);

    assertThat(output.resolve(snapshot + ".jsonl"))
        .hasSameTextualContentAs(GOLDEN.resolve(snapshot + ".jsonl"))
        .hasSameBinaryContentAs(GOLDEN.resolve(snapshot + ".jsonl"));
    assertThat(messages.toString(StandardCharsets.UTF_8)).startsWith(snapshot + ": ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"savepoint", "savepoint-native", "checkpoint"})
  void bothBackendsYieldTheSameStates(String form) throws Exception {
    String name = "new-stateful-broadcast-udf-migration-itcase-flink2.2-%s-" + form + ".jsonl";

    assertThat(Files.readAllLines(GOLDEN.resolve(name.formatted("hashmap"))))
        .containsExactlyElementsOf(Files.readAllLines(GOLDEN.resolve(name.formatted("rocksdb"))));
  }

  @Test
  void throwsFlinksReasonWhereAClassOfTheJobIsMissing(@TempDir Path output) {
    String snapshot = "type-serializer-snapshot-migration-itcase-flink1.16-hashmap-savepoint";

    assertThatThrownBy(() -> recorder(output).record(SNAPSHOTS.resolve(snapshot), snapshot))
        .hasRootCauseInstanceOf(ClassNotFoundException.class);
    assertThat(output.resolve(snapshot + ".jsonl")).doesNotExist();
  }

  private GoldenRecorder recorder(Path output) {
    return new GoldenRecorder(output, new PrintStream(messages, true, StandardCharsets.UTF_8));
  }
}
