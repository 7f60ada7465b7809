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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;

/**
 * Writes snapshots of an operator with many keys, by Flink's own backends and into files. Key
 * {@code key-i} has the value {@code total} i, a list {@code names} of two texts, a map {@code
 * counts} of two entries, and, if i can be divided by 3, the value {@code third}.
 */
final class ManyKeys {
  static final ValueStateDescriptor<Long> TOTAL =
      new ValueStateDescriptor<>("total", LongSerializer.INSTANCE);

  static final ListStateDescriptor<String> NAMES =
      new ListStateDescriptor<>("names", StringSerializer.INSTANCE);

  static final MapStateDescriptor<String, Long> COUNTS =
      new MapStateDescriptor<>("counts", StringSerializer.INSTANCE, LongSerializer.INSTANCE);

  static final ValueStateDescriptor<String> THIRD =
      new ValueStateDescriptor<>("third", StringSerializer.INSTANCE);

  private static final int WRITE_BUFFER = 4096;

  private ManyKeys() {}

  /** How a snapshot is stored. */
  enum Form {
    CANONICAL,
    CANONICAL_COMPRESSED,
    HEAP,
    HEAP_COMPRESSED,
    ROCKSDB,
    /** RocksDB files of one subtask, restored with two, whose files hold keys beyond their own. */
    ROCKSDB_RESCALED
  }

  /** What gives the states of a key, of either backend. */
  interface States {
    <S extends State> S of(String key, StateDescriptor<S, ?> descriptor) throws Exception;
  }

  /** What puts something into states. */
  interface Writer {
    void write(States states) throws Exception;
  }

  /** Writes the usual states of so many keys; returns the folder of the snapshot. */
  static Path write(Path folder, Form form, int keys, int maxParallelism) throws Exception {
    return write(folder, form, maxParallelism, states -> put(states, 0, keys));
  }

  /** Puts the usual states of some keys. */
  static void put(States states, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      String key = "key-" + i;
      states.of(key, TOTAL).update((long) i);
      states.of(key, NAMES).update(List.of("name of " + key, "other name of " + key));
      MapState<String, Long> counts = states.of(key, COUNTS);
      counts.putAll(new TreeMap<>(Map.of("in", (long) i, "out", -(long) i)));
      if (i % 3 == 0) {
        states.of(key, THIRD).update("third " + i);
      }
    }
  }

  /** Writes what {@code writer} puts into states; returns the folder of the snapshot. */
  static Path write(Path folder, Form form, int maxParallelism, Writer writer) throws Exception {
    return switch (form) {
      case ROCKSDB, ROCKSDB_RESCALED -> writeRocksDb(folder, form, maxParallelism, writer);
      default -> writeHeap(folder, form, maxParallelism, writer);
    };
  }

  private static Path writeHeap(Path folder, Form form, int maxParallelism, Writer writer)
      throws Exception {
    boolean compressed = form == Form.CANONICAL_COMPRESSED || form == Form.HEAP_COMPRESSED;
    StreamCompressionDecorator compression =
        compressed
            ? SnappyStreamCompressionDecorator.INSTANCE
            : UncompressedStreamCompressionDecorator.INSTANCE;
    try (HeapBackend<String> backend =
        new HeapBackend<>(StringSerializer.INSTANCE, maxParallelism, compression)) {
      writer.write(
          new States() {
            @Override
            public <S extends State> S of(String key, StateDescriptor<S, ?> descriptor)
                throws Exception {
              return backend.state(
                  key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
            }
          });
      boolean canonical = form == Form.CANONICAL || form == Form.CANONICAL_COMPRESSED;
      backend.write(
          folder,
          canonical
              ? backend.canonicalSnapshot(files(folder))
              : backend.nativeSnapshot(files(folder)));
      return folder;
    }
  }

  private static CheckpointStreamFactory files(Path folder) throws IOException {
    var path = new org.apache.flink.core.fs.Path(Files.createDirectories(folder).toUri());
    return new FsCheckpointStreamFactory(
        LocalFileSystem.getSharedInstance(), path, path, 0, WRITE_BUFFER);
  }

  private static Path writeRocksDb(Path folder, Form form, int maxParallelism, Writer writer)
      throws Exception {
    List<KeyedStateHandle> handles = new ArrayList<>();
    Files.createDirectories(folder);
    try (RocksDbBackend<String> backend =
        RocksDbBackend.empty(folder, StringSerializer.INSTANCE, maxParallelism)) {
      writer.write(states(backend));
      handles.add(backend.checkpoint(1, 0));
    }
    if (form == Form.ROCKSDB_RESCALED) {
      KeyedStateHandle whole = handles.remove(0);
      for (int subtask = 0; subtask < 2; subtask++) {
        KeyGroupRange range =
            KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                maxParallelism, 2, subtask);
        try (RocksDbBackend<String> backend =
            new RocksDbBackend<>(
                folder, StringSerializer.INSTANCE, maxParallelism, range, List.of(whole))) {
          handles.add(backend.checkpoint(2, 0));
        }
      }
    }
    Path snapshot = folder.resolve(form == Form.ROCKSDB ? "chk-1" : "chk-2");
    RocksDbBackend.write(snapshot, maxParallelism, handles);
    return snapshot;
  }

  private static States states(RocksDbBackend<String> backend) {
    return new States() {
      @Override
      public <S extends State> S of(String key, StateDescriptor<S, ?> descriptor) throws Exception {
        return backend.state(
            key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
      }
    };
  }
}
