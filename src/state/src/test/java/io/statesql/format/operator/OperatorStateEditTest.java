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
package io.statesql.format.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.Cancellation;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import io.statesql.edit.CommitProgress;
import io.statesql.edit.CommitRecord;
import io.statesql.edit.EditReport;
import io.statesql.edit.EditedCodecs;
import io.statesql.edit.OperatorChanges;
import io.statesql.edit.SavepointWriter;
import io.statesql.edit.SnapshotChanges;
import io.statesql.format.model.EntryChange;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.StateOutput;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.state.DefaultOperatorStateBackend;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits of operator state, as Flink restores them. */
class OperatorStateEditTest {
  private static final ListStateDescriptor<Long> SPLIT =
      new ListStateDescriptor<>("split", LongSerializer.INSTANCE);
  private static final ListStateDescriptor<String> UNION =
      new ListStateDescriptor<>("union", StringSerializer.INSTANCE);
  private static final MapStateDescriptor<String, Long> RULES =
      new MapStateDescriptor<>("rules", StringSerializer.INSTANCE, LongSerializer.INSTANCE);

  private final Codec longs = longCodec();
  private final Codec texts = textCodec();

  @TempDir Path folder;

  @BeforeEach
  void createBase() throws IOException {
    Files.createDirectory(folder.resolve("base"));
  }

  private Snapshot base(boolean compressed) throws Exception {
    OperatorStateWriter writer = new OperatorStateWriter(compressed);
    for (long subtask = 0; subtask < 2; subtask++) {
      long first = 10 * subtask;
      writer.add(
          store -> {
            store.getListState(SPLIT).addAll(List.of(first, first + 1, first + 2));
            store.getUnionListState(UNION).addAll(List.of("u" + first));
            store.getBroadcastState(RULES).putAll(Map.of("a", 1L, "b", 2L));
          });
    }
    return Snapshot.open(writer.write(folder.resolve("base")).toString());
  }

  private static Codec longCodec() {
    return codec(SPLIT);
  }

  private static Codec textCodec() {
    return codec(UNION);
  }

  private static Codec codec(ListStateDescriptor<?> descriptor) {
    descriptor.initializeSerializerUnlessSet(new ExecutionConfig());
    return EditedCodecs.of(descriptor.getElementSerializer());
  }

  private static Bytes bytes(Codec codec, Object value) {
    StateOutput out = new StateOutput();
    codec.write(value, out);
    return Bytes.copyOf(out.toByteArray());
  }

  private EditReport commit(Snapshot base, SnapshotChanges changes) {
    return new SavepointWriter(base, changes, Cancellation.NEVER, CommitProgress.NONE)
        .write(folder.resolve("edited"), new CommitRecord(Instant.EPOCH, "", List.of()));
  }

  private static OperatorChanges changesOf(Snapshot base, SnapshotChanges changes) {
    return changes.operator(base.metadata().operators().get(0).id());
  }

  private interface Use {
    void of(OperatorStateStore store) throws Exception;
  }

  /** Lets Flink restore the operator state of a subtask. */
  private void restored(int subtask, Use use) throws Exception {
    Path edited = folder.resolve("edited");
    try (var in = new DataInputStream(Files.newInputStream(edited.resolve("_metadata")))) {
      var state =
          Checkpoints.loadCheckpointMetadata(
                  in, OperatorStateEditTest.class.getClassLoader(), edited.toUri().toString())
              .getOperatorStates()
              .iterator()
              .next()
              .getState(subtask);
      DefaultOperatorStateBackend backend =
          new DefaultOperatorStateBackendBuilder(
                  OperatorStateEditTest.class.getClassLoader(),
                  new ExecutionConfig(),
                  false,
                  List.copyOf(state.getManagedOperatorState()),
                  new CloseableRegistry())
              .build();
      try {
        use.of(backend);
      } finally {
        backend.close();
        backend.dispose();
      }
    }
  }

  private static <T> List<T> list(Iterable<T> elements) {
    List<T> list = new ArrayList<>();
    elements.forEach(list::add);
    return list;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void flinkRestoresEditedListsAndBroadcastState(boolean compressed) throws Exception {
    Snapshot base = base(compressed);
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      OperatorChanges operator = changesOf(base, changes);
      operator.putList(
          "split", 1, Stream.of(5L, 6L, 7L, 8L).map(value -> bytes(longs, value)).toList());
      operator.putList("union", 0, List.of());
      operator.changeBroadcast("rules", bytes(texts, "a"), EntryChange.REMOVE);
      operator.changeBroadcast("rules", bytes(texts, "c"), new EntryChange.Put(bytes(longs, 3L)));
      EditReport report = commit(base, changes);
      assertThat(report.entriesPut()).isEqualTo(5);
      assertThat(report.entriesRemoved()).isEqualTo(1);
    }
    restored(
        0,
        store -> {
          assertThat(list(store.getListState(SPLIT).get())).containsExactly(0L, 1L, 2L);
          assertThat(list(store.getUnionListState(UNION).get())).isEmpty();
          assertThat(entries(store)).isEqualTo(Map.of("b", 2L, "c", 3L));
        });
    restored(
        1,
        store -> {
          assertThat(list(store.getListState(SPLIT).get())).containsExactly(5L, 6L, 7L, 8L);
          assertThat(list(store.getUnionListState(UNION).get())).containsExactly("u10");
          assertThat(entries(store)).isEqualTo(Map.of("b", 2L, "c", 3L));
        });
  }

  private static Map<String, Long> entries(OperatorStateStore store) throws Exception {
    Map<String, Long> entries = new HashMap<>();
    store
        .getBroadcastState(RULES)
        .entries()
        .forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  @Test
  void dropsAnOperator() throws Exception {
    Snapshot base = base(false);
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      changesOf(base, changes).drop();
      EditReport report = commit(base, changes);
      assertThat(report.operators()).containsExactly(OperatorStateWriter.UID);
    }
    assertThat(Snapshot.open(folder.resolve("edited").toString()).metadata().operators()).isEmpty();
  }

  @Test
  void planSaysWhatWriteDoesAndWritesNothing() throws Exception {
    Snapshot base = base(false);
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      changesOf(base, changes).putList("split", 0, List.of(bytes(longs, 1L)));
      EditReport plan =
          new SavepointWriter(base, changes, Cancellation.NEVER, CommitProgress.NONE).plan();
      assertThat(plan.savepoint()).isNull();
      assertThat(plan.bytesRewritten()).isEqualTo(3 * Long.BYTES);
      assertThat(folder.toFile().list()).containsExactly("base");
      EditReport report = commit(base, changes);
      assertThat(report.states()).isEqualTo(plan.states());
      assertThat(report.entriesPut()).isEqualTo(plan.entriesPut()).isEqualTo(1);
    }
  }

  @Test
  void refusesATargetThatIsThereAndLeavesNothingBehind() throws Exception {
    Snapshot base = base(false);
    Files.createDirectory(folder.resolve("edited"));
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      assertThatThrownBy(() -> commit(base, changes))
          .isInstanceOf(StateSqlException.class)
          .hasMessageContaining("already");
    }
    assertThat(folder.resolve("edited")).isEmptyDirectory();
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("base", "edited");
  }

  @Test
  void leavesNothingBehindWhenItIsCanceled() throws Exception {
    Snapshot base = base(false);
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      int[] checks = {0};
      Cancellation canceled =
          () -> {
            if (checks[0]++ >= 1) {
              throw new StateSqlException(io.statesql.ErrorCode.CANCELED, "canceled");
            }
          };
      changesOf(base, changes).putList("split", 0, List.of(bytes(longs, 1L)));
      assertThatThrownBy(
              () ->
                  new SavepointWriter(base, changes, canceled, CommitProgress.NONE)
                      .write(
                          folder.resolve("edited"), new CommitRecord(Instant.EPOCH, "", List.of())))
          .hasMessage("canceled");
    }
    assertThat(folder.toFile().list()).containsExactly("base");
  }

  @Test
  void refusesAnElementForASubtaskThatKnowsNothingOfTheState() throws Exception {
    OperatorStateWriter writer = new OperatorStateWriter(false);
    writer.add(store -> store.getListState(SPLIT).addAll(Arrays.asList(1L, 2L)));
    writer.add(store -> store.getUnionListState(UNION).add("u"));
    Snapshot base = Snapshot.open(writer.write(folder.resolve("base")).toString());
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      changesOf(base, changes).putList("split", 1, List.of(bytes(longs, 1L)));
      assertThatThrownBy(() -> commit(base, changes))
          .isInstanceOf(StateSqlException.class)
          .hasMessageContaining("subtask 1")
          .hasMessageContaining("split");
    }
    assertThat(folder.toFile().list()).containsExactly("base");
  }
}
