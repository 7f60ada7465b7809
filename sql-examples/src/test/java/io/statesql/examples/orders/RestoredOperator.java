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
package io.statesql.examples.orders;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.DefaultOperatorStateBackend;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackendBuilder;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueSetFactory;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** The state of one operator, restored by Flink's heap backends from a canonical savepoint. */
final class RestoredOperator {

  private final OperatorState state;

  RestoredOperator(OperatorState state) {
    this.state = state;
  }

  String uid() {
    return state.getOperatorUid().orElseThrow();
  }

  List<KeyedStateHandle> keyedHandles() {
    List<KeyedStateHandle> handles = new ArrayList<>();
    state.getStates().forEach(subtask -> handles.addAll(subtask.getManagedKeyedState()));
    return handles;
  }

  Stream<Integer> subtasksWithOperatorState() {
    return state.getSubtaskStates().entrySet().stream()
        .filter(entry -> entry.getValue().getManagedOperatorState().hasState())
        .map(Map.Entry::getKey);
  }

  /** The operator state of one subtask. */
  DefaultOperatorStateBackend operatorBackend(int subtask) throws Exception {
    OperatorSubtaskState subtaskState = state.getState(subtask);
    return new DefaultOperatorStateBackendBuilder(
            getClass().getClassLoader(),
            new ExecutionConfig(),
            false,
            subtaskState.getManagedOperatorState(),
            new CloseableRegistry())
        .build();
  }

  /** What the header of a subtask's operator state says. */
  OperatorBackendSerializationProxy operatorHeader(int subtask) throws IOException {
    OperatorBackendSerializationProxy proxy =
        new OperatorBackendSerializationProxy(getClass().getClassLoader());
    OperatorStateHandle handle =
        state.getState(subtask).getManagedOperatorState().iterator().next();
    try (FSDataInputStream in = handle.openInputStream()) {
      proxy.read(new DataInputViewStreamWrapper(in));
    }
    return proxy;
  }

  /** What the header of a state file says; the same in all files of an operator. */
  KeyedBackendSerializationProxy<Object> header(KeyedStateHandle handle) throws IOException {
    KeyedBackendSerializationProxy<Object> proxy =
        new KeyedBackendSerializationProxy<>(getClass().getClassLoader());
    try (FSDataInputStream in = ((KeyGroupsStateHandle) handle).openInputStream()) {
      proxy.read(new DataInputViewStreamWrapper(in));
    }
    return proxy;
  }

  List<StateMetaInfoSnapshot> keyedStates() throws IOException {
    List<KeyedStateHandle> handles = keyedHandles();
    return handles.isEmpty() ? List.of() : header(handles.get(0)).getStateMetaInfoSnapshots();
  }

  /** The keyed state of all subtasks in one backend. */
  HeapKeyedStateBackend<Object> keyedBackend() throws Exception {
    List<KeyedStateHandle> handles = keyedHandles();
    TypeSerializer<Object> keySerializer =
        header(handles.get(0)).getKeySerializerSnapshot().restoreSerializer();
    int keyGroups = state.getMaxParallelism();
    KeyGroupRange allKeyGroups = KeyGroupRange.of(0, keyGroups - 1);
    return new HeapKeyedStateBackendBuilder<>(
            null,
            keySerializer,
            getClass().getClassLoader(),
            keyGroups,
            allKeyGroups,
            new ExecutionConfig(),
            TtlTimeProvider.DEFAULT,
            LatencyTrackingStateConfig.disabled(),
            SizeTrackingStateConfig.disabled(),
            handles,
            UncompressedStreamCompressionDecorator.INSTANCE,
            LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED,
            new HeapPriorityQueueSetFactory(allKeyGroups, keyGroups, 128),
            false,
            new CloseableRegistry())
        .build();
  }
}
