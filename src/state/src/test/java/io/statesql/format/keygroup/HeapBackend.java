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
package io.statesql.format.keygroup;

import io.statesql.snapshot.Snapshot;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.query.KvStateRegistry;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.FullSnapshotResources;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackendBuilder;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueSetFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/** Flink's own heap backend with all key groups, to write snapshots of one operator. */
public final class HeapBackend<K> implements AutoCloseable {
  public static final OperatorID OPERATOR = new OperatorID(1, 2);

  private static final int QUEUE_CAPACITY = 8;

  private final int maxParallelism;
  private final CloseableRegistry streams = new CloseableRegistry();
  private final TypeSerializer<K> keySerializer;
  private final HeapKeyedStateBackend<K> backend;

  public HeapBackend(
      TypeSerializer<K> keySerializer, int maxParallelism, StreamCompressionDecorator compression)
      throws Exception {
    this(keySerializer, maxParallelism, compression, List.of());
  }

  /** A backend that begins with what a handle holds, which Flink restores. */
  public HeapBackend(
      TypeSerializer<K> keySerializer,
      int maxParallelism,
      StreamCompressionDecorator compression,
      List<KeyedStateHandle> restored)
      throws Exception {
    this.maxParallelism = maxParallelism;
    this.keySerializer = keySerializer;
    KeyGroupRange keyGroups = KeyGroupRange.of(0, maxParallelism - 1);
    this.backend =
        new HeapKeyedStateBackendBuilder<>(
                new KvStateRegistry().createTaskRegistry(new JobID(), new JobVertexID()),
                keySerializer,
                Thread.currentThread().getContextClassLoader(),
                maxParallelism,
                keyGroups,
                new ExecutionConfig(),
                TtlTimeProvider.DEFAULT,
                LatencyTrackingStateConfig.disabled(),
                SizeTrackingStateConfig.disabled(),
                restored,
                compression,
                LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED,
                new HeapPriorityQueueSetFactory(keyGroups, maxParallelism, QUEUE_CAPACITY),
                true,
                streams)
            .build();
  }

  public HeapKeyedStateBackend<K> backend() {
    return backend;
  }

  /** The state of a key, to be read and changed. */
  public <N, S extends State> S state(
      K key, N namespace, TypeSerializer<N> namespaces, StateDescriptor<S, ?> descriptor)
      throws Exception {
    backend.setCurrentKey(key);
    return backend.getPartitionedState(namespace, namespaces, descriptor);
  }

  /** Registers timers of a name not used before. */
  public <N> KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<K, N>> timers(
      String name, TypeSerializer<N> namespaces) {
    return backend.create(name, new TimerSerializer<>(keySerializer, namespaces));
  }

  /** What a checkpoint or native savepoint holds. */
  public KeyedStateHandle nativeSnapshot() throws Exception {
    return nativeSnapshot(streams());
  }

  public KeyedStateHandle nativeSnapshot(CheckpointStreamFactory files) throws Exception {
    var snapshot = backend.snapshot(1, 1, files, options(SavepointType.savepoint(format(false))));
    snapshot.run();
    return snapshot.get().getJobManagerOwnedSnapshot();
  }

  /** What a canonical savepoint holds. */
  public KeyedStateHandle canonicalSnapshot() throws Exception {
    return canonicalSnapshot(streams());
  }

  public KeyedStateHandle canonicalSnapshot(CheckpointStreamFactory files) throws Exception {
    FullSnapshotResources<K> resources = backend.savepoint().getSnapshotResources();
    try {
      return new SavepointSnapshotStrategy<>(resources)
          .asyncSnapshot(resources, 1, 1, files, options(SavepointType.savepoint(format(true))))
          .get(streams)
          .getJobManagerOwnedSnapshot();
    } finally {
      resources.release();
    }
  }

  private static SavepointFormatType format(boolean canonical) {
    return canonical ? SavepointFormatType.CANONICAL : SavepointFormatType.NATIVE;
  }

  public static MemCheckpointStreamFactory streams() {
    return new MemCheckpointStreamFactory(Integer.MAX_VALUE);
  }

  private static CheckpointOptions options(SnapshotType type) {
    return new CheckpointOptions(type, CheckpointStorageLocationReference.getDefault());
  }

  /** Writes a snapshot whose only operator has one subtask with such managed keyed state. */
  public Snapshot write(Path folder, KeyedStateHandle handle) throws IOException {
    return write(
        folder, maxParallelism, OperatorSubtaskState.builder().setManagedKeyedState(handle));
  }

  public static Snapshot write(
      Path folder, int maxParallelism, OperatorSubtaskState.Builder subtask) throws IOException {
    OperatorState operator = new OperatorState(null, null, OPERATOR, 1, maxParallelism);
    operator.putState(0, subtask.build());
    CheckpointMetadata metadata =
        new CheckpointMetadata(
            1,
            List.of(operator),
            List.of(),
            CheckpointProperties.forSavepoint(false, SavepointFormatType.NATIVE));
    Files.createDirectories(folder);
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(folder.resolve("_metadata")))) {
      Checkpoints.storeCheckpointMetadata(metadata, out);
    }
    return Snapshot.open(folder.toString());
  }

  @Override
  public void close() throws IOException {
    backend.dispose();
    streams.close();
  }
}
