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

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointKeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.heap.RestoredHeapState;

/**
 * Restores a keyed handle of any form into heap tables.
 *
 * <p>Only the heap backend lists its states without descriptors. So what the RocksDB backend
 * restored is taken to the heap by a canonical savepoint, the way Flink offers to change backends.
 */
final class KeyedStateRestorer {
  private final StateBackendKind backend;

  KeyedStateRestorer(StateBackendKind backend) {
    this.backend = backend;
  }

  /**
   * Restores what a subtask wrote.
   *
   * @param maxParallelism number of key groups of the operator
   * @throws Exception whatever Flink's restore throws
   */
  RestoredHeapState<?> restore(KeyedStateHandle handle, int maxParallelism) throws Exception {
    return restore(handle, keySerializer(handle), maxParallelism);
  }

  private <K> RestoredHeapState<K> restore(
      KeyedStateHandle handle, TypeSerializer<K> keySerializer, int maxParallelism)
      throws Exception {
    boolean heap =
        handle instanceof SavepointKeyedStateHandle
            || (handle instanceof KeyGroupsStateHandle && backend == StateBackendKind.HASHMAP);
    KeyedStateHandle readable =
        heap ? handle : RocksDbRestore.canonical(handle, keySerializer, maxParallelism);
    return RestoredHeapState.restore(readable, keySerializer, maxParallelism);
  }

  private static TypeSerializer<?> keySerializer(KeyedStateHandle handle) throws IOException {
    KeyedBackendSerializationProxy<?> header =
        new KeyedBackendSerializationProxy<>(Thread.currentThread().getContextClassLoader());
    try (FSDataInputStream in = header(handle).openInputStream()) {
      header.read(new DataInputViewStreamWrapper(in));
    }
    return header.getKeySerializerSnapshot().restoreSerializer();
  }

  private static StreamStateHandle header(KeyedStateHandle handle) {
    if (handle instanceof KeyGroupsStateHandle keyGroups) {
      return keyGroups;
    } else if (handle instanceof IncrementalRemoteKeyedStateHandle incremental) {
      return incremental.getMetaDataStateHandle();
    }
    throw new IllegalStateException(
        "No restore for keyed state handles of class " + handle.getClass().getSimpleName());
  }
}
