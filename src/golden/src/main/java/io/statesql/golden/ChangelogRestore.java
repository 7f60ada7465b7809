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

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.query.KvStateRegistry;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.TaskStateManager;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandle;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageLoader;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackendBuilder;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueSetFactory;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.state.changelog.ChangelogStateFactory;
import org.apache.flink.state.changelog.restore.ChangelogBackendRestoreOperation;
import org.apache.flink.state.changelog.restore.ChangelogMigrationRestoreTarget;

/**
 * Restores a changelog handle as Flink does for a job that switches the changelog off: the changes
 * are applied to the heap backend.
 */
final class ChangelogRestore {
  private static final int QUEUE_CAPACITY = 128;

  private final KeyedStateHandle handle;
  private final int maxParallelism;

  private ChangelogRestore(KeyedStateHandle handle, int maxParallelism) {
    this.handle = handle;
    this.maxParallelism = maxParallelism;
  }

  /**
   * Restores a handle and takes a canonical savepoint of the result.
   *
   * @return a handle whose state lies in memory
   * @throws Exception whatever Flink's restore or savepoint throws
   */
  static <K> KeyedStateHandle canonical(
      ChangelogStateBackendHandle handle, TypeSerializer<K> keySerializer, int maxParallelism)
      throws Exception {
    StateChangelogStorageLoader.initialize(null);
    ChangelogRestore restore = new ChangelogRestore(handle, maxParallelism);
    try (CloseableRegistry streams = new CloseableRegistry()) {
      CheckpointableKeyedStateBackend<K> backend =
          ChangelogBackendRestoreOperation.restore(
              new Configuration(),
              Thread.currentThread().getContextClassLoader(),
              logReader(),
              List.of(handle),
              base -> restore.heapBackend(base, keySerializer, streams),
              (base, handles) ->
                  new ChangelogMigrationRestoreTarget<>(base, new ChangelogStateFactory()));
      try {
        return CanonicalSavepoint.of(backend);
      } finally {
        backend.dispose();
      }
    }
  }

  private <K> AbstractKeyedStateBackend<K> heapBackend(
      Collection<KeyedStateHandle> base, TypeSerializer<K> keySerializer, CloseableRegistry streams)
      throws BackendBuildingException {
    return new HeapKeyedStateBackendBuilder<>(
            new KvStateRegistry().createTaskRegistry(new JobID(), new JobVertexID()),
            keySerializer,
            Thread.currentThread().getContextClassLoader(),
            maxParallelism,
            handle.getKeyGroupRange(),
            new ExecutionConfig(),
            TtlTimeProvider.DEFAULT,
            LatencyTrackingStateConfig.disabled(),
            SizeTrackingStateConfig.disabled(),
            base,
            UncompressedStreamCompressionDecorator.INSTANCE,
            LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED,
            new HeapPriorityQueueSetFactory(
                handle.getKeyGroupRange(), maxParallelism, QUEUE_CAPACITY),
            false,
            streams)
        .build();
  }

  /** The restore asks its task for nothing but the storage that reads the log. */
  private static TaskStateManager logReader() {
    return (TaskStateManager)
        Proxy.newProxyInstance(
            ChangelogRestore.class.getClassLoader(),
            new Class<?>[] {TaskStateManager.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("getStateChangelogStorageView")) {
                throw new UnsupportedOperationException(method.toString());
              }
              return StateChangelogStorageLoader.loadFromStateHandle(
                  (Configuration) arguments[0], (ChangelogStateHandle) arguments[1]);
            });
  }
}
