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

import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads the RocksDB files of Flink's own test snapshots (1.16 to 2.2) as Flink restores them. */
class RocksDbGoldenTest {
  private static final String FOLDER = "target/flink-tests/2.3.0/";

  static List<String> snapshotsWithRocksDbFiles() throws IOException {
    return GoldenFile.snapshots().stream()
        .filter(name -> !rocksDbSplits(open(name)).isEmpty())
        .toList();
  }

  @Test
  void nativeSavepointsAndCheckpointsHaveRocksDbFilesSinceFlink116() throws IOException {
    // Flink 1.15 wrote canonical files even where a native savepoint was asked for.
    assertThat(snapshotsWithRocksDbFiles())
        .filteredOn(name -> name.endsWith("-rocksdb-savepoint-native"))
        .hasSize(16);
    assertThat(snapshotsWithRocksDbFiles())
        .filteredOn(name -> name.endsWith("-rocksdb-checkpoint"))
        .hasSize(15);
  }

  @ParameterizedTest
  @MethodSource("snapshotsWithRocksDbFiles")
  void readsWhatFlinkRestores(String name) throws IOException {
    Snapshot snapshot = open(name);
    GoldenFile golden = GoldenFile.of(name);
    List<GoldenEntry> found = new ArrayList<>();
    Set<List<String>> known = new HashSet<>();
    for (KeyedSplit split : rocksDbSplits(snapshot)) {
      for (KeyedStateMeta state : split.header().states()) {
        known.add(List.of(split.operator().id().hex(), state.name()));
      }
      found.addAll(RocksDbEntries.of(snapshot, split));
    }

    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            golden.entries().stream()
                .filter(entry -> known.contains(List.of(entry.operator(), entry.state())))
                .toList());
    assertThat(golden.states())
        .as("keyed states that the headers do not know: timers on the heap, in raw keyed state")
        .filteredOn(state -> !known.contains(List.of(state.operator(), state.name())))
        .allMatch(
            state ->
                Set.of("TIMER", "UNION_LIST", "SPLIT_LIST", "BROADCAST").contains(state.kind()));
  }

  private static List<KeyedSplit> rocksDbSplits(Snapshot snapshot) {
    return snapshot.metadata().operators().stream()
        .filter(RocksDbGoldenTest::hasRocksDbFiles)
        .flatMap(operator -> KeyedSplits.of(snapshot, operator).stream())
        .toList();
  }

  private static boolean hasRocksDbFiles(OperatorState operator) {
    return operator.subtasks().stream()
        .flatMap(subtask -> Stream.ofNullable(subtask.managedKeyedState()))
        .anyMatch(KeyedStateHandle.Incremental.class::isInstance);
  }

  private static Snapshot open(String name) {
    return Snapshot.open(FOLDER + name);
  }
}
