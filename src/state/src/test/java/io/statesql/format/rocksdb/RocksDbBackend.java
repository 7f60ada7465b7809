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
package io.statesql.format.rocksdb;

import io.statesql.format.model.KeyedSplit;
import io.statesql.format.rocksdb.database.RocksDbLibrary;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.OperatorId;
import io.statesql.snapshot.Snapshot;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
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
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.state.rocksdb.IncrementalCheckpoints;
import org.apache.flink.state.rocksdb.PredefinedOptions;
import org.apache.flink.state.rocksdb.RocksDBKeyedStateBackend;
import org.apache.flink.state.rocksdb.RocksDBKeyedStateBackendBuilder;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.apache.flink.state.rocksdb.RocksDBPriorityQueueConfig;
import org.apache.flink.state.rocksdb.RocksDBResourceContainer;
import org.jspecify.annotations.Nullable;

/**
 * Flink's own RocksDB backend as one subtask runs it, to write snapshots with. Files go below a
 * given folder: {@code chk-N} and {@code shared}, as those of a job.
 */
public final class RocksDbBackend<K> implements AutoCloseable {
  /** The uid of the operator whose state this is. */
  public static final String UID = "rocks";

  private static final int WRITE_BUFFER = 4096;

  private final Path folder;
  private final RocksDBResourceContainer resources;
  private final CloseableRegistry streams = new CloseableRegistry();
  private final SharedStateRegistryImpl registry = new SharedStateRegistryImpl();
  private final RocksDBKeyedStateBackend<K> backend;

  public RocksDbBackend(
      Path folder,
      TypeSerializer<K> keySerializer,
      int maxParallelism,
      KeyGroupRange range,
      Collection<? extends KeyedStateHandle> restored)
      throws IOException {
    this(folder, keySerializer, maxParallelism, range, restored, null);
  }

  private RocksDbBackend(
      Path folder,
      TypeSerializer<K> keySerializer,
      int maxParallelism,
      KeyGroupRange range,
      Collection<? extends KeyedStateHandle> restored,
      @Nullable RocksDBOptionsFactory options)
      throws IOException {
    RocksDbLibrary.load();
    this.folder = folder;
    this.resources = new RocksDBResourceContainer(PredefinedOptions.DEFAULT, options);
    Path work = Files.createTempDirectory(folder, "backend");
    RocksDBKeyedStateBackendBuilder<K> builder =
        new RocksDBKeyedStateBackendBuilder<>(
            UID,
            Thread.currentThread().getContextClassLoader(),
            work.toFile(),
            resources,
            state -> resources.getColumnOptions(),
            new KvStateRegistry().createTaskRegistry(new JobID(), new JobVertexID()),
            keySerializer,
            maxParallelism,
            range,
            new ExecutionConfig(),
            LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED,
            new RocksDBPriorityQueueConfig(),
            TtlTimeProvider.DEFAULT,
            LatencyTrackingStateConfig.disabled(),
            SizeTrackingStateConfig.disabled(),
            new UnregisteredMetricsGroup(),
            (name, value) -> {},
            List.copyOf(restored),
            UncompressedStreamCompressionDecorator.INSTANCE,
            streams);
    this.backend = IncrementalCheckpoints.enable(builder).build();
  }

  /** A backend for all key groups, with nothing in it. */
  public static <K> RocksDbBackend<K> empty(
      Path folder, TypeSerializer<K> keySerializer, int maxParallelism) throws IOException {
    return new RocksDbBackend<>(
        folder, keySerializer, maxParallelism, new KeyGroupRange(0, maxParallelism - 1), List.of());
  }

  /** Likewise, with what a job may configure of RocksDB. */
  public static <K> RocksDbBackend<K> empty(
      Path folder,
      TypeSerializer<K> keySerializer,
      int maxParallelism,
      RocksDBOptionsFactory options)
      throws IOException {
    return new RocksDbBackend<>(
        folder,
        keySerializer,
        maxParallelism,
        new KeyGroupRange(0, maxParallelism - 1),
        List.of(),
        options);
  }

  public RocksDBKeyedStateBackend<K> backend() {
    return backend;
  }

  /** The state of a key and namespace, to be read and changed. */
  public <N, S extends State> S state(
      K key, N namespace, TypeSerializer<N> namespaceSerializer, StateDescriptor<S, ?> descriptor)
      throws Exception {
    backend.setCurrentKey(key);
    descriptor.initializeSerializerUnlessSet(new ExecutionConfig());
    return backend.getPartitionedState(namespace, namespaceSerializer, descriptor);
  }

  /**
   * Takes a checkpoint that shares its tables with those before.
   *
   * @param inlined the size up to which a file stands in the metadata
   */
  public IncrementalRemoteKeyedStateHandle checkpoint(long id, int inlined) throws Exception {
    IncrementalRemoteKeyedStateHandle handle = snapshot(id, inlined, CheckpointType.CHECKPOINT);
    handle.registerSharedStates(registry, id);
    backend.notifyCheckpointComplete(id);
    return handle;
  }

  /** Takes a native savepoint. */
  public IncrementalRemoteKeyedStateHandle savepoint(long id, int inlined) throws Exception {
    return snapshot(id, inlined, SavepointType.savepoint(SavepointFormatType.NATIVE));
  }

  private IncrementalRemoteKeyedStateHandle snapshot(long id, int inlined, SnapshotType type)
      throws Exception {
    FsCheckpointStreamFactory files =
        new FsCheckpointStreamFactory(
            LocalFileSystem.getSharedInstance(),
            flinkPath(snapshotFolder(id)),
            flinkPath(Files.createDirectories(folder.resolve("shared"))),
            inlined,
            WRITE_BUFFER);
    RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot =
        backend.snapshot(
            id,
            id,
            files,
            new CheckpointOptions(type, CheckpointStorageLocationReference.getDefault()));
    snapshot.run();
    return (IncrementalRemoteKeyedStateHandle) snapshot.get().getJobManagerOwnedSnapshot();
  }

  private Path snapshotFolder(long id) throws IOException {
    return Files.createDirectories(folder.resolve("chk-" + id));
  }

  private static org.apache.flink.core.fs.Path flinkPath(Path path) {
    return new org.apache.flink.core.fs.Path(path.toUri());
  }

  /**
   * Writes the metadata of a snapshot of one operator.
   *
   * @param handles of its subtasks, in order
   */
  public static Snapshot write(
      Path folder, int maxParallelism, List<? extends KeyedStateHandle> handles)
      throws IOException {
    OperatorState operator =
        new OperatorState(UID, UID, operatorId(), Math.max(1, handles.size()), maxParallelism);
    for (int i = 0; i < handles.size(); i++) {
      putState(operator, i, handles.get(i));
    }
    return write(folder, operator);
  }

  /** As {@link #write(Path, int, List)}, of which one subtask of several has state. */
  static Snapshot writeSubtask(
      Path folder, int maxParallelism, int parallelism, int subtask, KeyedStateHandle handle)
      throws IOException {
    OperatorState operator = new OperatorState(UID, UID, operatorId(), parallelism, maxParallelism);
    putState(operator, subtask, handle);
    return write(folder, operator);
  }

  private static void putState(OperatorState operator, int subtask, KeyedStateHandle handle) {
    operator.putState(subtask, OperatorSubtaskState.builder().setManagedKeyedState(handle).build());
  }

  private static Snapshot write(Path folder, OperatorState operator) throws IOException {
    Files.createDirectories(folder);
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(folder.resolve("_metadata")))) {
      Checkpoints.storeCheckpointMetadata(
          new CheckpointMetadata(1, List.of(operator), List.of()), out);
    }
    return Snapshot.open(folder.toString());
  }

  private static OperatorID operatorId() {
    OperatorId id = OperatorId.ofUid(UID);
    return new OperatorID(id.lower(), id.upper());
  }

  /** The keyed splits of a snapshot of one operator. */
  static List<KeyedSplit> splits(Snapshot snapshot) {
    return KeyedSplits.of(snapshot, snapshot.metadata().operators().get(0));
  }

  /** All elements of all states, in the order in which they are read. */
  static List<RocksDbRow> rows(Snapshot snapshot) {
    List<RocksDbRow> rows = new ArrayList<>();
    for (KeyedSplit split : splits(snapshot)) {
      rows.addAll(RocksDbRow.of(snapshot, split));
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    backend.dispose();
    streams.close();
    try {
      resources.close();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
