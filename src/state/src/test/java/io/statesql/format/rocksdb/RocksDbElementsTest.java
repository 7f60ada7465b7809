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

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads what Flink's own RocksDB backend wrote. */
class RocksDbElementsTest {
  private static final ValueStateDescriptor<String> VALUE =
      new ValueStateDescriptor<>("value", StringSerializer.INSTANCE);
  private static final ListStateDescriptor<Integer> LIST =
      new ListStateDescriptor<>("list", IntSerializer.INSTANCE);
  private static final MapStateDescriptor<String, Long> MAP =
      new MapStateDescriptor<>("map", StringSerializer.INSTANCE, LongSerializer.INSTANCE);
  private static final int KEYS = 300;

  /** Larger than any file here. */
  private static final int INLINED = 1 << 20;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "1, 0",
    "1, 20480",
    "127, 0",
    "128, 0",
    "129, 0",
    "130, 0",
    "130, 20480",
    "256, 0",
    "257, 0",
    "32768, 0"
  })
  void readsEveryCheckpointOfAnIncrementalChain(int maxParallelism, int inlined) throws Exception {
    List<Snapshot> snapshots = new ArrayList<>();
    List<List<RocksDbRow>> expected = new ArrayList<>();
    List<IncrementalRemoteKeyedStateHandle> handles = new ArrayList<>();
    try (RocksDbBackend<Long> backend =
        RocksDbBackend.empty(folder, LongSerializer.INSTANCE, maxParallelism)) {
      for (int round = 0; round < 4; round++) {
        for (long key = -KEYS / 2; key < KEYS / 2; key++) {
          change(backend, key, round);
        }
        handles.add(
            round < 3 ? backend.checkpoint(round, inlined) : backend.savepoint(round, inlined));
        Path place = folder.resolve("chk-" + round);
        snapshots.add(RocksDbBackend.write(place, maxParallelism, List.of(handles.get(round))));
        expected.add(expected(round, maxParallelism));
      }
    }

    assertThat(handles.get(2).getSharedState().stream().map(file -> file.getLocalPath()))
        .as("tables that two checkpoints share")
        .containsAnyElementsOf(
            handles.get(1).getSharedState().stream().map(file -> file.getLocalPath()).toList());
    for (int round = 0; round < snapshots.size(); round++) {
      List<RocksDbRow> rows = RocksDbBackend.rows(snapshots.get(round));
      assertThat(rows)
          .as("checkpoint %d", round)
          .containsExactlyInAnyOrderElementsOf(expected.get(round));
      assertThat(rows)
          .as("key groups rise, and within each the states are in the order of the header")
          .isSortedAccordingTo(
              Comparator.comparingInt(RocksDbRow::keyGroup)
                  .thenComparing(row -> List.of("value", "list", "map").indexOf(row.state())));
    }
  }

  /** Puts, appends and deletes, so that tables hold merge operands and tombstones. */
  private static void change(RocksDbBackend<Long> backend, long key, int round) throws Exception {
    var value = backend.state(key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, VALUE);
    if (hasValue(key, round)) {
      value.update("v" + key + "/" + round);
    } else {
      value.clear();
    }
    ListState<Integer> list =
        backend.state(key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, LIST);
    // The bytes of this number hold the delimiter of list elements.
    list.add(0x2C2C2C2C + round);
    MapState<String, Long> map =
        backend.state(key, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, MAP);
    map.put("é" + round, round == 1 ? null : key);
    if (round > 1) {
      map.remove("é" + (round - 2));
    }
  }

  private static boolean hasValue(long key, int round) {
    return Math.floorMod(key + round, 3) != 0;
  }

  private static List<RocksDbRow> expected(int round, int maxParallelism) {
    List<RocksDbRow> rows = new ArrayList<>();
    for (long key = -KEYS / 2; key < KEYS / 2; key++) {
      int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism);
      if (hasValue(key, round)) {
        rows.add(new RocksDbRow("value", keyGroup, key, null, null, 0, "v" + key + "/" + round));
      }
      for (int past = 0; past <= round; past++) {
        rows.add(new RocksDbRow("list", keyGroup, key, null, null, past, 0x2C2C2C2C + past));
      }
      for (int past = Math.max(0, round - 1); past <= round; past++) {
        rows.add(new RocksDbRow("map", keyGroup, key, null, "é" + past, 0, past == 1 ? null : key));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 1000})
  void splitsKeysOfTwoPartsWithoutFixedLength(int maxParallelism) throws Exception {
    List<String> texts =
        List.of("", "a", "é", "\u00ff\u007f", "x".repeat(300), "日本", "\u0001\u0002");
    List<RocksDbRow> expected = new ArrayList<>();
    Snapshot snapshot;
    try (RocksDbBackend<String> backend =
        RocksDbBackend.empty(folder, StringSerializer.INSTANCE, maxParallelism)) {
      for (String key : texts) {
        int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism);
        for (String namespace : texts) {
          String text = key + "|" + namespace;
          backend.state(key, namespace, StringSerializer.INSTANCE, VALUE).update(text);
          expected.add(new RocksDbRow("value", keyGroup, key, namespace, null, 0, text));
          for (String mapKey : texts) {
            backend.state(key, namespace, StringSerializer.INSTANCE, MAP).put(mapKey, 7L);
            expected.add(new RocksDbRow("map", keyGroup, key, namespace, mapKey, 0, 7L));
          }
        }
      }
      snapshot =
          RocksDbBackend.write(
              folder.resolve("chk-1"), maxParallelism, List.of(backend.checkpoint(1, 0)));
    }

    assertThat(RocksDbBackend.rows(snapshot)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 300})
  void readsTimersOfAnyTime(int maxParallelism) throws Exception {
    List<Long> times = List.of(Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE);
    String name = "_timer_state/event_user-timers";
    List<RocksDbRow> expected = new ArrayList<>();
    Snapshot snapshot;
    try (RocksDbBackend<String> backend =
        RocksDbBackend.empty(folder, StringSerializer.INSTANCE, maxParallelism)) {
      var timers =
          backend.backend().<TimerHeapInternalTimer<String, String>>create(name, timerSerializer());
      for (String key : List.of("", "k", "é")) {
        int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism);
        for (long time : times) {
          timers.add(new TimerHeapInternalTimer<>(time, key, "ns" + time));
          expected.add(new RocksDbRow(name, keyGroup, key, "ns" + time, null, 0, time));
        }
      }
      snapshot =
          RocksDbBackend.write(
              folder.resolve("chk-1"), maxParallelism, List.of(backend.savepoint(1, 0)));
    }

    assertThat(RocksDbBackend.rows(snapshot)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @SuppressWarnings("unchecked") // a timer is the class that Flink's queues hold of it
  private static <T> TypeSerializer<T> timerSerializer() {
    return (TypeSerializer<T>)
        (TypeSerializer<?>)
            new TimerSerializer<>(StringSerializer.INSTANCE, StringSerializer.INSTANCE);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 128, 300})
  void readsOnlyTheKeyGroupsOfTheHandle(int maxParallelism) throws Exception {
    try (RocksDbBackend<Long> backend =
        RocksDbBackend.empty(folder, LongSerializer.INSTANCE, maxParallelism)) {
      for (long key = -KEYS / 2; key < KEYS / 2; key++) {
        change(backend, key, 0);
      }
      IncrementalRemoteKeyedStateHandle whole = backend.checkpoint(1, 0);
      for (int[] subtask : new int[][] {{0, maxParallelism}, {1, 3}, {4, 5}}) {
        KeyGroupRange range =
            KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                maxParallelism, subtask[1], subtask[0]);
        Snapshot snapshot =
            RocksDbBackend.writeSubtask(
                folder.resolve("chk-1"),
                maxParallelism,
                subtask[1],
                subtask[0],
                withRange(whole, range));

        assertThat(RocksDbBackend.rows(snapshot))
            .as("%s", range)
            .containsExactlyInAnyOrderElementsOf(
                expected(0, maxParallelism).stream()
                    .filter(row -> range.contains(row.keyGroup()))
                    .toList());
      }
    }
  }

  private static IncrementalRemoteKeyedStateHandle withRange(
      IncrementalRemoteKeyedStateHandle handle, KeyGroupRange range) {
    return new IncrementalRemoteKeyedStateHandle(
        handle.getBackendIdentifier(),
        range,
        handle.getCheckpointId(),
        handle.getSharedState(),
        handle.getPrivateState(),
        handle.getMetaDataStateHandle());
  }

  @Test
  void readsACheckpointOfARescaledJob() throws Exception {
    int maxParallelism = 130;
    IncrementalRemoteKeyedStateHandle whole;
    try (RocksDbBackend<Long> backend =
        RocksDbBackend.empty(folder, LongSerializer.INSTANCE, maxParallelism)) {
      for (long key = -KEYS / 2; key < KEYS / 2; key++) {
        change(backend, key, 0);
      }
      whole = backend.savepoint(1, 0);
    }
    List<KeyedStateHandle> rescaled = new ArrayList<>();
    for (KeyGroupRange range :
        List.of(new KeyGroupRange(0, 43), new KeyGroupRange(44, 86), new KeyGroupRange(87, 129))) {
      try (RocksDbBackend<Long> backend =
          new RocksDbBackend<>(
              folder, LongSerializer.INSTANCE, maxParallelism, range, List.of(whole))) {
        for (long key = -KEYS / 2; key < KEYS / 2; key++) {
          if (range.contains(KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism))) {
            change(backend, key, 1);
          }
        }
        rescaled.add(backend.checkpoint(2, 0));
      }
    }

    Snapshot snapshot = RocksDbBackend.write(folder.resolve("chk-2"), maxParallelism, rescaled);

    assertThat(RocksDbBackend.rows(snapshot))
        .containsExactlyInAnyOrderElementsOf(expected(1, maxParallelism));
  }

  @Test
  void aStateWithoutColumnFamilyIsEmptyAndAColumnFamilyWithoutStateIsPassedOver() throws Exception {
    IncrementalRemoteKeyedStateHandle onlyValue;
    IncrementalRemoteKeyedStateHandle all;
    try (RocksDbBackend<Long> backend = RocksDbBackend.empty(folder, LongSerializer.INSTANCE, 4)) {
      backend
          .state(1L, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, VALUE)
          .update("one");
      onlyValue = backend.checkpoint(1, INLINED);
      change(backend, 1, 0);
      all = backend.checkpoint(2, INLINED);
    }

    Snapshot fewerColumnFamilies =
        RocksDbBackend.write(folder.resolve("chk-1"), 4, List.of(withMeta(onlyValue, all)));
    Snapshot fewerStates =
        RocksDbBackend.write(folder.resolve("chk-2"), 4, List.of(withMeta(all, onlyValue)));

    int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(1L, 4);
    assertThat(RocksDbBackend.splits(fewerColumnFamilies).get(0).header().states()).hasSize(3);
    assertThat(RocksDbBackend.rows(fewerColumnFamilies))
        .containsExactly(new RocksDbRow("value", keyGroup, 1L, null, null, 0, "one"));
    assertThat(RocksDbBackend.splits(fewerStates).get(0).header().states()).hasSize(1);
    assertThat(RocksDbBackend.rows(fewerStates))
        .containsExactly(new RocksDbRow("value", keyGroup, 1L, null, null, 0, "v1/0"));
  }

  private static IncrementalRemoteKeyedStateHandle withMeta(
      IncrementalRemoteKeyedStateHandle files, IncrementalRemoteKeyedStateHandle meta) {
    return new IncrementalRemoteKeyedStateHandle(
        files.getBackendIdentifier(),
        files.getKeyGroupRange(),
        files.getCheckpointId(),
        files.getSharedState(),
        files.getPrivateState(),
        meta.getMetaDataStateHandle());
  }

  @Test
  void readsADatabaseWithoutTables() throws Exception {
    try (RocksDbBackend<Long> backend = RocksDbBackend.empty(folder, LongSerializer.INSTANCE, 4)) {
      backend.state(1L, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, VALUE).clear();
      IncrementalRemoteKeyedStateHandle handle = backend.checkpoint(1, 0);
      Snapshot snapshot = RocksDbBackend.write(folder.resolve("chk-1"), 4, List.of(handle));

      assertThat(handle.getPrivateState()).noneMatch(f -> f.getLocalPath().endsWith(".sst"));
      assertThat(RocksDbBackend.splits(snapshot).get(0).header().states()).hasSize(1);
      assertThat(RocksDbBackend.rows(snapshot)).isEmpty();
    }
  }
}
