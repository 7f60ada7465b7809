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
import io.statesql.snapshot.KeyGroupRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one keyed state: the latest in memory, earlier ones in sorted runs of the file.
 * Not thread-safe.
 */
final class ChangeLog {
  static final KeyGroupRange ALL = new KeyGroupRange(0, KeyGroupRange.MAX_KEY_GROUPS);

  /** So many runs of a level become one of the next: then a search has few to look into. */
  private static final int MERGED = 8;

  /** What one change takes in memory beside its bytes, roughly. */
  private static final int OVERHEAD = 300;

  private final ChangeSpill spill;
  private final List<ChangeRun> runs = new ArrayList<>();
  private ChangeTable memory = new ChangeTable();

  /** Whether somebody reads what is in memory as it is now. */
  private boolean isShared;

  ChangeLog(ChangeSpill spill) {
    this.spill = spill;
  }

  /** These changes as they are now, which later ones leave as it is. Not to be changed itself. */
  ChangeLog asOfNow() {
    ChangeLog copy = new ChangeLog(spill);
    copy.memory = memory;
    copy.runs.addAll(runs);
    isShared = true;
    return copy;
  }

  void put(EntryAddress address, EntryChange change) {
    if (isShared) {
      memory = memory.copy();
      isShared = false;
    }
    EntryChange before = memory.put(address, change);
    long bytes = sizeOf(change) - (before == null ? -sizeOf(address) : sizeOf(before));
    spill.charge(bytes);
  }

  /**
   * Takes the changes of a later log. If it has any in a file, this one must have none in memory,
   * which would pass for newer ones.
   */
  void addAll(ChangeLog later) {
    if (!later.runs.isEmpty() && !memory.isEmpty()) {
      throw new IllegalStateException("Earlier changes are in memory, later ones in a file");
    }
    runs.addAll(later.runs);
    later.memory.byKeyGroup().forEachRemaining(e -> put(e.address(), e.change()));
  }

  private static long sizeOf(EntryAddress address) {
    int mapKey = address.mapKey() == null ? 0 : address.mapKey().length();
    return (long) OVERHEAD + address.key().length() + address.namespace().length() + mapKey;
  }

  private static long sizeOf(EntryChange change) {
    if (change instanceof EntryChange.Put put) {
      return put.value() == null ? 0 : put.value().length();
    }
    if (change instanceof EntryChange.PutList list) {
      return list.elements().stream().mapToLong(element -> element.length() + Long.BYTES * 4).sum();
    }
    return 0;
  }

  /** Moves what is in memory to a run of the file; the changes stay what they are. */
  void spill() {
    if (!memory.isEmpty()) {
      runs.add(spill.write(memory.iterator(ALL), 0));
      memory = new ChangeTable();
      isShared = false;
    }
    mergeRuns();
  }

  /**
   * Makes one run of the newest ones while they are many of the same level, or of lower levels
   * before higher ones, which come from logs that were added.
   */
  private void mergeRuns() {
    while (runs.size() >= MERGED) {
      List<ChangeRun> newest = runs.subList(runs.size() - MERGED, runs.size());
      int level = newest.get(MERGED - 1).level();
      if (newest.get(0).level() > level) {
        return;
      }
      List<Iterator<KeyedChange>> newestFirst = new ArrayList<>();
      newest.forEach(run -> newestFirst.add(0, run.iterator(ALL)));
      ChangeRun merged = spill.write(new MergedChanges(newestFirst), level + 1);
      newest.clear();
      runs.add(merged);
    }
  }

  @Nullable EntryChange find(EntryAddress address) {
    EntryChange change = memory.find(address);
    for (int i = runs.size() - 1; change == null && i >= 0; i--) {
      change = runs.get(i).find(address);
    }
    return change;
  }

  /**
   * Tells which entries of one key group change. Looks at each as often as asked: what the file has
   * of the key group is read once, and its addresses kept.
   */
  Predicate<EntryAddress> changedIn(int keyGroup) {
    if (runs.isEmpty()) {
      return memory.changedIn(keyGroup);
    }
    Set<EntryAddress> addresses = new HashSet<>();
    iterator(new KeyGroupRange(keyGroup, 1))
        .forEachRemaining(change -> addresses.add(change.address()));
    return addresses::contains;
  }

  /** All changes, sorted by key group, and within one in any order. */
  Iterator<KeyedChange> byKeyGroup() {
    return runs.isEmpty() ? memory.byKeyGroup() : iterator(ALL);
  }

  /** The changes in a range of key groups, sorted by address. */
  Iterator<KeyedChange> iterator(KeyGroupRange keyGroups) {
    List<Iterator<KeyedChange>> newestFirst = new ArrayList<>();
    newestFirst.add(memory.iterator(keyGroups));
    for (int i = runs.size() - 1; i >= 0; i--) {
      newestFirst.add(runs.get(i).iterator(keyGroups));
    }
    return newestFirst.size() == 1 ? newestFirst.get(0) : new MergedChanges(newestFirst);
  }
}
