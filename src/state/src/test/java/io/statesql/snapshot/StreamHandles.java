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

import java.util.List;
import java.util.stream.Stream;

/** Every stream that a snapshot names. */
final class StreamHandles {
  private StreamHandles() {}

  static List<StreamHandle> of(SnapshotMetadata metadata) {
    return metadata.operators().stream().flatMap(StreamHandles::of).toList();
  }

  private static Stream<StreamHandle> of(OperatorState operator) {
    return Stream.concat(
        Stream.ofNullable(operator.coordinatorState()),
        operator.subtasks().stream().flatMap(StreamHandles::of));
  }

  private static Stream<StreamHandle> of(SubtaskState subtask) {
    return Stream.of(
            Stream.of(subtask.managedOperatorState(), subtask.rawOperatorState())
                .flatMap(Stream::ofNullable)
                .map(OperatorStateHandle::delegate),
            Stream.of(subtask.managedKeyedState(), subtask.rawKeyedState())
                .flatMap(Stream::ofNullable)
                .flatMap(StreamHandles::of),
            subtask.inputChannelState().stream().map(ChannelStateHandle::delegate),
            subtask.resultSubpartitionState().stream().map(ChannelStateHandle::delegate))
        .flatMap(streams -> streams);
  }

  private static Stream<StreamHandle> of(KeyedStateHandle keyed) {
    if (keyed instanceof KeyedStateHandle.KeyGroups handle) {
      return Stream.of(handle.delegate());
    }
    if (keyed instanceof KeyedStateHandle.KeyGroupsSavepoint handle) {
      return Stream.of(handle.delegate());
    }
    if (keyed instanceof KeyedStateHandle.Incremental handle) {
      return Stream.concat(
          Stream.of(handle.metadata()),
          Stream.concat(handle.shared().stream(), handle.privateFiles().stream())
              .map(KeyedStateHandle.LocalFile::handle));
    }
    if (keyed instanceof KeyedStateHandle.Changelog handle) {
      return Stream.concat(handle.materialized().stream(), handle.nonMaterialized().stream())
          .flatMap(StreamHandles::of);
    }
    if (keyed instanceof KeyedStateHandle.ChangelogStream handle) {
      return handle.segments().stream().map(KeyedStateHandle.ChangelogSegment::handle);
    }
    return Stream.of();
  }
}
