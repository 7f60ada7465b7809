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
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;

/**
 * The same keyed state in each form: {@code total}, a BIGINT for each key, its position in the list
 * of keys; and {@code parts}, a map of {@code part-0} to {@code part-2} to numbers.
 */
final class KeyedForms {
  static final int MAX_PARALLELISM = 8;
  static final int PARTS = 3;

  /** Files up to this size stand in the metadata. */
  private static final int INLINED = 1 << 20;

  /** How the state is stored. */
  enum Form {
    CANONICAL,
    HEAP,
    ROCKSDB,
    /** A handle for each half of the key groups, restored from the files of all. */
    ROCKSDB_RESCALED
  }

  private static final ValueStateDescriptor<Long> TOTAL =
      new ValueStateDescriptor<>("total", LongSerializer.INSTANCE);
  private static final MapStateDescriptor<String, Long> PARTS_OF_KEY =
      new MapStateDescriptor<>("parts", StringSerializer.INSTANCE, LongSerializer.INSTANCE);
  private static final VoidNamespaceSerializer NONE = VoidNamespaceSerializer.INSTANCE;

  private KeyedForms() {}

  /**
   * Writes a snapshot.
   *
   * @return its folder
   */
  static <K> Path write(Path folder, Form form, TypeSerializer<K> keys, List<K> values)
      throws Exception {
    Snapshot snapshot =
        switch (form) {
          case CANONICAL, HEAP -> writeHeap(folder, form, keys, values);
          case ROCKSDB, ROCKSDB_RESCALED -> writeRocksDb(folder, form, keys, values);
        };
    return Path.of(snapshot.folder().getPath());
  }

  private static <K> Snapshot writeHeap(
      Path folder, Form form, TypeSerializer<K> keys, List<K> values) throws Exception {
    try (HeapBackend<K> backend =
        new HeapBackend<>(keys, MAX_PARALLELISM, UncompressedStreamCompressionDecorator.INSTANCE)) {
      for (int i = 0; i < values.size(); i++) {
        K key = values.get(i);
        backend.state(key, VoidNamespace.INSTANCE, NONE, TOTAL).update((long) i);
        backend.state(key, VoidNamespace.INSTANCE, NONE, PARTS_OF_KEY).putAll(parts(i));
      }
      return backend.write(
          folder.resolve("snapshot"),
          form == Form.HEAP ? backend.nativeSnapshot() : backend.canonicalSnapshot());
    }
  }

  private static <K> Snapshot writeRocksDb(
      Path folder, Form form, TypeSerializer<K> keys, List<K> values) throws Exception {
    List<KeyedStateHandle> handles = new ArrayList<>();
    try (RocksDbBackend<K> backend = RocksDbBackend.empty(folder, keys, MAX_PARALLELISM)) {
      for (int i = 0; i < values.size(); i++) {
        K key = values.get(i);
        backend.state(key, VoidNamespace.INSTANCE, NONE, TOTAL).update((long) i);
        backend.state(key, VoidNamespace.INSTANCE, NONE, PARTS_OF_KEY).putAll(parts(i));
      }
      if (form == Form.ROCKSDB) {
        return RocksDbBackend.write(
            folder.resolve("chk-1"), MAX_PARALLELISM, List.of(backend.checkpoint(1, 0)));
      }
      handles.add(backend.savepoint(1, INLINED));
    }
    List<KeyedStateHandle> halves = new ArrayList<>();
    for (int start = 0; start < MAX_PARALLELISM; start += MAX_PARALLELISM / 2) {
      KeyGroupRange half = new KeyGroupRange(start, start + MAX_PARALLELISM / 2 - 1);
      try (RocksDbBackend<K> restored =
          new RocksDbBackend<>(folder, keys, MAX_PARALLELISM, half, handles)) {
        halves.add(restored.savepoint(2 + start, INLINED));
      }
    }
    return RocksDbBackend.write(folder.resolve("snapshot"), MAX_PARALLELISM, halves);
  }

  private static Map<String, Long> parts(int position) {
    return Map.of("part-0", (long) position, "part-1", position + 1L, "part-2", position + 2L);
  }
}
