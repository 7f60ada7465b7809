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
package io.statesql.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.query.TaskKvStateRegistry;
import org.apache.flink.runtime.state.FullSnapshotResources;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackendBuilder;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueSetFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/** One subtask of an operator of a {@link TestSnapshot}: a heap backend, filled state by state. */
public final class TestOperator<K> {
  private static final int MAX_STATE_SIZE = 1 << 24;

  private final String uid;
  private final HeapKeyedStateBackend<K> backend;

  TestOperator(String uid, TypeSerializer<K> keySerializer, KeyGroupRange keyGroups)
      throws IOException {
    this.uid = uid;
    this.backend =
        new HeapKeyedStateBackendBuilder<>(
                (TaskKvStateRegistry) null,
                keySerializer,
                TestOperator.class.getClassLoader(),
                TestSnapshot.MAX_PARALLELISM,
                keyGroups,
                new ExecutionConfig(),
                TtlTimeProvider.DEFAULT,
                LatencyTrackingStateConfig.disabled(),
                SizeTrackingStateConfig.disabled(),
                List.of(),
                UncompressedStreamCompressionDecorator.INSTANCE,
                LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED,
                new HeapPriorityQueueSetFactory(keyGroups, TestSnapshot.MAX_PARALLELISM, 16),
                false,
                new CloseableRegistry())
            .build();
  }

  /** A VALUE state without window. */
  public <V> TestOperator<K> valueState(String name, TypeSerializer<V> serializer, Map<K, V> values)
      throws Exception {
    return valueState(
        name, serializer, VoidNamespaceSerializer.INSTANCE, VoidNamespace.INSTANCE, values);
  }

  /** A VALUE state in one namespace; call it again for another one. */
  <N, V> TestOperator<K> valueState(
      String name,
      TypeSerializer<V> serializer,
      TypeSerializer<N> namespaceSerializer,
      N namespace,
      Map<K, V> values)
      throws Exception {
    ValueState<V> state =
        state(namespace, namespaceSerializer, new ValueStateDescriptor<>(name, serializer));
    for (Map.Entry<K, V> entry : values.entrySet()) {
      backend.setCurrentKey(entry.getKey());
      state.update(entry.getValue());
    }
    return this;
  }

  /** A LIST state without window. */
  public <V> TestOperator<K> listState(
      String name, TypeSerializer<V> serializer, Map<K, List<V>> values) throws Exception {
    ListState<V> state =
        state(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            new ListStateDescriptor<>(name, serializer));
    for (Map.Entry<K, List<V>> entry : values.entrySet()) {
      backend.setCurrentKey(entry.getKey());
      state.update(entry.getValue());
    }
    return this;
  }

  /** A MAP state without window. */
  public <A, V> TestOperator<K> mapState(
      String name,
      TypeSerializer<A> mapKeySerializer,
      TypeSerializer<V> serializer,
      Map<K, Map<A, V>> values)
      throws Exception {
    MapState<A, V> state =
        state(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            new MapStateDescriptor<>(name, mapKeySerializer, serializer));
    for (Map.Entry<K, Map<A, V>> entry : values.entrySet()) {
      backend.setCurrentKey(entry.getKey());
      state.putAll(entry.getValue());
    }
    return this;
  }

  /** Event-time timers in one namespace, by key. */
  <N> TestOperator<K> eventTimers(
      String service, TypeSerializer<N> namespaceSerializer, N namespace, Map<K, Long> timers) {
    var queue =
        backend.<TimerHeapInternalTimer<K, N>>create(
            "_timer_state/event_" + service,
            new TimerSerializer<>(backend.getKeySerializer(), namespaceSerializer));
    timers.forEach((key, time) -> queue.add(new TimerHeapInternalTimer<>(time, key, namespace)));
    return this;
  }

  private <S extends State, N> S state(
      N namespace, TypeSerializer<N> namespaceSerializer, StateDescriptor<S, ?> descriptor)
      throws Exception {
    return backend.getPartitionedState(namespace, namespaceSerializer, descriptor);
  }

  String uid() {
    return uid;
  }

  /** Adds what the metadata says of this subtask; call it once, at the end. */
  void snapshotTo(OperatorState operator, int subtask) throws Exception {
    KeyedStateHandle handle = savepoint();
    if (handle != null) {
      operator.putState(
          subtask, OperatorSubtaskState.builder().setManagedKeyedState(handle).build());
    }
  }

  /** The hash of a uid, see {@code StreamGraphHasherV2.generateUserSpecifiedHash}. */
  static OperatorID idOf(String uid) {
    return new OperatorID(Hashing.murmur3_128(0).hashString(uid, UTF_8).asBytes());
  }

  private KeyedStateHandle savepoint() throws Exception {
    try (backend;
        CloseableRegistry streams = new CloseableRegistry()) {
      FullSnapshotResources<K> resources = backend.savepoint().getSnapshotResources();
      return new SavepointSnapshotStrategy<>(resources)
          .asyncSnapshot(
              resources,
              1,
              0,
              new MemCheckpointStreamFactory(MAX_STATE_SIZE),
              CheckpointOptions.forCheckpointWithDefaultLocation())
          .get(streams)
          .getJobManagerOwnedSnapshot();
    } finally {
      backend.dispose();
    }
  }
}
