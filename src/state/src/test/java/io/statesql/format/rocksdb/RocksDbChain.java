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

import io.statesql.edit.EditForm;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/**
 * The state of {@link EditForm} as the last of a chain of incremental checkpoints: values that were
 * replaced and removed since, and lists of which each element was added between other checkpoints,
 * so that the tables of all of them are needed.
 */
public final class RocksDbChain {
  private static final int CHECKPOINTS = 3;
  private static final long LATE = 100_000;
  private static final VoidNamespaceSerializer NONE = VoidNamespaceSerializer.INSTANCE;

  private final RocksDbBackend<String> backend;
  private final int keys;
  private final KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, VoidNamespace>>
      timers;

  private RocksDbChain(RocksDbBackend<String> backend, int keys) {
    this.backend = backend;
    this.keys = keys;
    this.timers =
        backend
            .backend()
            .create(EditForm.TIMERS, new TimerSerializer<>(StringSerializer.INSTANCE, NONE));
  }

  /** Writes the last checkpoint of a chain below a folder, which holds the tables of all. */
  public static Snapshot write(Path folder, int maxParallelism, int keys) throws Exception {
    try (RocksDbBackend<String> backend =
        RocksDbBackend.empty(folder, StringSerializer.INSTANCE, maxParallelism)) {
      RocksDbChain chain = new RocksDbChain(backend, keys);
      IncrementalRemoteKeyedStateHandle last = null;
      for (int checkpoint = 1; checkpoint <= CHECKPOINTS; checkpoint++) {
        chain.changeBefore(checkpoint);
        last = backend.checkpoint(checkpoint, 0);
      }
      return RocksDbBackend.write(
          folder.resolve("chk-" + CHECKPOINTS), maxParallelism, List.of(last));
    }
  }

  private void changeBefore(int checkpoint) throws Exception {
    for (int i = 0; i < keys; i++) {
      String key = "key" + i;
      changeValues(checkpoint, i, key);
      changeCollections(checkpoint, i, key);
      changeTimers(checkpoint, i, key);
    }
  }

  /** Wrong values at first; the right ones of some keys before one checkpoint, of others later. */
  private void changeValues(int checkpoint, int i, String key) throws Exception {
    boolean isTurn = checkpoint == 2 + i % (CHECKPOINTS - 1);
    ValueState<Long> value = backend.state(key, VoidNamespace.INSTANCE, NONE, EditForm.VALUE);
    if (checkpoint == 1) {
      value.update(-1L);
    } else if (isTurn && i % 2 == 0) {
      value.update((long) i);
    } else if (i % 2 != 0) {
      value.clear();
    }
    for (int scope = 0; scope < 2; scope++) {
      ValueState<String> scoped =
          backend.state(key, "scope" + scope, StringSerializer.INSTANCE, EditForm.SCOPED);
      if (checkpoint == 1) {
        scoped.update("old");
      } else if (scope != i % 2) {
        scoped.clear();
      } else if (checkpoint == CHECKPOINTS) {
        scoped.update("s" + i);
      }
    }
  }

  private void changeCollections(int checkpoint, int i, String key) throws Exception {
    ListState<String> list = backend.state(key, VoidNamespace.INSTANCE, NONE, EditForm.LIST);
    int element = i % 4 + 1 - checkpoint;
    if (element > 0) {
      list.add("e" + element);
    }
    MapState<String, String> map = backend.state(key, VoidNamespace.INSTANCE, NONE, EditForm.MAP);
    if (checkpoint == 1) {
      map.put("gone", "old");
      for (int j = i % 4; j > 0; j--) {
        map.put("u" + j, "old");
      }
    } else {
      map.remove("gone");
      if (element > 0 || checkpoint == CHECKPOINTS) {
        for (int j = i % 4; j > 0; j--) {
          map.put("u" + j, j == 2 ? null : "w" + i);
        }
      }
    }
  }

  private void changeTimers(int checkpoint, int i, String key) {
    if (checkpoint == 1) {
      timers.add(new TimerHeapInternalTimer<>(LATE, key, VoidNamespace.INSTANCE));
    } else if (checkpoint == 2) {
      timers.remove(new TimerHeapInternalTimer<>(LATE, key, VoidNamespace.INSTANCE));
    } else if (i % 3 == 0) {
      timers.add(new TimerHeapInternalTimer<>(i - 5L, key, VoidNamespace.INSTANCE));
    }
  }
}
