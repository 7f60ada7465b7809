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

import io.statesql.edit.ChangeContext;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StoredElement;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyGroupRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Changes of the table {@code keyed_state}: a row is all un-windowed state of a key. */
final class KeyChanges extends StateChanges {
  private final List<ChangedColumn> keyColumns;
  private final Set<String> states;
  private final List<StateColumns> assigned;
  private final KeyedTarget keys;

  /** Keys that shall be new. */
  private final Set<Key> newKeys = new HashSet<>();

  /** Keys of rows that are put, of which the map states are put as a whole. */
  private final Set<Key> putKeys = new HashSet<>();

  private final AskedKeys deletedKeys = new AskedKeys();

  private record Key(int keyGroup, Bytes key) {
    static Key of(KeyedElement element) {
      return new Key(element.keyGroup(), Bytes.rest(element.key()));
    }
  }

  /**
   * @param states the names of the states that the table shows
   * @param keyColumns those of the assigned columns that belong to the key
   * @param assigned the others, by state
   */
  KeyChanges(
      ChangedOperator operator,
      ChangeKind kind,
      ChangeContext statement,
      Set<String> states,
      List<ChangedColumn> keyColumns,
      List<StateColumns> assigned) {
    super(operator, kind, statement);
    this.states = states;
    this.keyColumns = keyColumns;
    this.assigned = assigned;
    this.keys = target(states.iterator().next(), keyColumns);
  }

  @Override
  void change(Object[] row) {
    switch (kind()) {
      case INSERT, UPSERT -> insert(row);
      case UPDATE -> update(stored(row), row);
      case DELETE -> {
        for (StoredElement element : stored(row)) {
          changes().change(element.state().name(), EntryAddress.of(element), EntryChange.REMOVE);
          deletedKeys.add(element.keyGroup(), element.key());
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // what the table's column of what is stored holds
  private static List<StoredElement> stored(Object[] row) {
    return (List<StoredElement>) row[0];
  }

  private void insert(Object[] row) {
    int keyGroup = keys.keyGroup(row);
    boolean hasState = false;
    Set<Key> ofRow = new HashSet<>();
    for (StateColumns columns : assigned) {
      KeyedTarget target = target(columns.state(), columns.encoded(keyColumns));
      Encoders encoders = target.encodersAt(keyGroup);
      EntryAddress address = encoders.newAddressOfKey(keyGroup, row);
      Map<EntryAddress, EntryChange> entries =
          new StateValues(encoders, columns, statement().time())
              .entries(address, List.of(), row, kind());
      entries.forEach((at, change) -> changes().change(columns.state(), at, change));
      hasState |= entries.values().stream().anyMatch(change -> change != EntryChange.REMOVE);
      ofRow.add(new Key(keyGroup, address.key()));
    }
    for (Key key : ofRow) {
      if (!putKeys.add(key)) {
        throw new RefusedValueException(null, "two rows of the statement have this key");
      }
    }
    if (kind() == ChangeKind.INSERT) {
      newKeys.addAll(ofRow);
    }
    if (!hasState && kind() == ChangeKind.INSERT) {
      throw new RefusedValueException(null, "a key without any state has no row; assign a state");
    }
  }

  private void update(List<StoredElement> stored, Object[] row) {
    Key from = new Key(stored.get(0).keyGroup(), stored.get(0).key());
    Map<String, Map<EntryAddress, EntryChange>> entries = new LinkedHashMap<>();
    for (StateColumns columns : assigned) {
      List<StoredElement> ofState =
          stored.stream()
              .filter(element -> element.state().name().equals(columns.state()))
              .toList();
      KeyedTarget target = target(columns.state(), columns.encoded(List.of()));
      Encoders encoders =
          ofState.isEmpty()
              ? target.encodersAt(from.keyGroup())
              : target.encoders(ofState.get(0).state());
      EntryAddress address =
          EntryAddress.of(from.keyGroup(), from.key(), encoders.unwindowedNamespace());
      entries.put(
          columns.state(),
          new StateValues(encoders, columns, statement().time())
              .entries(address, ofState, row, kind()));
    }
    Key to = keyColumns.isEmpty() ? from : movedKey(stored.get(0), row);
    if (!to.equals(from)) {
      addUnchanged(stored, entries);
      newKeys.add(to);
    }
    entries.forEach(
        (state, changed) ->
            changed.forEach((address, change) -> put(state, address, change, from, to)));
  }

  private void put(String state, EntryAddress address, EntryChange change, Key from, Key to) {
    if (to.equals(from) || change instanceof EntryChange.Remove) {
      changes().change(state, address, change);
    } else {
      target(state, List.of()).encodersAt(to.keyGroup());
      EntryAddress moved =
          new EntryAddress(
              to.keyGroup(), to.key(), address.namespace(), address.mapKey(), address.timestamp());
      move(state, address, moved, change);
    }
  }

  private Key movedKey(StoredElement stored, Object[] row) {
    Bytes key = keys.encoders(stored.state()).key().replace(stored.key(), row);
    return new Key(newKeyGroup(stored, key), key);
  }

  /** Adds the entries of a key that move with it as they are. */
  private static void addUnchanged(
      List<StoredElement> stored, Map<String, Map<EntryAddress, EntryChange>> entries) {
    Map<String, Map<EntryAddress, List<StoredElement>>> byState = new LinkedHashMap<>();
    for (StoredElement element : stored) {
      byState
          .computeIfAbsent(element.state().name(), unknown -> new LinkedHashMap<>())
          .computeIfAbsent(EntryAddress.of(element), unknown -> new ArrayList<>())
          .add(element);
    }
    byState.forEach(
        (state, elements) ->
            elements.forEach(
                (address, values) ->
                    entries
                        .computeIfAbsent(state, unknown -> new LinkedHashMap<>())
                        .putIfAbsent(address, asStored(values))));
  }

  private static EntryChange asStored(List<StoredElement> elements) {
    return elements.get(0).state().kind() == StateKind.LIST
        ? new EntryChange.PutList(elements.stream().map(StoredElement::value).toList())
        : new EntryChange.Put(elements.get(0).value());
  }

  @Override
  void finish() {
    if (!newKeys.isEmpty()) {
      Elements.forEach(operator(), states, asked(newKeys), statement().scan(), this::requireNewKey);
    } else if (kind() == ChangeKind.UPSERT) {
      removeOtherMapEntries();
    }
    remainingTimers().ifPresent(this::warn);
  }

  private static AskedKeys asked(Set<Key> keys) {
    AskedKeys asked = new AskedKeys();
    keys.forEach(key -> asked.add(key.keyGroup(), key.key()));
    return asked;
  }

  private void requireNewKey(KeyedElement element) {
    boolean leaves =
        kind() == ChangeKind.UPDATE
            && changes().find(element.state().name(), EntryAddress.of(element))
                instanceof EntryChange.Remove;
    if (!leaves && newKeys.contains(Key.of(element))) {
      throw exists("state_key = " + RowText.keyOf(element));
    }
  }

  private void removeOtherMapEntries() {
    Set<String> maps = new HashSet<>();
    for (StateColumns columns : assigned) {
      if (target(columns.state(), List.of()).anyEncoders().state().kind() == StateKind.MAP) {
        maps.add(columns.state());
      }
    }
    if (maps.isEmpty()) {
      return;
    }
    Elements.forEach(
        operator(),
        maps,
        asked(putKeys),
        statement().scan(),
        element -> {
          EntryAddress address = EntryAddress.of(element);
          String state = element.state().name();
          if (putKeys.contains(Key.of(element)) && changes().find(state, address) == null) {
            changes().change(state, address, EntryChange.REMOVE);
          }
        });
  }

  private Optional<String> remainingTimers() {
    if (kind() != ChangeKind.DELETE) {
      return Optional.empty();
    }
    long[] remaining = {0};
    DeletedKeys deleted = new DeletedKeys();
    Elements.forEach(
        operator(),
        MissingTimers.timerStates(operator()),
        deletedKeys,
        statement().scan(),
        timer -> remaining[0] += deleted.contains(timer) ? 1 : 0);
    return remaining[0] == 0
        ? Optional.empty()
        : Optional.of(
            "Timers of the deleted keys remain ("
                + remaining[0]
                + ") and will fire; delete them from the table timers.");
  }

  /** The keys of one key group that the statement deletes; timers come by key group. */
  private final class DeletedKeys {
    private final Set<Bytes> keysOfGroup = new HashSet<>();
    private int keyGroup = -1;

    boolean contains(KeyedElement timer) {
      if (timer.keyGroup() != keyGroup) {
        keyGroup = timer.keyGroup();
        keysOfGroup.clear();
        KeyGroupRange range = new KeyGroupRange(keyGroup, 1);
        for (String state : changes().keyedStates()) {
          changes()
              .changes(state, range)
              .forEachRemaining(change -> keysOfGroup.add(change.address().key()));
        }
      }
      return keysOfGroup.contains(Bytes.rest(timer.key()));
    }
  }

  @Override
  String describe(Object[] row) {
    return kind().isOfExisting()
        ? "state_key = " + RowText.keyOf(stored(row).get(0))
        : RowText.of(keyColumns, row);
  }
}
