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
package org.apache.flink.runtime.state.heap;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.InternalKeyContext;
import org.apache.flink.runtime.state.InternalKeyContextImpl;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.RestoreOperation;
import org.apache.flink.runtime.state.SavepointKeyedStateHandle;
import org.apache.flink.runtime.state.StateSerializerProvider;

/**
 * The keyed state of one subtask as Flink's heap backend holds it right after a restore, before any
 * operator registered a state.
 *
 * <p>Runs the two restore operations between which {@link HeapKeyedStateBackendBuilder} chooses
 * (Flink 2.3.0), with maps of its own, because the backend keeps its tables to itself. Lives in
 * Flink's package since those operations have package-private constructors.
 *
 * @param <K> type of the key
 */
public final class RestoredHeapState<K> {
  private static final int QUEUE_CAPACITY = 128;

  private final Map<String, StateTable<K, ?, ?>> tables = new TreeMap<>();
  private final Map<String, HeapPriorityQueueSnapshotRestoreWrapper<?>> queues = new TreeMap<>();
  private final KeyGroupRange keyGroups;

  private RestoredHeapState(KeyGroupRange keyGroups) {
    this.keyGroups = keyGroups;
  }

  /**
   * Restores what a canonical handle or one of the heap backend holds.
   *
   * @param handle the subtask's only managed keyed state
   * @param keySerializer restored from the handle's own header
   * @param maxParallelism number of key groups of the operator
   * @throws Exception whatever Flink's restore throws
   */
  public static <K> RestoredHeapState<K> restore(
      KeyedStateHandle handle, TypeSerializer<K> keySerializer, int maxParallelism)
      throws Exception {
    RestoredHeapState<K> restored = new RestoredHeapState<>(handle.getKeyGroupRange());
    try (CloseableRegistry streams = new CloseableRegistry()) {
      restored.operation(handle, keySerializer, maxParallelism, streams).restore();
    }
    return restored;
  }

  private RestoreOperation<Void> operation(
      KeyedStateHandle handle,
      TypeSerializer<K> keySerializer,
      int maxParallelism,
      CloseableRegistry streams) {
    ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    StateSerializerProvider<K> keySerializerProvider =
        StateSerializerProvider.fromNewRegisteredSerializer(keySerializer);
    HeapPriorityQueueSetFactory queueFactory =
        new HeapPriorityQueueSetFactory(keyGroups, maxParallelism, QUEUE_CAPACITY);
    InternalKeyContext<K> keyContext = new InternalKeyContextImpl<>(keyGroups, maxParallelism);
    if (handle instanceof SavepointKeyedStateHandle) {
      return new HeapSavepointRestoreOperation<>(
          List.of(handle),
          keySerializerProvider,
          classLoader,
          tables,
          queues,
          queueFactory,
          keyGroups,
          maxParallelism,
          CopyOnWriteStateTable::new,
          keyContext);
    }
    return new HeapRestoreOperation<>(
        List.of(handle),
        keySerializerProvider,
        classLoader,
        tables,
        queues,
        streams,
        queueFactory,
        keyGroups,
        maxParallelism,
        CopyOnWriteStateTable::new,
        keyContext);
  }

  /** The key groups of the subtask. */
  public KeyGroupRange keyGroups() {
    return keyGroups;
  }

  /** The key-value states, by name. */
  public Map<String, StateTable<K, ?, ?>> tables() {
    return tables;
  }

  /** The priority queues (timers), by state name. */
  public Map<String, HeapPriorityQueueSnapshotRestoreWrapper<?>> queues() {
    return queues;
  }
}
