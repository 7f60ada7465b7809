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

import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All streams of state that the metadata of a snapshot names; those of one file may be many. */
final class StateStreams {
  private StateStreams() {}

  static Stream<StreamHandle> of(SnapshotMetadata metadata) {
    return metadata.operators().stream().flatMap(StateStreams::of);
  }

  private static Stream<StreamHandle> of(OperatorState operator) {
    return Stream.concat(
        Stream.ofNullable(operator.coordinatorState()),
        operator.subtasks().stream().flatMap(StateStreams::of));
  }

  private static Stream<StreamHandle> of(SubtaskState subtask) {
    return Stream.of(
            ofOperator(subtask.managedOperatorState()),
            ofOperator(subtask.rawOperatorState()),
            ofKeyed(subtask.managedKeyedState()),
            ofKeyed(subtask.rawKeyedState()),
            ofChannels(subtask.inputChannelState()),
            ofChannels(subtask.resultSubpartitionState()))
        .flatMap(streams -> streams);
  }

  private static Stream<StreamHandle> ofOperator(@Nullable OperatorStateHandle handle) {
    return Stream.ofNullable(handle).map(OperatorStateHandle::delegate);
  }

  private static Stream<StreamHandle> ofChannels(List<? extends ChannelStateHandle> handles) {
    return handles.stream().map(ChannelStateHandle::delegate);
  }

  private static Stream<StreamHandle> ofKeyed(@Nullable KeyedStateHandle handle) {
    if (handle instanceof KeyedStateHandle.KeyGroups keyGroups) {
      return Stream.of(keyGroups.delegate());
    }
    if (handle instanceof KeyedStateHandle.KeyGroupsSavepoint savepoint) {
      return Stream.of(savepoint.delegate());
    }
    if (handle instanceof KeyedStateHandle.Incremental incremental) {
      return Stream.concat(
          Stream.of(incremental.metadata()),
          Stream.concat(incremental.shared().stream(), incremental.privateFiles().stream())
              .map(LocalFile::handle));
    }
    if (handle instanceof KeyedStateHandle.Changelog changelog) {
      return Stream.concat(changelog.materialized().stream(), changelog.nonMaterialized().stream())
          .flatMap(StateStreams::ofKeyed);
    }
    if (handle instanceof KeyedStateHandle.ChangelogStream changes) {
      return changes.segments().stream().map(KeyedStateHandle.ChangelogSegment::handle);
    }
    return Stream.empty();
  }
}
