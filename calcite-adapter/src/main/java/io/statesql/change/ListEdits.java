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
package io.statesql.change;

import io.statesql.edit.OperatorChanges;
import io.statesql.edit.SnapshotChanges;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.OperatorId;
import java.io.Closeable;
import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * What one statement does to lists, element by element. Takes a bounded part of the heap, and a
 * file in a work folder beyond that. Not thread-safe.
 */
final class ListEdits implements Closeable {
  /** Elements that stood in a list before: what is put in their place, or that they go. */
  private static final String STORED = "stored";

  /** Elements for a position. */
  private static final String ADDED = "added";

  /** Elements for the end, in the order in which they came. */
  private static final String APPENDED = "appended";

  private final ChangeKind kind;
  private final SnapshotChanges all;
  private final OperatorChanges elements;
  private final BitSet keyGroups = new BitSet();
  private final AskedKeys keys = new AskedKeys();
  private long appended;

  /**
   * @param all none yet; closed with this
   */
  ListEdits(SnapshotChanges all, OperatorId operator, ChangeKind kind) {
    this.all = all;
    this.elements = all.operator(operator);
    this.kind = kind;
  }

  void replace(EntryAddress list, int index, Bytes element) {
    put(STORED, list, index, new EntryChange.Put(element));
  }

  void remove(EntryAddress list, int index) {
    put(STORED, list, index, EntryChange.REMOVE);
  }

  /**
   * Adds an element.
   *
   * @throws RefusedValueException if one was added at this index before
   */
  void add(EntryAddress list, int index, Bytes element) {
    if (elements.find(ADDED, at(list, index)) != null) {
      throw new RefusedValueException("list_index", "two rows of the statement have this index");
    }
    put(ADDED, list, index, new EntryChange.Put(element));
  }

  void append(EntryAddress list, Bytes element) {
    put(APPENDED, list, appended++, new EntryChange.Put(element));
  }

  private void put(String what, EntryAddress list, long position, EntryChange change) {
    elements.change(what, at(list, position), change);
    keyGroups.set(list.keyGroup());
    keys.add(list);
  }

  /** The address of an element, which in state itself only its whole list has. */
  private static EntryAddress at(EntryAddress list, long position) {
    return new EntryAddress(list.keyGroup(), list.key(), list.namespace(), null, position);
  }

  /** The key groups with lists that are edited. */
  BitSet keyGroups() {
    return keyGroups;
  }

  /** The keys whose lists are edited. */
  AskedKeys keys() {
    return keys;
  }

  /** The edits in one key group, by list. */
  SortedMap<EntryAddress, ListEdit> in(int keyGroup) {
    TreeMap<EntryAddress, ListEdit> edits = new TreeMap<>();
    read(
        STORED,
        keyGroup,
        (address, element) -> {
          ListEdit edit = edit(edits, address);
          if (element == null) {
            edit.remove((int) address.timestamp());
          } else {
            edit.replace((int) address.timestamp(), element);
          }
        });
    read(
        ADDED,
        keyGroup,
        (address, element) -> edit(edits, address).add((int) address.timestamp(), element, kind));
    read(APPENDED, keyGroup, (address, element) -> edit(edits, address).add(null, element, kind));
    return edits;
  }

  private static ListEdit edit(Map<EntryAddress, ListEdit> edits, EntryAddress element) {
    return edits.computeIfAbsent(at(element, 0), list -> new ListEdit());
  }

  /**
   * Reads the elements of a key group in order.
   *
   * @param action takes null for an element that goes
   */
  private void read(String what, int keyGroup, BiConsumer<EntryAddress, Bytes> action) {
    elements
        .changes(what, new KeyGroupRange(keyGroup, 1))
        .forEachRemaining(
            change ->
                action.accept(
                    change.address(),
                    change.change() instanceof EntryChange.Put put ? put.value() : null));
  }

  @Override
  public void close() {
    all.close();
  }
}
