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

import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedChange;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.split.KeyedForms;
import io.statesql.format.split.KeyedSplits;
import io.statesql.format.split.OperatorSplits;
import io.statesql.format.split.RawTimerSplits;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which handles of an operator the changes go to. Refuses changes that have no place: nothing is
 * written then.
 */
final class OperatorEdit {
  private final Snapshot base;
  private final OperatorState operator;
  private final OperatorChanges changes;
  private final EditTally tally;

  /** By subtask. */
  private final Map<Integer, KeyedEdit> managed = new TreeMap<>();

  private final Map<Integer, KeyedEdit> rawTimers = new TreeMap<>();
  private final Map<Integer, OperatorStateEdit> operatorStates = new TreeMap<>();

  private OperatorEdit(
      Snapshot base, OperatorState operator, OperatorChanges changes, EditTally tally) {
    this.base = base;
    this.operator = operator;
    this.changes = changes;
    this.tally = tally;
  }

  /**
   * Reads the headers of the operator's state and finds a place for each change.
   *
   * @param tally counts the changes, but no bytes
   */
  static OperatorEdit of(
      Snapshot base, OperatorState operator, OperatorChanges changes, EditTally tally) {
    OperatorEdit edit = new OperatorEdit(base, operator, changes, tally);
    edit.placeKeyed();
    edit.placeOperatorState();
    return edit;
  }

  @Nullable KeyedEdit managed(int subtask) {
    return managed.get(subtask);
  }

  @Nullable KeyedEdit rawTimers(int subtask) {
    return rawTimers.get(subtask);
  }

  /** All edits of keyed state and of raw timers. */
  Stream<KeyedEdit> keyed() {
    return Stream.concat(managed.values().stream(), rawTimers.values().stream());
  }

  @Nullable OperatorStateEdit operatorState(int subtask) {
    return operatorStates.get(subtask);
  }

  /** Adds what the changed parts take now to the bytes that would be written anew. */
  void estimate() {
    keyed()
        .map(edit -> KeyedForms.of(edit.split()).size(base, edit))
        .forEach(
            size -> {
              tally.rewritten(size.bytes());
              tally.rewrittenFiles(size.files());
            });
    for (OperatorStateEdit edit : operatorStates.values()) {
      tally.rewritten(edit.bytes(base));
      tally.rewrittenFile(edit.stream());
    }
  }

  // ---- keyed state ----

  private void placeKeyed() {
    if (changes.keyedStates().isEmpty()) {
      return;
    }
    List<KeyedSplit> managedSplits = KeyedSplits.of(base, operator);
    List<KeyedSplit> rawSplits = RawTimerSplits.of(base, operator);
    BitSet touched = new BitSet();
    for (String state : changes.keyedStates()) {
      tally.state(operator.uidOrId(), state);
      boolean isManaged = managedSplits.stream().anyMatch(split -> find(split, state) != null);
      place(state, isManaged ? managedSplits : rawSplits, isManaged ? managed : rawTimers, touched);
    }
    tally.keys(countKeys(), touched.cardinality());
  }

  private long countKeys() {
    List<PeekingIterator<KeyedChange>> states =
        changes.keyedStates().stream()
            .map(changes::changesByKeyGroup)
            .map(Iterators::peekingIterator)
            .toList();
    Set<Bytes> keys = new HashSet<>();
    long count = 0;
    OptionalInt keyGroup = firstKeyGroup(states);
    while (keyGroup.isPresent()) {
      keys.clear();
      for (PeekingIterator<KeyedChange> state : states) {
        while (state.hasNext() && state.peek().address().keyGroup() == keyGroup.getAsInt()) {
          base.scan().cancellation().check();
          keys.add(state.next().address().key());
        }
      }
      count += keys.size();
      keyGroup = firstKeyGroup(states);
    }
    return count;
  }

  private static OptionalInt firstKeyGroup(List<PeekingIterator<KeyedChange>> states) {
    return states.stream()
        .filter(Iterator::hasNext)
        .mapToInt(state -> state.peek().address().keyGroup())
        .min();
  }

  private void place(
      String state, List<KeyedSplit> splits, Map<Integer, KeyedEdit> edits, BitSet allTouched) {
    long put = 0;
    long removed = 0;
    Iterator<KeyedChange> iterator = changes.changesByKeyGroup(state);
    int keyGroup = -1;
    boolean hasPlace = false;
    while (iterator.hasNext()) {
      base.scan().cancellation().check();
      KeyedChange change = iterator.next();
      boolean isPut = !(change.change() instanceof EntryChange.Remove);
      if (change.address().keyGroup() != keyGroup) {
        keyGroup = change.address().keyGroup();
        hasPlace = place(state, keyGroup, splits, edits);
        if (hasPlace) {
          allTouched.set(keyGroup);
        }
      }
      if (isPut && !hasPlace) {
        throw noPlace(state, keyGroup);
      }
      put += isPut ? 1 : 0;
      removed += isPut ? 0 : 1;
    }
    tally.entries(put, removed);
  }

  /** Notes that a state changes in a key group; false if no handle holds both. */
  private boolean place(
      String state, int keyGroup, List<KeyedSplit> splits, Map<Integer, KeyedEdit> edits) {
    for (KeyedSplit split : splits) {
      KeyedStateMeta meta = find(split, state);
      if (meta != null && split.handle().keyGroups().contains(keyGroup)) {
        edits
            .computeIfAbsent(
                split.subtask(),
                unknown -> new KeyedEdit(split, changes::changes, new LinkedHashMap<>()))
            .touched()
            .computeIfAbsent(meta, unknown -> new BitSet())
            .set(keyGroup);
        return true;
      }
    }
    return false;
  }

  private static @Nullable KeyedStateMeta find(KeyedSplit split, String state) {
    return split.header().states().stream()
        .filter(meta -> meta.name().equals(state))
        .findFirst()
        .orElse(null);
  }

  private StateSqlException noPlace(String state, int keyGroup) {
    return refuse(
        "state \""
            + state
            + "\" has no place in key group "
            + keyGroup
            + ": the subtask that has it stored nothing of this state, not even its serializers."
            + " Let the job register the state in all of its subtasks and take another savepoint");
  }

  // ---- operator state ----

  private void placeOperatorState() {
    if (changes.listStates().isEmpty() && changes.broadcastStates().isEmpty()) {
      return;
    }
    Map<Integer, OperatorSplit> splits = new LinkedHashMap<>();
    OperatorSplits.of(base, operator).forEach(split -> splits.put(split.subtask(), split));
    for (String state : changes.listStates()) {
      tally.state(operator.uidOrId(), state);
      changes
          .lists(state)
          .forEach((subtask, elements) -> placeList(splits.get(subtask), subtask, state, elements));
    }
    for (String state : changes.broadcastStates()) {
      tally.state(operator.uidOrId(), state);
      placeBroadcast(splits, state, changes.broadcasts(state));
    }
  }

  private void placeList(
      @Nullable OperatorSplit split, int subtask, String state, List<Bytes> elements) {
    if (split == null || split.header().state(state).isEmpty()) {
      if (elements.isEmpty()) {
        return;
      }
      throw refuse(
          "subtask "
              + subtask
              + " stored nothing of the state \""
              + state
              + "\", not even its serializers, so that it can be given no elements; give them to"
              + " another subtask");
    }
    edit(split).putList(state, elements);
    tally.entries(elements.size(), 0);
  }

  private void placeBroadcast(
      Map<Integer, OperatorSplit> splits, String state, Map<Bytes, EntryChange> entries) {
    List<OperatorSplit> copies = new ArrayList<>();
    for (OperatorSplit split : splits.values()) {
      if (split.header().state(state).isPresent()) {
        copies.add(split);
      }
    }
    if (copies.isEmpty()) {
      throw refuse("no subtask stored the state \"" + state + "\"");
    }
    copies.forEach(split -> edit(split).changeBroadcast(state, entries));
    long removed = entries.values().stream().filter(EntryChange.Remove.class::isInstance).count();
    tally.entries(entries.size() - removed, removed);
  }

  private OperatorStateEdit edit(OperatorSplit split) {
    return operatorStates.computeIfAbsent(split.subtask(), unknown -> new OperatorStateEdit(split));
  }

  private StateSqlException refuse(String reason) {
    return new StateSqlException(
        ErrorCode.UNSUPPORTED_STATEMENT,
        "Operator \"" + operator.uidOrId() + "\": " + reason + ".");
  }
}
