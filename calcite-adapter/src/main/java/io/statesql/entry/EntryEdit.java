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
package io.statesql.entry;

import io.statesql.ScanContext;
import io.statesql.change.ChangedOperator;
import io.statesql.change.ValueEncoder;
import io.statesql.edit.EditedSnapshot;
import io.statesql.edit.OperatorChanges;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.snapshot.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns a new or removed entry into changes of its operator. */
public final class EntryEdit {
  private final EntryState state;
  private final EntryKey key;
  private final Optional<StoredEntry> before;
  private final EditedSnapshot snapshot;
  private final ScanContext scan;

  /**
   * @param before what stands there now
   * @param snapshot that is changed
   * @param scan for keys that are there already, which tell where new ones go
   */
  public EntryEdit(
      EntryState state,
      EntryKey key,
      Optional<StoredEntry> before,
      EditedSnapshot snapshot,
      ScanContext scan) {
    this.state = state;
    this.key = key;
    this.before = before;
    this.snapshot = snapshot;
    this.scan = scan;
  }

  /**
   * The forms of the entry.
   *
   * @throws io.statesql.StateSqlException with {@code UNWRITABLE_VALUE} if it is not known where a
   *     new one goes
   */
  public EntryCodec codec() {
    return new EntryCodec(meta());
  }

  private KeyedStateMeta meta() {
    return before.map(StoredEntry::state).orElseGet(() -> state.stateAt(keyGroup()));
  }

  private int keyGroup() {
    return before
        .map(StoredEntry::keyGroup)
        .orElseGet(
            () ->
                ValueEncoder.keyGroup(
                    new ChangedOperator(snapshot, state.operator(), state.splits(), List.of()),
                    state.first(),
                    key.value(),
                    scan));
  }

  /** Removes what stands there. */
  public void remove(OperatorChanges changes) {
    before.ifPresent(
        entry ->
            entry
                .addresses()
                .forEach(address -> changes.change(state.name(), address, EntryChange.REMOVE)));
  }

  /**
   * Puts an entry in the place of what stands there.
   *
   * @param time of the change in epoch milliseconds: the time of last access, where that is kept
   */
  public void put(NewEntry entry, long time, OperatorChanges changes) {
    KeyedStateMeta meta = meta();
    EntryAddress address =
        EntryAddress.of(
            keyGroup(),
            ValueEncoder.encode("the key", meta.codecs().key(), key.value()),
            ValueEncoder.encode("the namespace", meta.codecs().namespace(), null));
    if (entry instanceof NewEntry.Whole whole) {
      changes.change(
          state.name(),
          address,
          new EntryChange.Put(ValueEncoder.timed(meta, whole.value(), time)));
    } else if (entry instanceof NewEntry.Elements list) {
      changes.change(state.name(), address, list(meta, list.elements(), time));
    } else {
      remove(changes);
      Map<Bytes, Bytes> entries = ((NewEntry.Entries) entry).entries();
      entries.forEach(
          (mapKey, value) ->
              changes.change(
                  state.name(),
                  EntryAddress.ofMapEntry(
                      address.keyGroup(), address.key(), address.namespace(), mapKey),
                  new EntryChange.Put(
                      value == null ? null : ValueEncoder.timed(meta, value, time))));
    }
  }

  private static EntryChange list(KeyedStateMeta meta, List<Bytes> elements, long time) {
    List<Bytes> timed = new ArrayList<>();
    elements.forEach(element -> timed.add(ValueEncoder.timed(meta, element, time)));
    return timed.isEmpty() ? EntryChange.REMOVE : new EntryChange.PutList(timed);
  }
}
