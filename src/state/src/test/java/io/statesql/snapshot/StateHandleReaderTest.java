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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of state handle beside Flink's own reader of it. */
class StateHandleReaderTest {

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6})
  void everyKindOfHandleIsWhatFlinkReads(int version) throws IOException {
    byte[] file = MadeMetadata.allHandles(version);

    SnapshotMetadata ours = MetadataReader.read(file, "made");

    assertThat(ours.version()).isEqualTo(version);
    assertThat(FlinkMetadata.sorted(ours)).isEqualTo(load(file, ours));
  }

  @Test
  void handlesOfFileMergingChangelogAndMergedChannelsAreThere() throws IOException {
    SnapshotMetadata metadata = MetadataReader.read(MadeMetadata.allHandles(6), "made");

    assertThat(keyedTypes(metadata)).containsExactly(7, 11, 12, 14);
    assertThat(StreamHandles.of(metadata).stream().map(StreamHandle::typeCode))
        .contains(1, 2, 3, 6, 15, 16);
    assertThat(
            metadata.operators().get(0).subtasks().stream()
                .flatMap(
                    subtask ->
                        Stream.concat(
                            subtask.inputChannelState().stream(),
                            subtask.resultSubpartitionState().stream()))
                .map(ChannelStateHandle::typeCode))
        .containsExactly(1, 2, 3, 4);
    assertThat(
            metadata.operators().get(0).subtasks().stream()
                .map(SubtaskState::managedOperatorState)
                .filter(Objects::nonNull)
                .map(OperatorStateHandle::typeCode))
        .contains(4, 17);
  }

  @Test
  void namesUidsAndPropertiesAreThereSinceTheVersionsThatHaveThem() throws IOException {
    SnapshotMetadata four = MetadataReader.read(MadeMetadata.allHandles(4), "made");
    SnapshotMetadata five = MetadataReader.read(MadeMetadata.allHandles(5), "made");

    assertThat(four.operators().get(0).uid()).isNull();
    assertThat(four.properties().savepointFormat())
        .isEqualTo(SnapshotProperties.SavepointFormat.NATIVE);
    assertThat(five.operators().get(0).uid()).isEqualTo("every-handle");
    assertThat(five.operators().get(0).name()).isEqualTo("Every handle");
    assertThat(five.operators().get(1).fullyFinished()).isTrue();
  }

  @Test
  void formsThatFlinkWritesNoMoreAreWhatFlinkReads() throws IOException {
    byte[] file = OldForms.file();

    SnapshotMetadata ours = MetadataReader.read(file, "made");

    assertThat(keyedTypes(ours)).containsExactly(3, 5, 8);
    assertThat(FlinkMetadata.sorted(ours)).isEqualTo(load(file, ours));
  }

  private static SortedSet<Integer> keyedTypes(SnapshotMetadata metadata) {
    return metadata.operators().stream()
        .flatMap(operator -> operator.subtasks().stream())
        .flatMap(subtask -> Stream.of(subtask.managedKeyedState(), subtask.rawKeyedState()))
        .filter(Objects::nonNull)
        .map(KeyedStateHandle::typeCode)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static SnapshotMetadata load(byte[] file, SnapshotMetadata ours) throws IOException {
    // Flink resolves relative files against a snapshot that exists
    String folder = FlinkTestSnapshots.metadataFiles().get(0).getParent().toString();
    return FlinkMetadata.load(new ByteArrayInputStream(file), folder, ours);
  }
}
