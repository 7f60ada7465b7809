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

import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.FullSnapshotResources;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;

/** Takes a canonical savepoint of a restored backend into memory. */
final class CanonicalSavepoint {
  private CanonicalSavepoint() {}

  /**
   * All that the backend holds.
   *
   * @throws IllegalStateException if it knows no state; Flink writes no savepoint then
   * @throws Exception whatever Flink's savepoint throws
   */
  static <K> KeyedStateHandle of(CheckpointableKeyedStateBackend<K> backend) throws Exception {
    FullSnapshotResources<K> resources = backend.savepoint().getSnapshotResources();
    if (resources.getMetaInfoSnapshots().isEmpty()) {
      resources.release();
      throw new IllegalStateException("The restored backend knows no state");
    }
    try (CloseableRegistry streams = new CloseableRegistry()) {
      return new SavepointSnapshotStrategy<>(resources)
          .asyncSnapshot(
              resources,
              0,
              0,
              new MemCheckpointStreamFactory(Integer.MAX_VALUE),
              new CheckpointOptions(
                  SavepointType.savepoint(SavepointFormatType.CANONICAL),
                  CheckpointStorageLocationReference.getDefault()))
          .get(streams)
          .getJobManagerOwnedSnapshot();
    } finally {
      resources.release();
    }
  }
}
