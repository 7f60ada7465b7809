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
package io.statesql.format.keygroup;

import io.statesql.format.form.KeyedEdit;
import io.statesql.format.key.StoredKey;
import io.statesql.format.key.StoredValues;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateInput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Encodes key groups in canonical form. Entries are told apart by the bytes of their keys, so
 * nothing needs to be decoded. What is put stands where its key belongs by the order of bytes, in
 * which RocksDB writes such files. Takes memory for the changes of one state in one key group.
 */
final class CanonicalGroupEdit implements KeyGroupsEdit.GroupEncoder {
  /**
   * @param key as it stands in the file, key group and all
   */
  private record StoredChange(Bytes key, EntryChange change) {}

  private final KeyedEdit edit;
  private final Map<KeyedStateMeta, StoredKey> keys = new HashMap<>();
  private final StateInput value = new StateInput();

  CanonicalGroupEdit(KeyedEdit edit) {
    this.edit = edit;
  }

  @Override
  public boolean encode(KeyGroupFile file, int index, OutputStream out) throws IOException {
    List<KeyedStateMeta> states = edit.split().header().states();
    try (CanonicalGroupWriter writer =
        new CanonicalGroupWriter(out, edit.split().header().compressed())) {
      Set<KeyedStateMeta> seen = new HashSet<>();
      if (!file.isEmpty(index)) {
        CanonicalGroupReader stored = new CanonicalGroupReader(file, index);
        boolean more = stored.next();
        while (more) {
          KeyedStateMeta state = states.get(stored.state());
          seen.add(state);
          more = merge(stored, state, file.keyGroup(index), writer);
        }
      }
      for (KeyedStateMeta state : edit.statesIn(file.keyGroup(index))) {
        if (!seen.contains(state)) {
          write(state, file.keyGroup(index), writer);
        }
      }
      return !writer.isEmpty();
    }
  }

  /** Writes the changes of a state without stored entries. */
  private void write(KeyedStateMeta state, int keyGroup, CanonicalGroupWriter writer)
      throws IOException {
    for (StoredChange change : changes(state, keyGroup)) {
      put(state, change, writer);
    }
  }

  /**
   * Writes the stored entries of a state with its changes.
   *
   * @param stored on the first of these entries
   * @return whether it is on an entry of another state then
   */
  private boolean merge(
      CanonicalGroupReader stored, KeyedStateMeta state, int keyGroup, CanonicalGroupWriter writer)
      throws IOException {
    List<StoredChange> changes = changes(state, keyGroup);
    // Asked of each stored entry, which stand in any order where a heap backend wrote them.
    Set<Bytes> changed = new HashSet<>();
    changes.forEach(change -> changed.add(change.key()));
    Iterator<StoredChange> pending = changes.iterator();
    StoredChange next = pending.hasNext() ? pending.next() : null;
    boolean more = true;
    while (more && stored.state() == state.id()) {
      while (next != null && next.key().compareTo(stored.key()) <= 0) {
        put(state, next, writer);
        next = pending.hasNext() ? pending.next() : null;
      }
      if (!changed.contains(stored.key())) {
        writer.write(state.id(), stored.key(), stored.value());
      }
      more = stored.next();
    }
    while (next != null) {
      put(state, next, writer);
      next = pending.hasNext() ? pending.next() : null;
    }
    return more;
  }

  private void put(KeyedStateMeta state, StoredChange change, CanonicalGroupWriter writer)
      throws IOException {
    byte[] bytes = StoredValues.of(state, change.change());
    if (bytes != null) {
      writer.write(state.id(), change.key(), value.reset(bytes, 0, bytes.length, 0));
    }
  }

  /** The changes of a state, sorted by the keys under which they are stored. */
  private List<StoredChange> changes(KeyedStateMeta state, int keyGroup) {
    if (!edit.touched().containsKey(state) || !edit.touched().get(state).get(keyGroup)) {
      return List.of();
    }
    StoredKey key =
        keys.computeIfAbsent(
            state, unknown -> new StoredKey(state, edit.split().operator().maxParallelism()));
    List<StoredChange> changes = new ArrayList<>();
    edit.changes(state, keyGroup)
        .forEachRemaining(
            change ->
                changes.add(new StoredChange(StoredValues.key(key, change), change.change())));
    changes.sort(Comparator.comparing(StoredChange::key));
    return changes;
  }
}
