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

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.Cancellation;
import io.statesql.HostContext;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyedStateHandle.KeyGroupStream;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.type.KeyGroups;
import io.statesql.type.StateOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a written savepoint holds, for our reader and for Flink's own restore. */
class SavepointWriterTest {
  private static final int KEYS = 60;

  @TempDir Path folder;

  /**
   * All keyed state: of each state, the bytes at each address; of a list, those of its elements.
   */
  private static final class Model extends TreeMap<String, Map<EntryAddress, List<Bytes>>> {
    private static final long serialVersionUID = 1L;

    static Model of(Snapshot snapshot) {
      Model model = new Model();
      OperatorState operator = snapshot.metadata().operators().get(0);
      for (KeyedSplit split : KeyedSplits.of(snapshot, operator)) {
        BitSet all = new BitSet();
        all.set(0, split.header().states().size());
        try (KeyedElements elements = KeyedSplits.open(snapshot, split, all)) {
          while (elements.next()) {
            KeyedElement element = elements.element();
            model
                .entries(element.state().name())
                .computeIfAbsent(EntryAddress.of(element), unknown -> new ArrayList<>())
                .add(element.valueIsNull() ? NULL : Bytes.rest(element.value()));
          }
        }
      }
      return model;
    }

    Map<EntryAddress, List<Bytes>> entries(String state) {
      return computeIfAbsent(state, unknown -> new TreeMap<>());
    }

    void apply(String state, EntryAddress address, EntryChange change) {
      if (change instanceof EntryChange.Put put) {
        entries(state).put(address, List.of(put.value() == null ? NULL : put.value()));
      } else if (change instanceof EntryChange.PutList list) {
        entries(state).put(address, list.elements());
      } else {
        entries(state).remove(address);
      }
    }
  }

  /** Stands in a model for the null value of a map entry. */
  private static final Bytes NULL = Bytes.copyOf(new byte[] {-1, -1, -1});

  private static Bytes text(String text) {
    StateOutput out = new StateOutput();
    out.writeByte(text.length() + 1);
    out.writeBytes(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return Bytes.copyOf(out.toByteArray());
  }

  private static Bytes number(long number) {
    StateOutput out = new StateOutput();
    out.writeLong(number);
    return Bytes.copyOf(out.toByteArray());
  }

  /** Random changes, of which some hit what is there and some do not. */
  private static final class Script {
    private static final Bytes VOID = Bytes.copyOf(new byte[1]);

    private final Random random;
    private final int maxParallelism;

    Script(long seed, int maxParallelism) {
      this.random = new Random(seed);
      this.maxParallelism = maxParallelism;
    }

    void run(int steps, Model model, SnapshotChanges changes, Snapshot base) {
      var operator = changes.operator(base.metadata().operators().get(0).id());
      for (int i = 0; i < steps; i++) {
        String key = "key" + random.nextInt(KEYS * 3 / 2);
        int group = KeyGroups.of(key.hashCode(), maxParallelism);
        boolean remove = random.nextInt(3) == 0;
        String state = List.of("v", "l", "m", "scoped", EditForm.TIMERS).get(random.nextInt(5));
        Bytes namespace = state.equals("scoped") ? text("scope" + random.nextInt(3)) : VOID;
        EntryAddress address =
            switch (state) {
              case "m" ->
                  EntryAddress.ofMapEntry(
                      group, text(key), namespace, text("u" + random.nextInt(5)));
              case EditForm.TIMERS ->
                  EntryAddress.ofTimer(group, text(key), namespace, random.nextInt(KEYS) - 5);
              default -> EntryAddress.of(group, text(key), namespace);
            };
        EntryChange change = remove ? EntryChange.REMOVE : put(state);
        operator.change(state, address, change);
        model.apply(state, address, change);
      }
    }

    private EntryChange put(String state) {
      return switch (state) {
        case "v" -> new EntryChange.Put(number(random.nextLong()));
        case "l" -> {
          List<Bytes> elements = new ArrayList<>();
          for (int left = random.nextInt(3); left >= 0; left--) {
            elements.add(text("n" + random.nextInt(100)));
          }
          yield new EntryChange.PutList(elements);
        }
        case "m" -> new EntryChange.Put(random.nextInt(4) == 0 ? null : text("new"));
        case EditForm.TIMERS -> new EntryChange.Put(Bytes.EMPTY);
        default -> new EntryChange.Put(text("scoped" + random.nextInt(100)));
      };
    }
  }

  private static EditReport commit(Snapshot base, SnapshotChanges changes, Path target) {
    return new SavepointWriter(base, changes, Cancellation.NEVER, CommitProgress.NONE)
        .write(target, new CommitRecord(Instant.EPOCH, "me", List.of("UPDATE it")));
  }

  @ParameterizedTest
  @EnumSource
  void withoutChangesEverythingIsWhatItWas(EditForm form) throws Exception {
    Snapshot base = form.write(folder.resolve("base"), 128, KEYS);
    try (SnapshotChanges none = new SnapshotChanges(HostContext.ofThisProcess())) {
      EditReport report = commit(base, none, folder.resolve("edited"));
      assertThat(report.bytesRewritten()).isZero();
    }
    assertThat(Model.of(Snapshot.open(folder.resolve("edited").toString())))
        .isEqualTo(Model.of(base));
  }

  @ParameterizedTest
  @CsvSource({
    "CANONICAL, 1",
    "CANONICAL, 128",
    "CANONICAL, 4096",
    "CANONICAL_COMPRESSED, 16",
    "HEAP, 1",
    "HEAP, 128",
    "HEAP_COMPRESSED, 16",
    "ROCKSDB_FILES, 128",
    "ROCKSDB_FILES, 4096",
    "ROCKSDB_INLINED, 16",
  })
  void holdsWhatAnEditScriptMakesOfTheState(EditForm form, int maxParallelism) throws Exception {
    Snapshot base = form.write(folder.resolve("base"), maxParallelism, KEYS);
    Model before = Model.of(base);
    assertThat(before).containsKeys("v", "l", "m", "scoped", EditForm.TIMERS);
    Model model = Model.of(base);
    for (int round = 1; round <= 3; round++) {
      Path target = folder.resolve("edited" + round);
      try (SnapshotChanges changes =
          new SnapshotChanges(HostContext.ofThisProcess(), round == 2 ? 1000 : 1 << 20)) {
        new Script(round, maxParallelism).run(40 * round, model, changes, base);
        commit(base, changes, target);
      }
      Snapshot edited = Snapshot.open(target.toString());
      assertThat(Model.of(edited)).isEqualTo(model);
      Snapshot again =
          form.restoreAndWrite(target, folder.resolve("again" + round), maxParallelism);
      assertThat(Model.of(again)).as("what Flink restores").isEqualTo(model);
      base = edited;
    }
    assertThat(Model.of(Snapshot.open(base(form)))).as("the source").isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "CANONICAL_COMPRESSED", "HEAP", "HEAP_COMPRESSED"})
  void keyGroupsThatDoNotChangeAreCopiedByteForByte(EditForm form) throws Exception {
    Snapshot base = form.write(folder.resolve("base"), 128, KEYS);
    int changed = KeyGroups.of("key4".hashCode(), 128);
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      changes
          .operator(base.metadata().operators().get(0).id())
          .change(
              "v",
              EntryAddress.of(changed, text("key4"), Bytes.copyOf(new byte[1])),
              new EntryChange.Put(number(-1)));
      EditReport report = commit(base, changes, folder.resolve("edited"));
      assertThat(report.keyGroups()).isEqualTo(1);
      assertThat(report.bytesRewritten()).isLessThan(report.bytesCopied());
    }
    List<byte[]> before = keyGroups(base);
    List<byte[]> after = keyGroups(Snapshot.open(folder.resolve("edited").toString()));
    assertThat(after).hasSameSizeAs(before);
    for (int i = 0; i < before.size(); i++) {
      if (i == changed) {
        assertThat(after.get(i)).isNotEqualTo(before.get(i));
      } else {
        assertThat(after.get(i)).as("key group %d", i).isEqualTo(before.get(i));
      }
    }
  }

  /** The bytes of each key group, in the order of the handle, in which the file has them too. */
  private static List<byte[]> keyGroups(Snapshot snapshot) {
    KeyGroupStream handle =
        (KeyGroupStream)
            snapshot.metadata().operators().get(0).subtasks().get(0).managedKeyedState();
    List<byte[]> bytes = new ArrayList<>();
    try (StateFile file = snapshot.open(handle.delegate())) {
      long[] starts = handle.offsets().toArray();
      for (int i = 0; i < starts.length; i++) {
        long end = file.length();
        for (int next = i + 1; next < starts.length; next++) {
          end = starts[next] > 0 ? Math.min(end, starts[next]) : end;
        }
        byte[] group = new byte[starts[i] > 0 ? (int) (end - starts[i]) : 0];
        if (group.length > 0) {
          file.seek(starts[i]);
          file.readFully(group, 0, group.length);
        }
        bytes.add(group);
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void opensWithItsSourceDeletedAndItselfMoved(EditForm form) throws Exception {
    Snapshot base = form.write(folder.resolve("base"), 16, KEYS);
    Model model = Model.of(base);
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      new Script(1, 16).run(20, model, changes, base);
      commit(base, changes, folder.resolve("edited"));
    }
    try (Stream<Path> files = Files.walk(folder.resolve("base"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    Path moved = Files.createDirectory(folder.resolve("elsewhere")).resolve("moved");
    Files.move(folder.resolve("edited"), moved);
    Snapshot edited = Snapshot.open(moved.toString());
    assertThat(edited.isEdited()).isTrue();
    assertThat(Model.of(edited)).isEqualTo(model);
    assertThat(Model.of(form.restoreAndWrite(moved, folder.resolve("again"), 16))).isEqualTo(model);
  }

  private String base(EditForm form) {
    Path base = folder.resolve("base");
    return form.name().startsWith("ROCKSDB") ? base.resolve("chk-1").toString() : base.toString();
  }
}
