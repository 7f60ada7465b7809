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

import java.nio.file.Path;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointKeyedStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle;
import org.apache.flink.runtime.state.heap.RestoredHeapState;

/**
 * Restores a keyed handle of any form into heap tables.
 *
 * <p>Only the heap backend lists its states without descriptors. So what another backend restored
 * is taken to the heap by a canonical savepoint, the way Flink offers to change backends.
 */
final class KeyedStateRestorer {
  private final StateBackendKind backend;
  private final KeySerializers keySerializers;

  /**
   * Restores handles of one snapshot.
   *
   * @param folder of the snapshot
   */
  KeyedStateRestorer(Path folder) {
    this.backend = StateBackendKind.ofFolder(folder);
    this.keySerializers = new KeySerializers(folder);
  }

  /**
   * Restores what a subtask of an operator wrote.
   *
   * @throws Exception whatever Flink's restore throws
   */
  RestoredHeapState<?> restore(KeyedStateHandle handle, OperatorState operator) throws Exception {
    return restore(handle, keySerializers.of(handle, operator), operator.getMaxParallelism());
  }

  private <K> RestoredHeapState<K> restore(
      KeyedStateHandle handle, TypeSerializer<K> keySerializer, int maxParallelism)
      throws Exception {
    return RestoredHeapState.restore(
        heapReadable(handle, keySerializer, maxParallelism), keySerializer, maxParallelism);
  }

  private <K> KeyedStateHandle heapReadable(
      KeyedStateHandle handle, TypeSerializer<K> keySerializer, int maxParallelism)
      throws Exception {
    if (handle instanceof ChangelogStateBackendHandle changelog) {
      return ChangelogRestore.canonical(changelog, keySerializer, maxParallelism);
    } else if (handle instanceof SavepointKeyedStateHandle
        || (handle instanceof KeyGroupsStateHandle && backend == StateBackendKind.HASHMAP)) {
      return handle;
    } else if (handle instanceof IncrementalRemoteKeyedStateHandle
        || handle instanceof KeyGroupsStateHandle) {
      return RocksDbRestore.canonical(handle, keySerializer, maxParallelism);
    }
    throw new IllegalStateException(
        "No restore for keyed state handles of class " + handle.getClass().getSimpleName());
  }
}
