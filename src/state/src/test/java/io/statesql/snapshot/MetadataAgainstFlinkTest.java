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
package io.statesql.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our reader of metadata beside Flink's own, on snapshots that Flink 1.8 to 2.2 wrote. */
class MetadataAgainstFlinkTest {

  static List<Path> metadataFiles() {
    return FlinkTestSnapshots.metadataFiles();
  }

  @ParameterizedTest
  @MethodSource("metadataFiles")
  void everyFieldIsWhatFlinkReads(Path file) throws IOException {
    SnapshotMetadata ours = read(file);

    assertThat(FlinkMetadata.sorted(ours)).isEqualTo(FlinkMetadata.load(file, ours));
  }

  @Test
  void snapshotsOfEveryMetadataVersionAreCompared() {
    assertThat(countBy("1.20.0", SnapshotMetadata::version))
        .isEqualTo(Map.of(2, 24L, 3, 62L, 4, 108L));
    assertThat(countBy("2.3.0", SnapshotMetadata::version))
        .isEqualTo(Map.of(2, 18L, 3, 42L, 4, 74L, 5, 14L, 6, 28L));
  }

  @Test
  void propertiesTellTheKindOfEverySnapshotThatHasThem() {
    Map<String, Long> kinds = new TreeMap<>();
    for (Path file : metadataFiles()) {
      SnapshotMetadata metadata = read(file);
      SnapshotProperties properties = metadata.properties();
      String kind = properties.kind() + " " + properties.savepointFormat();
      kinds.merge((metadata.version() < 4 ? "old " : "") + kind, 1L, Long::sum);
    }

    assertThat(kinds)
        .isEqualTo(
            Map.of(
                "CHECKPOINT null", 68L,
                "SAVEPOINT CANONICAL", 88L,
                "SAVEPOINT NATIVE", 68L,
                "old null null", 146L));
  }

  @Test
  void theseKindsOfKeyedStateAreCompared() {
    TreeSet<Integer> types =
        metadataFiles().stream()
            .flatMap(file -> read(file).operators().stream())
            .flatMap(operator -> operator.subtasks().stream())
            .flatMap(subtask -> Stream.of(subtask.managedKeyedState(), subtask.rawKeyedState()))
            .filter(Objects::nonNull)
            .flatMap(MetadataAgainstFlinkTest::withParts)
            .map(KeyedStateHandle::typeCode)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(types).containsExactly(3, 7, 9, 11, 12, 14);
  }

  @Test
  void everyStateFileThatAMetadataNamesOpensWithTheLengthOfItsHandle() throws IOException {
    long files = 0;
    for (Path file : metadataFiles()) {
      Snapshot snapshot = Snapshot.open(file.getParent().toString());
      for (StreamHandle handle : StreamHandles.of(snapshot.metadata())) {
        try (StateFile state = snapshot.open(handle)) {
          assertThat(state.length()).isEqualTo(handle.stateSize());
          assertThat(state.readAllBytes()).hasSize((int) handle.stateSize());
          files += handle instanceof StreamHandle.ByteStream ? 0 : 1;
        }
      }
    }

    assertThat(files).isGreaterThan(1000);
  }

  private static Map<Integer, Long> countBy(
      String release, Function<SnapshotMetadata, Integer> property) {
    return FlinkTestSnapshots.metadataFiles(release).stream()
        .map(MetadataAgainstFlinkTest::read)
        .collect(Collectors.groupingBy(property, Collectors.counting()));
  }

  private static Stream<KeyedStateHandle> withParts(KeyedStateHandle handle) {
    if (handle instanceof KeyedStateHandle.Changelog changelog) {
      return Stream.of(
              Stream.of(handle),
              changelog.materialized().stream(),
              changelog.nonMaterialized().stream())
          .flatMap(parts -> parts);
    }
    return Stream.of(handle);
  }

  private static SnapshotMetadata read(Path file) {
    try {
      return MetadataReader.read(Files.readAllBytes(file), file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
