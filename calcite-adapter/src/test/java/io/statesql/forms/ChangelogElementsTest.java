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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.ScanLimits;
import io.statesql.StateSqlException;
import io.statesql.entry.FoundEntries;
import io.statesql.format.keygroup.HeapBackend;
import io.statesql.format.keygroup.HeapElementsTest;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointStorageWorkerView;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.changelog.inmemory.InMemoryStateChangelogStorage;
import org.apache.flink.runtime.state.internal.InternalMergingState;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.state.changelog.ChangelogKeyedStateBackend;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flink's changelog backend writes, against a savepoint of the backend that it wraps. */
class ChangelogElementsTest {
  private static final int MAX_PARALLELISM = 16;
  private static final VoidNamespace NONE = VoidNamespace.INSTANCE;
  private static final TypeSerializer<VoidNamespace> NO_NAMESPACE =
      VoidNamespaceSerializer.INSTANCE;
  private static final ListStateDescriptor<String> LIST =
      new ListStateDescriptor<>("list", StringSerializer.INSTANCE);

  @TempDir private Path folder;
  private HeapBackend<String> heap;
  private ChangelogKeyedStateBackend<String> backend;
  private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<String, VoidNamespace>> timers;

  @BeforeEach
  void open() throws Exception {
    heap =
        new HeapBackend<>(
            StringSerializer.INSTANCE,
            MAX_PARALLELISM,
            UncompressedStreamCompressionDecorator.INSTANCE);
    backend =
        new ChangelogKeyedStateBackend<>(
            heap.backend(),
            "test",
            new ExecutionConfig(),
            TtlTimeProvider.DEFAULT,
            new UnregisteredMetricsGroup(),
            new InMemoryStateChangelogStorage()
                .createWriter("test", heap.backend().getKeyGroupRange(), null),
            List.of(),
            storage());
    timers = backend.create("_timer_state/event_t", timerSerializer());
    backend.setCurrentKey("first");
    timers.add(new TimerHeapInternalTimer<>(-1, "first", NONE));
  }

  @AfterEach
  void close() throws Exception {
    backend.dispose();
    heap.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void appliesChangesToWhatTheyFollow(boolean materialized) throws Exception {
    change(0);
    if (materialized) {
      materialize();
    }
    change(7);

    assertSameAsSavepoint();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void singleEntriesAreFound(boolean materialized) throws Exception {
    change(0);
    if (materialized) {
      materialize();
    }
    change(7);

    assertThat(FoundEntries.findAll(heap.write(folder.resolve("changelog"), snapshot())))
        .isPositive();
  }

  @Test
  void isNotEdited() throws Exception {
    change(0);
    Snapshot snapshot = heap.write(folder.resolve("savepoint"), snapshot());
    String operator = snapshot.metadata().operators().get(0).uidOrId();

    try (Connection connection =
            DriverManager.getConnection("jdbc:statesql:snapshot=" + folder.resolve("savepoint"));
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () -> statement.executeUpdate("DELETE FROM \"" + operator + "\".keyed_state"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A001"))
          .hasMessageContaining("operator \"" + operator + "\" keeps a changelog")
          .hasMessageContaining("take a savepoint in canonical form");
    }
  }

  @Test
  void readsABaseWithoutChanges() throws Exception {
    change(0);
    materialize();

    assertSameAsSavepoint();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mergesTheListsOfWindows(boolean materialized) throws Exception {
    for (String window : List.of("a", "b", "c")) {
      ListState<String> list = state("key", window, StringSerializer.INSTANCE, LIST);
      list.add(window + "1");
      list.add(window + "2");
    }
    if (materialized) {
      materialize();
    }
    merge(LIST, "b", "c", "a", "absent");

    assertSameAsSavepoint();
  }

  @Test
  void movesAReducedValueToAnotherWindow() throws Exception {
    state("key", "a", StringSerializer.INSTANCE, sum()).add(1L);
    merge(sum(), "target", "a", "absent");

    assertSameAsSavepoint();
  }

  /** Flink itself cannot, before the job has brought its function. */
  @Test
  void refusesToMergeReducedValues() throws Exception {
    for (String window : List.of("a", "b")) {
      state("key", window, StringSerializer.INSTANCE, sum()).add(1L);
    }
    merge(sum(), "target", "a", "b");
    Snapshot snapshot = heap.write(folder, snapshot());

    assertThatThrownBy(() -> HeapElementsTest.texts(snapshot))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNDECODABLE_STATE))
        .hasMessageContaining("state \"sum\"")
        .hasMessageContaining("only the job's own function can merge");
  }

  /** Both the log and key groups are read in parts. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isReadWithinLittleMemory(boolean materialized) throws Exception {
    change(0);
    if (materialized) {
      materialize();
    }
    change(7);
    Snapshot changelog = heap.write(folder.resolve("changelog"), snapshot());
    Snapshot savepoint = heap.write(folder.resolve("savepoint"), heap.canonicalSnapshot());

    assertThat(HeapElementsTest.texts(within(changelog, 8 * 5000)))
        .containsExactlyInAnyOrderElementsOf(HeapElementsTest.texts(savepoint));
  }

  @Test
  void saysThatOneKeyNeedsMoreMemoryThanThereIs() throws Exception {
    change(0);
    Snapshot changelog = heap.write(folder.resolve("changelog"), snapshot());

    assertThatThrownBy(() -> HeapElementsTest.texts(within(changelog, 8 * 250)))
        .isInstanceOfSatisfying(
            StateSqlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT))
        .hasMessageMatching(
            "(?s)Operator .*, subtask 0, key group [0-9]+: what the changelog in .*_metadata and"
                + " its base hold for one key takes more memory than the 250 bytes that it may;"
                + " allow more with the option memory.*");
  }

  private static Snapshot within(Snapshot snapshot, long memory) {
    return snapshot.within(snapshot.scan().within(new ScanLimits(memory, 1)));
  }

  private void assertSameAsSavepoint() throws Exception {
    Snapshot changelog = heap.write(folder.resolve("changelog"), snapshot());
    Snapshot savepoint = heap.write(folder.resolve("savepoint"), heap.canonicalSnapshot());
    assertThat(KeyedSplits.of(changelog, changelog.metadata().operators().get(0)))
        .extracting(KeyedSplit::layout)
        .containsExactly(KeyedLayout.CHANGELOG);
    assertThat(HeapElementsTest.texts(changelog))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(HeapElementsTest.texts(savepoint));
  }

  private static ReducingStateDescriptor<Long> sum() {
    return new ReducingStateDescriptor<>("sum", Long::sum, LongSerializer.INSTANCE);
  }

  /** Adds, replaces and removes something of all kinds; what, depends on the number. */
  private void change(int first) throws Exception {
    for (int i = first; i < first + 20; i++) {
      String key = "key" + i;
      changeValue(key, i);
      changeList(key, i);
      changeMap(key, i);
      backend.setCurrentKey(key);
      timers.add(new TimerHeapInternalTimer<>(i, key, NONE));
      timers.add(new TimerHeapInternalTimer<>(100L, key, NONE));
      if (i % 5 == 0) {
        timers.remove(new TimerHeapInternalTimer<>(i, key, NONE));
      }
    }
    backend.setCurrentKey(timers.peek().getKey());
    timers.poll();
  }

  private static TypeSerializer<TimerHeapInternalTimer<String, VoidNamespace>> timerSerializer() {
    return new TimerSerializer<>(StringSerializer.INSTANCE, NO_NAMESPACE);
  }

  private void changeValue(String key, int i) throws Exception {
    ValueState<Long> value =
        state(
            key, NONE, NO_NAMESPACE, new ValueStateDescriptor<>("value", LongSerializer.INSTANCE));
    if (i % 4 == 0) {
      value.clear();
    } else {
      value.update(value.value() == null ? i : value.value() + 1000L);
    }
    state(key, "ns", StringSerializer.INSTANCE, sum()).add((long) i);
  }

  private void changeList(String key, int i) throws Exception {
    ListState<String> list = state(key, "ns" + i % 2, StringSerializer.INSTANCE, LIST);
    switch (i % 4) {
      case 0 -> list.clear();
      case 1 -> list.update(List.of("x", "y"));
      case 2 -> list.addAll(List.of("a" + i, "b"));
      default -> list.add("c" + i);
    }
  }

  private void changeMap(String key, int i) throws Exception {
    MapState<String, String> map =
        state(
            key,
            NONE,
            NO_NAMESPACE,
            new MapStateDescriptor<>("map", StringSerializer.INSTANCE, StringSerializer.INSTANCE));
    Map<String, String> entries = new HashMap<>();
    entries.put("all" + i, "v");
    entries.put("null", null);
    map.putAll(entries);
    map.put("one", "w" + i);
    if (i % 3 == 0) {
      map.remove("one");
    }
    if (i % 8 == 0) {
      map.clear();
    }
  }

  private <N, S extends State> S state(
      String key, N namespace, TypeSerializer<N> namespaces, StateDescriptor<S, ?> descriptor)
      throws Exception {
    backend.setCurrentKey(key);
    return backend.getPartitionedState(namespace, namespaces, descriptor);
  }

  private void merge(StateDescriptor<?, ?> descriptor, String target, String... sources)
      throws Exception {
    @SuppressWarnings("unchecked")
    InternalMergingState<String, String, ?, ?, ?> merging =
        (InternalMergingState<String, String, ?, ?, ?>)
            state("key", target, StringSerializer.INSTANCE, descriptor);
    merging.mergeNamespaces(target, Arrays.asList(sources));
  }

  private void materialize() throws Exception {
    var materialization = backend.initMaterialization().orElseThrow();
    backend.handleMaterializationResult(
        SnapshotResult.of(heap.nativeSnapshot()),
        materialization.getMaterializationID(),
        materialization.getMaterializedTo());
  }

  private KeyedStateHandle snapshot() throws Exception {
    var snapshot =
        backend.snapshot(
            1,
            1,
            HeapBackend.streams(),
            new CheckpointOptions(
                CheckpointType.CHECKPOINT, CheckpointStorageLocationReference.getDefault()));
    snapshot.run();
    return snapshot.get().getJobManagerOwnedSnapshot();
  }

  /** Keeps materialized state in memory. */
  private static CheckpointStorageWorkerView storage() {
    return (CheckpointStorageWorkerView)
        Proxy.newProxyInstance(
            ChangelogElementsTest.class.getClassLoader(),
            new Class<?>[] {CheckpointStorageWorkerView.class},
            (proxy, method, arguments) ->
                HeapBackend.streams()
                    .createCheckpointStateOutputStream(CheckpointedStateScope.SHARED));
  }
}
