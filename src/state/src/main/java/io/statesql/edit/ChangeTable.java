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
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedChange;
import io.statesql.snapshot.KeyGroupRange;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one keyed state in memory, by key group, each address once. Several threads may read
 * it while nobody puts.
 */
final class ChangeTable {
  private final TreeMap<Integer, Group> groups = new TreeMap<>();

  /** The changes of one key group, sorted when they are first asked for in order. */
  private static final class Group {
    private final Map<EntryAddress, EntryChange> changes;
    private volatile KeyedChange @Nullable [] sorted;

    Group(Map<EntryAddress, EntryChange> changes) {
      this.changes = changes;
    }

    @Nullable EntryChange put(EntryAddress address, EntryChange change) {
      sorted = null;
      return changes.put(address, change);
    }

    Iterator<KeyedChange> iterator() {
      KeyedChange[] present = sorted;
      if (present == null) {
        present =
            changes.entrySet().stream()
                .map(entry -> new KeyedChange(entry.getKey(), entry.getValue()))
                .toArray(KeyedChange[]::new);
        Arrays.sort(present, Comparator.comparing(KeyedChange::address));
        sorted = present;
      }
      return Iterators.forArray(present);
    }
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** The same changes, apart from these from now on. */
  ChangeTable copy() {
    ChangeTable copy = new ChangeTable();
    groups.forEach(
        (keyGroup, group) -> copy.groups.put(keyGroup, new Group(new HashMap<>(group.changes))));
    return copy;
  }

  /**
   * Puts a change in the place of an earlier one of the same address.
   *
   * @return the earlier one, or null
   */
  @Nullable EntryChange put(EntryAddress address, EntryChange change) {
    return groups
        .computeIfAbsent(address.keyGroup(), unknown -> new Group(new HashMap<>()))
        .put(address, change);
  }

  @Nullable EntryChange find(EntryAddress address) {
    Group group = groups.get(address.keyGroup());
    return group == null ? null : group.changes.get(address);
  }

  /** Tells which entries of a key group change. */
  Predicate<EntryAddress> changedIn(int keyGroup) {
    Group group = groups.get(keyGroup);
    return group == null ? address -> false : group.changes::containsKey;
  }

  /** All changes, sorted by key group alone. */
  Iterator<KeyedChange> byKeyGroup() {
    return Iterators.concat(
        Iterators.transform(
            groups.values().iterator(),
            group ->
                Iterators.transform(
                    group.changes.entrySet().iterator(),
                    entry -> new KeyedChange(entry.getKey(), entry.getValue()))));
  }

  /** The changes in a range of key groups, sorted by address. */
  Iterator<KeyedChange> iterator(KeyGroupRange keyGroups) {
    Iterator<Group> wanted =
        groups.subMap(keyGroups.start(), keyGroups.end() + 1).values().iterator();
    return Iterators.concat(Iterators.transform(wanted, Group::iterator));
  }
}
