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
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StoredElement;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import java.util.List;

/** Changes of the table of a VALUE, REDUCING, AGGREGATING or MAP state. */
final class EntryChanges extends StateChanges {
  private final String state;
  private final List<ChangedColumn> columns;
  private final List<ChangedColumn> keyColumns;
  private final KeyedTarget target;
  private final MissingTimers missingTimers;

  /**
   * @param columns that the statement assigns
   * @param keyColumns those of them that tell rows apart
   */
  EntryChanges(
      ChangedOperator operator,
      ChangeKind kind,
      ChangeContext statement,
      String state,
      List<ChangedColumn> columns,
      List<ChangedColumn> keyColumns) {
    super(operator, kind, statement);
    this.state = state;
    this.columns = columns;
    this.keyColumns = keyColumns;
    this.target = target(state, columns);
    this.missingTimers = new MissingTimers(operator);
  }

  @Override
  void change(Object[] row) {
    switch (kind()) {
      case INSERT, UPSERT -> insert(row);
      case UPDATE -> update((StoredElement) row[0], row);
      case DELETE -> remove((StoredElement) row[0]);
    }
  }

  private void insert(Object[] row) {
    if (target.hasMergingWindows()) {
      throw new RefusedValueException(
          null,
          "its window would have to be among the merging windows of its key, which Flink keeps itself");
    }
    int keyGroup = target.keyGroup(row);
    Encoders encoders = target.encodersAt(keyGroup);
    EntryAddress address = encoders.newAddress(keyGroup, row, 0);
    boolean isNull = encoders.value().isWhole() && encoders.value().isNull(row);
    if (!isNull) {
      putNew(state, address, new EntryChange.Put(encoders.newValue(row, statement().time())));
    } else if (isMap()) {
      putNew(state, address, new EntryChange.Put(null));
    } else if (kind() == ChangeKind.UPSERT) {
      changes().change(state, address, EntryChange.REMOVE);
      return;
    } else {
      throw new RefusedValueException(null, "a state without a value has no row");
    }
    if (!encoders.state().codecs().isUnwindowed()) {
      missingTimers.add(address);
    }
  }

  private boolean isMap() {
    return target.anyEncoders().state().kind() == StateKind.MAP;
  }

  private void update(StoredElement stored, Object[] row) {
    Encoders encoders = target.encoders(stored.state());
    EntryAddress from = EntryAddress.of(stored);
    boolean isNull = encoders.value().isWhole() && encoders.value().isNull(row);
    EntryChange change;
    if (isNull) {
      change = isMap() ? new EntryChange.Put(null) : EntryChange.REMOVE;
    } else if (stored.value() == null) {
      change =
          new EntryChange.Put(
              encoders.value().isAssigned() ? encoders.newValue(row, statement().time()) : null);
    } else {
      change = new EntryChange.Put(newValue(encoders, stored.value(), row));
    }
    if (!encoders.movesEntries()) {
      changes().change(state, from, change);
      return;
    }
    if (target.hasMergingWindows()) {
      throw new RefusedValueException(
          null, "Flink keeps the keys of merging windows itself, so they cannot be changed here");
    }
    int keyGroup =
        encoders.key().isAssigned()
            ? newKeyGroup(stored, encoders.key().replace(stored.key(), row))
            : from.keyGroup();
    EntryAddress to = encoders.movedAddress(stored, keyGroup, row, 0);
    if (to.equals(from)) {
      changes().change(state, from, change);
    } else {
      target.encodersAt(keyGroup);
      move(state, from, to, change);
    }
  }

  private Bytes newValue(Encoders encoders, Bytes old, Object[] row) {
    return encoders.replacedValue(old, row, statement().time());
  }

  private void remove(StoredElement stored) {
    changes().change(state, EntryAddress.of(stored), EntryChange.REMOVE);
  }

  @Override
  void finish() {
    requireNew(state);
    missingTimers.warning(statement()).ifPresent(this::warn);
  }

  @Override
  String describe(Object[] row) {
    return kind().isOfExisting()
        ? RowText.of((StoredElement) row[0])
        : RowText.of(keyColumns.isEmpty() ? columns : keyColumns, row);
  }
}
