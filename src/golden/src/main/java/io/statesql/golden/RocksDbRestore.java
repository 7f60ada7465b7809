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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.query.KvStateRegistry;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.state.rocksdb.RocksDBKeyedStateBackend;
import org.apache.flink.state.rocksdb.RocksDBKeyedStateBackendBuilder;
import org.apache.flink.state.rocksdb.RocksDBPriorityQueueConfig;
import org.apache.flink.state.rocksdb.RocksDBResourceContainer;
import org.apache.flink.util.FileUtils;
import org.rocksdb.RocksDB;

/** Restores a handle with Flink's RocksDB backend. */
final class RocksDbRestore {
  private RocksDbRestore() {}

  /**
   * Restores a handle and takes a canonical savepoint of the result.
   *
   * @return a handle whose state lies in memory
   * @throws Exception whatever Flink's restore or savepoint throws
   */
  static <K> KeyedStateHandle canonical(
      KeyedStateHandle handle, TypeSerializer<K> keySerializer, int maxParallelism)
      throws Exception {
    RocksDB.loadLibrary();
    Path work = Files.createTempDirectory("golden-rocksdb");
    RocksDBResourceContainer resources = new RocksDBResourceContainer();
    try (CloseableRegistry streams = new CloseableRegistry()) {
      RocksDBKeyedStateBackend<K> backend =
          builder(handle, keySerializer, maxParallelism, work, resources, streams).build();
      try {
        return CanonicalSavepoint.of(backend);
      } finally {
        backend.dispose();
      }
    } finally {
      resources.close();
      FileUtils.deleteDirectory(work.toFile());
    }
  }

  private static <K> RocksDBKeyedStateBackendBuilder<K> builder(
      KeyedStateHandle handle,
      TypeSerializer<K> keySerializer,
      int maxParallelism,
      Path work,
      RocksDBResourceContainer resources,
      CloseableRegistry streams) {
    return new RocksDBKeyedStateBackendBuilder<>(
        "golden",
        Thread.currentThread().getContextClassLoader(),
        work.toFile(),
        resources,
        state -> resources.getColumnOptions(),
        new KvStateRegistry().createTaskRegistry(new JobID(), new JobVertexID()),
        keySerializer,
        maxParallelism,
        handle.getKeyGroupRange(),
        new ExecutionConfig(),
        LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED,
        new RocksDBPriorityQueueConfig(),
        TtlTimeProvider.DEFAULT,
        LatencyTrackingStateConfig.disabled(),
        SizeTrackingStateConfig.disabled(),
        new UnregisteredMetricsGroup(),
        (name, value) -> {},
        List.of(handle),
        UncompressedStreamCompressionDecorator.INSTANCE,
        streams);
  }
}
