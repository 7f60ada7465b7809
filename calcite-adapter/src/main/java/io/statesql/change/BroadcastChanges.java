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
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.StoredElement;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Changes of the table of a BROADCAST state, made to the copies of all subtasks alike. */
final class BroadcastChanges extends StateChanges {
  private final String state;
  private final List<ChangedColumn> columns;
  private final OperatorSplit shown;

  /** Entries that are new under their keys. */
  private final SortedMap<Bytes, EntryChange> added = new TreeMap<>();

  private final TreeSet<Bytes> left = new TreeSet<>();

  /**
   * @param columns that the statement assigns
   */
  BroadcastChanges(
      ChangedOperator operator,
      ChangeKind kind,
      ChangeContext statement,
      String state,
      List<ChangedColumn> columns) {
    super(operator, kind, statement);
    this.state = state;
    this.columns = columns;
    this.shown =
        operator.managed().stream()
            .filter(split -> split.header().state(state).isPresent())
            .findFirst()
            .orElseThrow();
  }

  @Override
  void change(Object[] row) {
    switch (kind()) {
      case INSERT, UPSERT -> {
        Encoders encoders = new Encoders(shown.header().state(state).orElseThrow(), columns);
        refuseNull(encoders, row);
        add(encoders.newMapKey(row), encoders.newValue(row, statement().time()));
      }
      case UPDATE -> update((StoredElement) row[0], row);
      case DELETE ->
          changes().changeBroadcast(state, ((StoredElement) row[0]).mapKey(), EntryChange.REMOVE);
    }
  }

  private void update(StoredElement stored, Object[] row) {
    Encoders encoders = new Encoders(stored.state(), columns);
    Bytes mapKey = encoders.replacedMapKey(stored, row);
    if (encoders.value().isWhole() && encoders.value().isNull(row)) {
      changes().changeBroadcast(state, stored.mapKey(), EntryChange.REMOVE);
      return;
    }
    Bytes value = encoders.replacedValue(stored.value(), row, statement().time());
    if (mapKey.equals(stored.mapKey())) {
      changes().changeBroadcast(state, mapKey, new EntryChange.Put(value));
    } else {
      changes().changeBroadcast(state, stored.mapKey(), EntryChange.REMOVE);
      left.add(stored.mapKey());
      add(mapKey, value);
    }
  }

  private static void refuseNull(Encoders encoders, Object[] row) {
    if (encoders.value().isWhole() && encoders.value().isNull(row)) {
      throw new RefusedValueException("map_value", "a broadcast state of Flink has no NULL values");
    }
  }

  private void add(Bytes mapKey, Bytes value) {
    if (added.put(mapKey, new EntryChange.Put(value)) != null && kind() != ChangeKind.UPSERT) {
      throw new RefusedValueException(null, "two rows of the statement have this key");
    }
  }

  @Override
  void finish() {
    if (kind() != ChangeKind.UPSERT && !added.isEmpty()) {
      requireNewEntries();
    }
    added.forEach((mapKey, change) -> changes().changeBroadcast(state, mapKey, change));
  }

  private void requireNewEntries() {
    for (StoredElement stored : Elements.of(operator(), shown, state, statement().scan())) {
      if (added.containsKey(stored.mapKey()) && !left.contains(stored.mapKey())) {
        throw exists(RowText.of(stored));
      }
    }
  }

  @Override
  String describe(Object[] row) {
    return kind().isOfExisting() ? RowText.of((StoredElement) row[0]) : RowText.of(columns, row);
  }
}
