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
package io.statesql.forms;

import io.statesql.format.keygroup.HeapBackend;
import io.statesql.format.rocksdb.RocksDbBackend;
import io.statesql.forms.KeyedForms.Form;
import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;

/**
 * What Flink's own backends find when they restore a savepoint that was committed: the state {@code
 * total} of {@link KeyedForms}.
 */
final class RestoredTotals {
  private static final ValueStateDescriptor<Long> TOTAL =
      new ValueStateDescriptor<>("total", LongSerializer.INSTANCE);
  private static final VoidNamespaceSerializer NONE = VoidNamespaceSerializer.INSTANCE;
  private static final int HALF = KeyedForms.MAX_PARALLELISM / 2;

  private RestoredTotals() {}

  /**
   * The total of a key. RocksDB is restored rescaled: by the one of two subtasks in whose key
   * groups Flink looks for the key.
   *
   * @param folder below which a backend may work
   * @param edits the folder that has the savepoint
   * @return null if Flink finds none
   */
  static <K> Long of(Path folder, Path edits, Form form, TypeSerializer<K> keys, K key)
      throws Exception {
    KeyedStateHandle handle = committed(edits);
    if (form == Form.ROCKSDB) {
      int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, KeyedForms.MAX_PARALLELISM);
      int start = keyGroup / HALF * HALF;
      try (RocksDbBackend<K> backend =
          new RocksDbBackend<>(
              folder,
              keys,
              KeyedForms.MAX_PARALLELISM,
              new KeyGroupRange(start, start + HALF - 1),
              List.of(handle))) {
        return backend.state(key, VoidNamespace.INSTANCE, NONE, TOTAL).value();
      }
    }
    try (HeapBackend<K> backend =
        new HeapBackend<>(
            keys,
            KeyedForms.MAX_PARALLELISM,
            UncompressedStreamCompressionDecorator.INSTANCE,
            List.of(handle))) {
      return backend.state(key, VoidNamespace.INSTANCE, NONE, TOTAL).value();
    }
  }

  /** The keyed state of the only subtask of the only savepoint in a folder. */
  static KeyedStateHandle committed(Path edits) throws Exception {
    Path committed;
    try (var folders = Files.list(edits)) {
      committed = folders.filter(Files::isDirectory).findFirst().orElseThrow();
    }
    try (var in = new DataInputStream(Files.newInputStream(committed.resolve("_metadata")))) {
      return Checkpoints.loadCheckpointMetadata(
              in, Thread.currentThread().getContextClassLoader(), committed.toUri().toString())
          .getOperatorStates()
          .iterator()
          .next()
          .getState(0)
          .getManagedKeyedState()
          .iterator()
          .next();
    }
  }
}
