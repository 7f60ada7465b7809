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
package io.statesql.edit;

import io.statesql.format.keygroup.HeapBackend;
import io.statesql.format.rocksdb.RocksDbBackend;
import io.statesql.format.rocksdb.RocksDbChain;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;

/** The forms in which Flink's backends write one and the same state. */
public enum EditForm {
  CANONICAL(false),
  CANONICAL_COMPRESSED(true),
  HEAP(false),
  HEAP_COMPRESSED(true),
  ROCKSDB_FILES(false),
  ROCKSDB_INLINED(false),
  /** The last of a chain of checkpoints. */
  ROCKSDB_INCREMENTAL(false);

  public static final ValueStateDescriptor<Long> VALUE =
      new ValueStateDescriptor<>("v", LongSerializer.INSTANCE);
  public static final ListStateDescriptor<String> LIST =
      new ListStateDescriptor<>("l", StringSerializer.INSTANCE);
  public static final MapStateDescriptor<String, String> MAP =
      new MapStateDescriptor<>("m", StringSerializer.INSTANCE, StringSerializer.INSTANCE);
  public static final ValueStateDescriptor<String> SCOPED =
      new ValueStateDescriptor<>("scoped", StringSerializer.INSTANCE);
  public static final String TIMERS = "_timer_state/event_test";

  private final boolean compressed;

  EditForm(boolean compressed) {
    this.compressed = compressed;
  }

  private boolean isRocksDb() {
    return this == ROCKSDB_FILES || this == ROCKSDB_INLINED || this == ROCKSDB_INCREMENTAL;
  }

  private interface States {
    <N, S extends State> S state(
        String key, N namespace, TypeSerializer<N> serializer, StateDescriptor<S, ?> descriptor)
        throws Exception;
  }

  /** Writes a snapshot of so many keys. */
  public Snapshot write(Path folder, int maxParallelism, int keys) throws Exception {
    Files.createDirectories(folder);
    if (this == ROCKSDB_INCREMENTAL) {
      return RocksDbChain.write(folder, maxParallelism, keys);
    }
    if (isRocksDb()) {
      try (RocksDbBackend<String> backend =
          RocksDbBackend.empty(folder, StringSerializer.INSTANCE, maxParallelism)) {
        var timers =
            backend
                .backend()
                .create(
                    TIMERS,
                    new org.apache.flink.streaming.api.operators.TimerSerializer<>(
                        StringSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE));
        fill(backend::state, keys);
        for (int i = 0; i < keys; i += 3) {
          timers.add(new TimerHeapInternalTimer<>(i - 5L, "key" + i, VoidNamespace.INSTANCE));
        }
        return RocksDbBackend.write(
            folder.resolve("chk-1"),
            maxParallelism,
            List.of(
                this == ROCKSDB_FILES ? backend.savepoint(1, 0) : backend.checkpoint(1, 1 << 20)));
      }
    }
    try (HeapBackend<String> backend =
        new HeapBackend<>(StringSerializer.INSTANCE, maxParallelism, compression())) {
      var timers = backend.timers(TIMERS, VoidNamespaceSerializer.INSTANCE);
      fill(backend::state, keys);
      for (int i = 0; i < keys; i += 3) {
        timers.add(new TimerHeapInternalTimer<>(i - 5L, "key" + i, VoidNamespace.INSTANCE));
      }
      return backend.write(folder, snapshot(backend));
    }
  }

  private static void fill(States states, int keys) throws Exception {
    for (int i = 0; i < keys; i++) {
      String key = "key" + i;
      var none = VoidNamespaceSerializer.INSTANCE;
      if (i % 2 == 0) {
        states.state(key, VoidNamespace.INSTANCE, none, VALUE).update((long) i);
      }
      for (int j = i % 4; j > 0; j--) {
        states.state(key, VoidNamespace.INSTANCE, none, LIST).add("e" + j);
        states.state(key, VoidNamespace.INSTANCE, none, MAP).put("u" + j, j == 2 ? null : "w" + i);
      }
      states.state(key, "scope" + i % 2, StringSerializer.INSTANCE, SCOPED).update("s" + i);
    }
  }

  private StreamCompressionDecorator compression() {
    return compressed
        ? SnappyStreamCompressionDecorator.INSTANCE
        : UncompressedStreamCompressionDecorator.INSTANCE;
  }

  private KeyedStateHandle snapshot(HeapBackend<String> backend) throws Exception {
    return this == HEAP || this == HEAP_COMPRESSED
        ? backend.nativeSnapshot()
        : backend.canonicalSnapshot();
  }

  /** Lets Flink restore a snapshot and write what it holds then to another folder. */
  public Snapshot restoreAndWrite(Path restored, Path folder, int maxParallelism) throws Exception {
    KeyedStateHandle handle = load(restored);
    Files.createDirectories(folder);
    if (isRocksDb()) {
      try (RocksDbBackend<String> backend =
          new RocksDbBackend<>(
              folder,
              StringSerializer.INSTANCE,
              maxParallelism,
              new KeyGroupRange(0, maxParallelism - 1),
              List.of(handle))) {
        return RocksDbBackend.write(
            folder.resolve("chk-2"), maxParallelism, List.of(backend.savepoint(2, 0)));
      }
    }
    try (HeapBackend<String> backend =
        new HeapBackend<>(
            StringSerializer.INSTANCE, maxParallelism, compression(), List.of(handle))) {
      return backend.write(folder, snapshot(backend));
    }
  }

  private static KeyedStateHandle load(Path folder) throws Exception {
    try (var in = new java.io.DataInputStream(Files.newInputStream(folder.resolve("_metadata")))) {
      return Checkpoints.loadCheckpointMetadata(
              in, EditForm.class.getClassLoader(), folder.toUri().toString())
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
