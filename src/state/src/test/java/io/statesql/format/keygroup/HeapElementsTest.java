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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Strings;
import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.ReadCounters;
import io.statesql.ScanContext;
import io.statesql.ScanLimits;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.split.KeyedSplits;
import io.statesql.golden.DecodedKeyedState;
import io.statesql.golden.GoldenEntry;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flink's heap backend writes, in its own layout and in canonical form. */
public class HeapElementsTest {
  private static final int KEYS = 40;
  private static final int LONG_TEXT = 1_500_000;
  private static final TypeSerializer<VoidNamespace> NO_NAMESPACE =
      VoidNamespaceSerializer.INSTANCE;

  @TempDir private Path folder;

  /** What the entries of a filled backend look like as text, in no order. */
  private final List<String> expected = new ArrayList<>();

  private int maxParallelism;

  @ParameterizedTest
  @CsvSource({
    "128,false",
    "128,true",
    "130,false",
    "130,true",
    "32768,false",
    "32768,true",
    "1,false"
  })
  void readsAllKindsOfState(int keyGroups, boolean compressed) throws Exception {
    try (HeapBackend<String> backend = backend(keyGroups, compressed)) {
      fill(backend, KEYS, LONG_TEXT);

      Snapshot inNativeForm = backend.write(folder.resolve("native"), backend.nativeSnapshot());
      assertThat(layout(inNativeForm)).isEqualTo(KeyedLayout.HEAP);
      assertThat(texts(inNativeForm)).containsExactlyInAnyOrderElementsOf(expected);

      Snapshot canonical = backend.write(folder.resolve("canonical"), backend.canonicalSnapshot());
      assertThat(layout(canonical)).isEqualTo(KeyedLayout.CANONICAL);
      assertThat(texts(canonical)).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsEachStateByItself(boolean compressed) throws Exception {
    try (HeapBackend<String> backend = backend(128, compressed)) {
      fill(backend, KEYS, 1000);
      Snapshot snapshot = backend.write(folder, backend.nativeSnapshot());
      KeyedSplit split = split(snapshot);

      for (KeyedStateMeta state : split.header().states()) {
        BitSet wanted = new BitSet();
        wanted.set(state.id());
        assertThat(
                DecodedKeyedState.of(snapshot, split, wanted).stream().map(HeapElementsTest::text))
            .as(state.name())
            .isNotEmpty()
            .containsExactlyInAnyOrderElementsOf(
                expected.stream().filter(text -> text.startsWith(state.name() + "|")).toList());
      }
    }
  }

  /** A canonical handle that does not say so is what RocksDB wrote until Flink 1.12. */
  @ParameterizedTest
  @CsvSource({"1,false", "1,true", "128,false", "128,true", "130,false"})
  void tellsCanonicalFormByItsBytes(int keyGroups, boolean compressed) throws Exception {
    try (HeapBackend<String> backend = backend(keyGroups, compressed)) {
      fill(backend, KEYS, 1000);
      KeyGroupsStateHandle canonical = (KeyGroupsStateHandle) backend.canonicalSnapshot();
      Snapshot snapshot =
          backend.write(
              folder,
              new KeyGroupsStateHandle(
                  canonical.getGroupRangeOffsets(), canonical.getDelegateStateHandle()));

      assertThat(layout(snapshot)).isEqualTo(KeyedLayout.CANONICAL);
      assertThat(texts(snapshot)).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /**
   * One key group of number 0 may begin as in either layout. Read in the wrong one it can seem to
   * hold a value beyond all limits. Whether it does depends on which state Flink's hash map has
   * first, hence the names.
   */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "some", "other", "state-", "of-key-", "count.", "sum:"})
  void aLengthInTheWrongLayoutIsNoValueTooLarge(String name) throws Exception {
    try (HeapBackend<String> backend = backend(1, false)) {
      for (int state = 0; state < 8; state++) {
        ValueStateDescriptor<Long> descriptor =
            new ValueStateDescriptor<>(name + state * state, LongSerializer.INSTANCE);
        for (long i = 0; i < 1000; i++) {
          backend.state("key-" + i, VoidNamespace.INSTANCE, NO_NAMESPACE, descriptor).update(i);
        }
      }
      ScanLimits little = new ScanLimits(1 << 20, 1);
      Snapshot snapshot =
          backend
              .write(folder, backend.nativeSnapshot())
              .within(new ScanContext(Cancellation.NEVER, new ReadCounters(), little));

      assertThat(layout(snapshot)).isEqualTo(KeyedLayout.HEAP);
    }
  }

  /** Kryo data of a class that is not here has no end that could be found. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void undecodableStateHidesOnlyWhatStandsBehindIt(boolean compressed) throws Exception {
    try (HeapBackend<String> backend = backend(1, compressed)) {
      for (int i = 0; i < 8; i++) {
        addValue(backend, "s" + i, LongSerializer.INSTANCE, (long) i);
      }
      addValue(
          backend,
          "opaque",
          new GenericTypeInfo<>(Custom.class).createSerializer(new SerializerConfigImpl()),
          new Custom());
      Snapshot snapshot = backend.write(folder, backend.nativeSnapshot());
      KeyedSplit split = split(snapshot);

      List<String> hidden = new ArrayList<>();
      for (KeyedStateMeta state : split.header().states()) {
        BitSet wanted = new BitSet();
        wanted.set(state.id());
        try {
          assertThat(DecodedKeyedState.of(snapshot, split, wanted)).hasSize(1);
          assertThat(state.name()).isNotEqualTo("opaque");
        } catch (StateSqlException e) {
          hidden.add(state.name());
          assertThat(e.code()).isEqualTo(ErrorCode.UNDECODABLE_STATE);
          assertThat(e)
              .hasMessageContaining("\"opaque\"")
              .hasMessageContaining(Custom.class.getName())
              .hasMessageContaining("\"" + state.name() + "\"");
        }
      }

      if (compressed) {
        assertThat(hidden).containsExactly("opaque");
      } else {
        // How many stand behind it depends on the order of Flink's hash map.
        assertThat(hidden).contains("opaque");
      }
    }
  }

  private static <T> void addValue(
      HeapBackend<String> backend, String state, TypeSerializer<T> serializer, T value)
      throws Exception {
    backend
        .state(
            "key",
            VoidNamespace.INSTANCE,
            NO_NAMESPACE,
            new ValueStateDescriptor<>(state, serializer))
        .update(value);
  }

  /** A class of a job. */
  private static final class Custom {}

  @Test
  void refusesStateOfOtherLayoutInBothForms() throws Exception {
    try (HeapBackend<String> backend = backend(128, false)) {
      fill(backend, KEYS, 1000);
      KeyGroupsStateHandle handle = (KeyGroupsStateHandle) backend.nativeSnapshot();
      byte[] bytes = bytes(handle);
      for (long offset : offsets(handle)) {
        bytes[(int) offset] = 0x55;
      }

      Snapshot snapshot = backend.write(folder, withBytes(handle, bytes));

      assertThatThrownBy(() -> split(snapshot))
          .isInstanceOf(StateSqlException.class)
          .hasMessageContaining("begins neither as the heap backend writes it nor in canonical")
          .hasMessageContaining(snapshot.metadata().operators().get(0).id().hex());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void brokenBytesGiveRowsOrAnError(boolean compressed) throws Exception {
    try (HeapBackend<String> backend = backend(4, compressed)) {
      fill(backend, 6, 40);
      KeyGroupsStateHandle handle = (KeyGroupsStateHandle) backend.nativeSnapshot();
      byte[] bytes = bytes(handle);
      int start = (int) offsets(handle)[0];
      Random random = new Random(7);
      int errors = 0;
      for (int i = 0; i < 600; i++) {
        byte[] broken = bytes.clone();
        int at = start + random.nextInt(bytes.length - start);
        broken[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        errors += errors(backend, withBytes(handle, broken), compressed);
      }
      for (int length = start; length < bytes.length; length += 3) {
        errors += errors(backend, withBytes(handle, java.util.Arrays.copyOf(bytes, length)), true);
      }
      assertThat(errors).isGreaterThan((bytes.length - start) / 3);
    }
  }

  /** Reads all; 1 for an error, 0 for rows, which are the right ones where there is a checksum. */
  private int errors(HeapBackend<String> backend, KeyGroupsStateHandle handle, boolean checked)
      throws Exception {
    Snapshot snapshot = backend.write(folder, handle);
    try {
      List<String> texts = texts(snapshot);
      if (checked) {
        assertThat(texts).containsExactlyInAnyOrderElementsOf(expected);
      }
      return 0;
    } catch (StateSqlException e) {
      assertThat(e.code()).isIn(ErrorCode.MALFORMED_SNAPSHOT, ErrorCode.UNDECODABLE_STATE);
      return 1;
    }
  }

  private HeapBackend<String> backend(int keyGroups, boolean compressed) throws Exception {
    maxParallelism = keyGroups;
    StreamCompressionDecorator compression =
        compressed
            ? SnappyStreamCompressionDecorator.INSTANCE
            : UncompressedStreamCompressionDecorator.INSTANCE;
    return new HeapBackend<>(StringSerializer.INSTANCE, keyGroups, compression);
  }

  private void fill(HeapBackend<String> backend, int keys, int longText) throws Exception {
    var timers = backend.timers("_timer_state/event_t", NO_NAMESPACE);
    for (int i = 0; i < keys; i++) {
      String key = i == 3 ? "ключ" : "key" + i;
      String text = i == 1 ? Strings.repeat("long ", longText / 5) : "text" + i;
      addValues(backend, key, text, i);
      addLists(backend, key, i);
      addMaps(backend, key, text, i);
      timers.add(new TimerHeapInternalTimer<>(Long.MIN_VALUE + i, key, VoidNamespace.INSTANCE));
      expect("_timer_state/event_t", key, "null", null, null, Long.toString(Long.MIN_VALUE + i));
    }
  }

  private void addValues(HeapBackend<String> backend, String key, String text, int i)
      throws Exception {
    backend
        .state(
            key,
            VoidNamespace.INSTANCE,
            NO_NAMESPACE,
            new ValueStateDescriptor<>("value", StringSerializer.INSTANCE))
        .update(text);
    expect("value", key, "null", null, null, quote(text));
    backend
        .state(
            key,
            new TimeWindow(i, i + 1000L),
            new TimeWindow.Serializer(),
            new ValueStateDescriptor<>("windowed", LongSerializer.INSTANCE))
        .update((long) i);
    String window = "{\"start\":" + i + ",\"end\":" + (i + 1000) + "}";
    expect("windowed", key, window, null, null, Long.toString(i));
  }

  /** Both key and namespace are texts, which composite keys frame by their lengths. */
  private void addLists(HeapBackend<String> backend, String key, int i) throws Exception {
    ListStateDescriptor<String> elements =
        new ListStateDescriptor<>("list", StringSerializer.INSTANCE);
    for (String namespace : List.of("", "space" + i)) {
      ListState<String> list = backend.state(key, namespace, StringSerializer.INSTANCE, elements);
      for (int index = 0; index <= i % 3; index++) {
        list.add("item," + index);
        expect("list", key, quote(namespace), null, index, quote("item," + index));
      }
    }
  }

  private void addMaps(HeapBackend<String> backend, String key, String text, int i)
      throws Exception {
    MapState<String, String> map =
        backend.state(
            key,
            VoidNamespace.INSTANCE,
            NO_NAMESPACE,
            new MapStateDescriptor<>("map", StringSerializer.INSTANCE, StringSerializer.INSTANCE));
    Map<String, String> entries = new HashMap<>();
    entries.put("a", text);
    entries.put("nothing", null);
    map.putAll(entries);
    expect("map", key, "null", quote("a"), null, quote(text));
    expect("map", key, "null", quote("nothing"), null, "null");
    MapStateDescriptor<String, Long> lasting =
        new MapStateDescriptor<>("lasting", StringSerializer.INSTANCE, LongSerializer.INSTANCE);
    lasting.enableTimeToLive(StateTtlConfig.newBuilder(java.time.Duration.ofDays(1)).build());
    backend.state(key, VoidNamespace.INSTANCE, NO_NAMESPACE, lasting).put("b", (long) i);
    expect("lasting", key, "null", quote("b"), null, Long.toString(i));
  }

  private static String quote(String text) {
    return '"' + text + '"';
  }

  private void expect(
      String state, String key, String namespace, String mapKey, Integer index, String value) {
    int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism);
    expected.add(
        String.join(
            "|",
            state,
            String.valueOf(keyGroup),
            quote(key),
            namespace,
            String.valueOf(mapKey),
            String.valueOf(index),
            value));
  }

  private static String text(GoldenEntry entry) {
    return String.join(
        "|",
        entry.state(),
        String.valueOf(entry.keyGroup()),
        entry.key().toString(),
        entry.namespace().toString(),
        String.valueOf(entry.mapKey()),
        String.valueOf(entry.index()),
        entry.value().toString());
  }

  /** The entries of the snapshot's first operator, in no order. */
  public static List<String> texts(Snapshot snapshot) {
    OperatorState operator = snapshot.metadata().operators().get(0);
    return DecodedKeyedState.of(snapshot, operator).stream().map(HeapElementsTest::text).toList();
  }

  private static KeyedSplit split(Snapshot snapshot) {
    return KeyedSplits.of(snapshot, snapshot.metadata().operators().get(0)).get(0);
  }

  private static KeyedLayout layout(Snapshot snapshot) {
    return split(snapshot).layout();
  }

  private static byte[] bytes(KeyGroupsStateHandle handle) {
    return ((ByteStreamStateHandle) handle.getDelegateStateHandle()).getData().clone();
  }

  private static long[] offsets(KeyGroupsStateHandle handle) {
    long[] offsets = new long[handle.getKeyGroupRange().getNumberOfKeyGroups()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = handle.getOffsetForKeyGroup(i);
    }
    return offsets;
  }

  private static KeyGroupsStateHandle withBytes(KeyGroupsStateHandle handle, byte[] bytes) {
    return new KeyGroupsStateHandle(
        handle.getGroupRangeOffsets(), new ByteStreamStateHandle("broken", bytes));
  }
}
