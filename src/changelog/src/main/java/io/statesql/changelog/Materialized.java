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
package io.statesql.changelog;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle;

/** What a checkpoint holds of changelogs. */
final class Materialized {
  private Materialized() {}

  /** Whether no change is left that its base lacks. */
  static boolean isAll(String checkpoint) throws IOException {
    Path file = Path.of(URI.create(checkpoint)).resolve("_metadata");
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      CheckpointMetadata metadata =
          Checkpoints.loadCheckpointMetadata(
              in, Materialized.class.getClassLoader(), file.toUri().toString());
      return metadata.getOperatorStates().stream()
          .flatMap(Materialized::handles)
          .filter(ChangelogStateBackendHandle.class::isInstance)
          .map(ChangelogStateBackendHandle.class::cast)
          .allMatch(
              handle ->
                  handle.getNonMaterializedStateHandles().isEmpty()
                      && !handle.getMaterializedStateHandles().isEmpty());
    }
  }

  private static Stream<KeyedStateHandle> handles(OperatorState operator) {
    return operator.getStates().stream()
        .flatMap(subtask -> subtask.getManagedKeyedState().stream());
  }
}
