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

import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedChange;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What changes in one operator: entries of keyed states and timers, elements of operator states, or
 * the whole operator goes. Of two changes of one thing the later wins. Not thread-safe.
 */
public final class OperatorChanges {
  private final ChangeSpill spill;
  private final Map<String, ChangeLog> keyed = new TreeMap<>();
  private final Map<String, SortedMap<Integer, List<Bytes>>> lists = new TreeMap<>();
  private final Map<String, SortedMap<Bytes, EntryChange>> broadcasts = new TreeMap<>();
  private boolean dropped;

  /** These changes as they are now; null if nobody asked since the last one. */
  private @Nullable OperatorChanges present;

  OperatorChanges(ChangeSpill spill) {
    this.spill = spill;
  }

  /** These changes as they are now, which later ones leave as it is. Not to be changed itself. */
  OperatorChanges asOfNow() {
    if (present == null) {
      OperatorChanges copy = new OperatorChanges(spill);
      copy.dropped = dropped;
      keyed.forEach((state, log) -> copy.keyed.put(state, log.asOfNow()));
      lists.forEach((state, bySubtask) -> copy.lists.put(state, new TreeMap<>(bySubtask)));
      broadcasts.forEach((state, byKey) -> copy.broadcasts.put(state, new TreeMap<>(byKey)));
      present = copy;
    }
    return present;
  }

  public boolean isEmpty() {
    return !dropped && keyed.isEmpty() && lists.isEmpty() && broadcasts.isEmpty();
  }

  /** Says that the operator goes, with all of its state. */
  public void drop() {
    present = null;
    dropped = true;
  }

  public boolean isDropped() {
    return dropped;
  }

  // ---- keyed state and timers ----

  /**
   * Changes an entry of a keyed state, or a timer.
   *
   * @param state as the header of the state names it: timers are called {@code
   *     _timer_state/event_SERVICE} and {@code _timer_state/processing_SERVICE}
   * @throws io.statesql.StateSqlException if the work folder cannot be written to
   */
  public void change(String state, EntryAddress address, EntryChange change) {
    present = null;
    keyed.computeIfAbsent(state, unknown -> spill.newLog()).put(address, change);
  }

  /** The names of the keyed states and timers that change. */
  public Set<String> keyedStates() {
    return Collections.unmodifiableSet(keyed.keySet());
  }

  /**
   * The changes of a keyed state within a range, each address once, in the order of {@link
   * EntryAddress}. Make no changes while the iterator is in use.
   *
   * @throws io.statesql.StateSqlException from the iterator, if the work folder cannot be read
   */
  public Iterator<KeyedChange> changes(String state, KeyGroupRange keyGroups) {
    ChangeLog log = keyed.get(state);
    return log == null ? Collections.emptyIterator() : log.iterator(keyGroups);
  }

  /** All changes of a keyed state, likewise. */
  public Iterator<KeyedChange> changes(String state) {
    return changes(state, ChangeLog.ALL);
  }

  /** All changes of a keyed state, likewise, but in the order of key groups alone. */
  Iterator<KeyedChange> changesByKeyGroup(String state) {
    ChangeLog log = keyed.get(state);
    return log == null ? Collections.emptyIterator() : log.byKeyGroup();
  }

  /**
   * Tells which entries of a keyed state change in a key group; to be asked about many of them.
   * Takes memory for the addresses of those that change.
   */
  public Predicate<EntryAddress> changedIn(String state, int keyGroup) {
    ChangeLog log = keyed.get(state);
    return log == null ? address -> false : log.changedIn(keyGroup);
  }

  /** What becomes of one entry; null if it does not change. */
  public @Nullable EntryChange find(String state, EntryAddress address) {
    ChangeLog log = keyed.get(state);
    return log == null ? null : log.find(address);
  }

  // ---- operator state ----

  /** Says which elements a subtask holds of a SPLIT_LIST or UNION_LIST, in this order. */
  public void putList(String state, int subtask, List<Bytes> elements) {
    present = null;
    lists.computeIfAbsent(state, unknown -> new TreeMap<>()).put(subtask, List.copyOf(elements));
  }

  /** The names of the SPLIT_LIST and UNION_LIST states that change. */
  public Set<String> listStates() {
    return Collections.unmodifiableSet(lists.keySet());
  }

  /** The new elements by subtask; those of subtasks that are not there do not change. */
  public SortedMap<Integer, List<Bytes>> lists(String state) {
    return Collections.unmodifiableSortedMap(lists.getOrDefault(state, new TreeMap<>()));
  }

  /**
   * Changes an entry of a BROADCAST state in the copies of all subtasks alike.
   *
   * @param change a {@link EntryChange.Put} of a value, or {@link EntryChange#REMOVE}
   */
  public void changeBroadcast(String state, Bytes mapKey, EntryChange change) {
    if (change instanceof EntryChange.PutList
        || (change instanceof EntryChange.Put put && put.value() == null)) {
      throw new IllegalArgumentException("No entry of a BROADCAST state: " + change);
    }
    present = null;
    broadcasts.computeIfAbsent(state, unknown -> new TreeMap<>()).put(mapKey, change);
  }

  /** The names of the BROADCAST states that change. */
  public Set<String> broadcastStates() {
    return Collections.unmodifiableSet(broadcasts.keySet());
  }

  /** The changes by map key. */
  public SortedMap<Bytes, EntryChange> broadcasts(String state) {
    return Collections.unmodifiableSortedMap(broadcasts.getOrDefault(state, new TreeMap<>()));
  }

  /** Takes later changes, for which the spill has made room and whose files it has adopted. */
  void addAll(OperatorChanges later) {
    present = null;
    dropped |= later.dropped;
    later.keyed.forEach(
        (state, log) -> keyed.computeIfAbsent(state, unknown -> spill.newLog()).addAll(log));
    later.lists.forEach(
        (state, bySubtask) ->
            bySubtask.forEach((subtask, elements) -> putList(state, subtask, elements)));
    later.broadcasts.forEach(
        (state, byKey) -> byKey.forEach((key, change) -> changeBroadcast(state, key, change)));
  }
}
