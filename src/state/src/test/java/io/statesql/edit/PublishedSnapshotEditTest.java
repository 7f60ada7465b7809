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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.operator.OperatorElements;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedSplits;
import io.statesql.format.split.OperatorSplits;
import io.statesql.format.split.RawTimerSplits;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Edits of the snapshots in Flink's published test jars: every version, form and kind of state. */
class PublishedSnapshotEditTest {
  private static final Path ROOT = Path.of("target", "flink-tests", "2.3.0");

  @TempDir Path folder;

  static List<Path> snapshots() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.getFileName().toString().equals("_metadata"))
          .map(Path::getParent)
          .sorted()
          .toList();
    }
  }

  /** All state, by operator and state: the bytes at each address, each element of a list apart. */
  private static Map<String, Map<Object, List<Bytes>>> read(Snapshot snapshot) {
    Map<String, Map<Object, List<Bytes>>> model = new TreeMap<>();
    for (OperatorState operator : snapshot.metadata().operators()) {
      List<KeyedSplit> splits = new ArrayList<>(KeyedSplits.of(snapshot, operator));
      splits.addAll(RawTimerSplits.of(snapshot, operator));
      for (KeyedSplit split : splits) {
        for (KeyedStateMeta state : split.header().states()) {
          Map<Object, List<Bytes>> entries =
              model.computeIfAbsent(operator.id() + "/" + state.name(), unknown -> new TreeMap<>());
          if (!readKeyed(snapshot, split, state, entries)) {
            model.remove(operator.id() + "/" + state.name());
          }
        }
      }
      for (OperatorSplit split : OperatorSplits.of(snapshot, operator)) {
        for (OperatorStateMeta state : split.header().states()) {
          readOperatorState(
              snapshot,
              split,
              state,
              model.computeIfAbsent(
                  operator.id() + "/" + state.kind() + "/" + state.name(),
                  unknown -> new TreeMap<>()));
        }
      }
    }
    return model;
  }

  /** Returns false if the elements cannot be told apart. */
  private static boolean readKeyed(
      Snapshot snapshot, KeyedSplit split, KeyedStateMeta state, Map<Object, List<Bytes>> entries) {
    BitSet wanted = new BitSet();
    wanted.set(state.id());
    try (KeyedElements elements =
        KeyedSplits.openStored(snapshot, split, wanted, ElementCondition.NONE)) {
      while (elements.next()) {
        KeyedElement element = elements.element();
        entries
            .computeIfAbsent(EntryAddress.of(element), unknown -> new ArrayList<>())
            .add(element.valueIsNull() ? Bytes.EMPTY : Bytes.rest(element.value()));
      }
      return true;
    } catch (StateSqlException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNDECODABLE_STATE);
      return false;
    }
  }

  private static void readOperatorState(
      Snapshot snapshot,
      OperatorSplit split,
      OperatorStateMeta state,
      Map<Object, List<Bytes>> entries) {
    try (OperatorElements elements = OperatorElements.open(snapshot, split, state, true)) {
      while (elements.next()) {
        entries
            .computeIfAbsent(split.subtask(), unknown -> new ArrayList<>())
            .add(Bytes.rest(elements.element().value()));
      }
    }
  }

  private static boolean hasChangelog(Snapshot snapshot) {
    return snapshot.metadata().operators().stream()
        .flatMap(operator -> operator.subtasks().stream())
        .anyMatch(
            subtask ->
                subtask.managedKeyedState() instanceof KeyedStateHandle.Changelog
                    || subtask.managedKeyedState() instanceof KeyedStateHandle.ChangelogPart);
  }

  private void commit(Snapshot base, SnapshotChanges changes, Path target) {
    new SavepointWriter(base, changes, Cancellation.NEVER, CommitProgress.NONE)
        .write(target, new CommitRecord(Instant.EPOCH, "", List.of()));
  }

  /** Removes, replaces and empties at random, and makes the model follow. */
  private static void edit(
      Map<String, Map<Object, List<Bytes>>> model, Snapshot base, SnapshotChanges changes) {
    Random random = new Random(11);
    model.forEach(
        (name, entries) -> {
          String[] parts = name.split("/", 3);
          OperatorChanges operator =
              changes.operator(base.metadata().findOperator(parts[0]).orElseThrow().id());
          boolean isList = parts[1].endsWith("_LIST");
          List<Object> places = new ArrayList<>(entries.keySet());
          for (Object place : places) {
            if (isList) {
              List<Bytes> elements = new ArrayList<>(entries.get(place));
              elements.remove(random.nextInt(elements.size()));
              operator.putList(parts[2], (int) place, elements);
              put(entries, place, elements);
            } else if (place instanceof EntryAddress address) {
              String state = name.substring(parts[0].length() + 1);
              List<Bytes> other = entries.get(places.get(random.nextInt(places.size())));
              switch (random.nextInt(3)) {
                case 0 -> {
                  operator.change(state, address, EntryChange.REMOVE);
                  entries.remove(place);
                }
                case 1 -> {
                  if (other != null
                      && other.size() == 1
                      && entries.get(place).size() == 1
                      && address.mapKey() == null) {
                    operator.change(state, address, put(base, parts[0], state, other));
                    entries.put(place, other);
                  }
                }
                default -> {
                  // Stays as it is.
                }
              }
            }
          }
        });
  }

  private static EntryChange put(Snapshot base, String operator, String state, List<Bytes> values) {
    OperatorState found = base.metadata().findOperator(operator).orElseThrow();
    boolean isList =
        KeyedSplits.of(base, found).stream()
            .flatMap(split -> split.header().states().stream())
            .anyMatch(meta -> meta.name().equals(state) && meta.kind() == StateKind.LIST);
    return isList ? new EntryChange.PutList(values) : new EntryChange.Put(values.get(0));
  }

  private static void put(Map<Object, List<Bytes>> entries, Object place, List<Bytes> elements) {
    if (elements.isEmpty()) {
      entries.remove(place);
    } else {
      entries.put(place, elements);
    }
  }

  static List<Path> someSnapshots() throws IOException {
    List<Path> all = snapshots();
    return IntStream.range(0, all.size()).filter(i -> i % 16 == 0).mapToObj(all::get).toList();
  }

  @ParameterizedTest
  @MethodSource("someSnapshots")
  void someHoldWhatTheEditsImply(Path path) {
    check(path);
  }

  @ParameterizedTest
  @MethodSource("snapshots")
  @Tag("proof")
  void allHoldWhatTheEditsImply(Path path) {
    check(path);
  }

  private void check(Path path) {
    Snapshot base = Snapshot.open(path.toString());
    try (SnapshotChanges none = new SnapshotChanges(HostContext.ofThisProcess());
        SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess(), 4000)) {
      if (hasChangelog(base)) {
        assertThatThrownBy(() -> commit(base, none, folder.resolve("same")))
            .isInstanceOf(StateSqlException.class)
            .hasMessageContaining("changelog");
        return;
      }
      var model = read(base);
      commit(base, none, folder.resolve("same"));
      assertThat(read(Snapshot.open(folder.resolve("same").toString()))).isEqualTo(model);

      edit(model, base, changes);
      commit(base, changes, folder.resolve("edited"));
      assertThat(read(Snapshot.open(folder.resolve("edited").toString()))).isEqualTo(model);
    }
  }
}
