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

import com.google.common.primitives.ImmutableLongArray;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.operator.OperatorStateFile;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.OperatorStateHandle;
import io.statesql.snapshot.OperatorStateHandle.Mode;
import io.statesql.snapshot.OperatorStateHandle.NamedState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StreamHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What changes in the operator state of one subtask. Not thread-safe. */
final class OperatorStateEdit {
  private final OperatorSplit split;
  private final Map<String, List<Bytes>> lists = new LinkedHashMap<>();
  private final Map<String, Map<Bytes, EntryChange>> broadcasts = new LinkedHashMap<>();

  OperatorStateEdit(OperatorSplit split) {
    this.split = split;
  }

  OperatorSplit split() {
    return split;
  }

  boolean isEmpty() {
    return lists.isEmpty() && broadcasts.isEmpty();
  }

  void putList(String state, List<Bytes> elements) {
    lists.put(state, elements);
  }

  void changeBroadcast(String state, Map<Bytes, EntryChange> changes) {
    OperatorStateMeta meta = split.header().state(state).orElseThrow();
    if (!meta.isSeparable()) {
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "Operator \""
              + split.operator().uidOrId()
              + "\", state \""
              + state
              + "\": its entries cannot be told apart without the job's classes, so none of them"
              + " can be changed.");
    }
    broadcasts.put(state, changes);
  }

  /** Bytes of the states that change, as they are stored. */
  long bytes(Snapshot base) {
    try (OperatorStateFile file = OperatorStateFile.open(base, split)) {
      return split.header().states().stream()
          .filter(state -> isChanged(state.name()))
          .mapToLong(state -> file.length(state.name()))
          .sum();
    }
  }

  /** What is written anew. */
  StreamHandle stream() {
    return split.handle().delegate();
  }

  private boolean isChanged(String state) {
    return lists.containsKey(state) || broadcasts.containsKey(state);
  }

  OperatorStateHandle write(Snapshot base, SavepointFolder folder, EditTally tally) {
    try (OperatorStateFile file = OperatorStateFile.open(base, split);
        EditedFile edited = new EditedFile(folder, tally)) {
      file.copyHeader(edited.out());
      List<NamedState> states = new ArrayList<>();
      long rewritten = 0;
      for (OperatorStateMeta state : inFileOrder(file)) {
        long start = edited.position();
        if (lists.containsKey(state.name())) {
          states.add(writeList(state, file, edited));
          rewritten += edited.position() - start;
        } else if (broadcasts.containsKey(state.name())) {
          Map<Bytes, Bytes> entries = file.entries(state);
          merge(entries, broadcasts.get(state.name()));
          file.write(OperatorStateFile.ofEntries(entries), edited.out());
          states.add(named(state, ImmutableLongArray.of(start)));
          rewritten += edited.position() - start;
        } else {
          copy(state, file, edited, states);
        }
      }
      tally.rewritten(rewritten);
      tally.copied(edited.position() - rewritten);
      StreamHandle written = edited.finish(split.handle().delegate());
      return new OperatorStateHandle(states, null, written);
    } catch (IOException e) {
      throw folder.failure(e);
    }
  }

  /** States with elements as they lie in the file, those without before them. */
  private List<OperatorStateMeta> inFileOrder(OperatorStateFile file) {
    return split.header().states().stream()
        .sorted(Comparator.comparingLong(state -> file.start(state.name())))
        .toList();
  }

  private NamedState writeList(OperatorStateMeta state, OperatorStateFile file, EditedFile edited)
      throws IOException {
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
    for (Bytes element : lists.get(state.name())) {
      offsets.add(edited.position());
      file.write(element.toByteArray(), edited.out());
    }
    return named(state, offsets.build());
  }

  private static void merge(Map<Bytes, Bytes> entries, Map<Bytes, EntryChange> changes) {
    changes.forEach(
        (key, change) -> {
          if (change instanceof EntryChange.Put put) {
            entries.put(key, put.value());
          } else {
            entries.remove(key);
          }
        });
  }

  private void copy(
      OperatorStateMeta state, OperatorStateFile file, EditedFile edited, List<NamedState> states)
      throws IOException {
    for (NamedState old : split.handle().states()) {
      if (old.name().equals(state.name())) {
        long moved = edited.position() - file.start(state.name());
        states.add(
            new NamedState(
                old.name(),
                old.mode(),
                ImmutableLongArray.copyOf(old.offsets().stream().map(at -> at + moved))));
        file.copy(state.name(), edited.out());
      }
    }
  }

  private static NamedState named(OperatorStateMeta state, ImmutableLongArray offsets) {
    return new NamedState(state.name(), mode(state.kind()), offsets);
  }

  private static Mode mode(StateKind kind) {
    return switch (kind) {
      case UNION_LIST -> Mode.UNION;
      case BROADCAST -> Mode.BROADCAST;
      default -> Mode.SPLIT_DISTRIBUTE;
    };
  }
}
