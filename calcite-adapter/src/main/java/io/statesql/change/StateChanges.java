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

import io.statesql.ErrorCode;
import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import io.statesql.edit.ChangeContext;
import io.statesql.edit.OperatorChanges;
import io.statesql.edit.SnapshotChanges;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StoredElement;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.RowChanges;
import io.statesql.snapshot.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What all kinds of tables have in common: the rows of one statement as changes of one operator.
 */
abstract class StateChanges implements RowChanges {
  private final ChangedOperator operator;
  private final ChangeKind kind;
  private final ChangeContext statement;
  private final SnapshotChanges all;
  private final OperatorChanges changes;
  private final List<String> warnings = new ArrayList<>();
  private final KeyGrouping groups;

  /** Where entries go that were stored elsewhere, by state. */
  private final Map<String, Map<EntryAddress, EntryChange>> moved = new TreeMap<>();

  private long count;

  StateChanges(ChangedOperator operator, ChangeKind kind, ChangeContext statement) {
    this.operator = operator;
    this.kind = kind;
    this.statement = statement;
    this.all = operator.snapshot().newChanges();
    this.changes = all.operator(operator.operator().id());
    this.groups = new KeyGrouping(operator, statement.scan());
    statement.transaction().begin(operator.snapshot());
    operator.snapshot().requireWritable();
  }

  @Override
  public final void add(Object[] row) {
    try {
      change(row);
    } catch (RefusedValueException e) {
      throw refused(e, describe(row));
    }
    count++;
  }

  private static StateSqlException refused(RefusedValueException e, String row) {
    String column = e.column() == null ? "" : "column " + NearestNames.quote(e.column()) + ", ";
    return new StateSqlException(
        ErrorCode.UNWRITABLE_VALUE,
        "Nothing was changed: " + column + "row (" + row + "): " + e.getMessage() + ".",
        e);
  }

  abstract void change(Object[] row);

  /** What tells the row from others, for a message. */
  abstract String describe(Object[] row);

  @Override
  public final long stage() {
    finish();
    moved.forEach(
        (state, entries) ->
            entries.forEach((address, change) -> changes.change(state, address, change)));
    statement
        .transaction()
        .stage(
            operator.snapshot(),
            all,
            statement.statement(),
            warnings,
            statement.scan().cancellation());
    return count;
  }

  /** Checks what can be seen only when all rows are known. */
  void finish() {}

  @Override
  public void close() {
    all.close();
  }

  final ChangedOperator operator() {
    return operator;
  }

  final ChangeKind kind() {
    return kind;
  }

  final ChangeContext statement() {
    return statement;
  }

  final OperatorChanges changes() {
    return changes;
  }

  final void warn(String message) {
    warnings.add(message);
  }

  final KeyedTarget target(String state, List<ChangedColumn> columns) {
    return new KeyedTarget(state, groups, operator.keyed(), columns);
  }

  /** The key group of a stored key of which fields were replaced. */
  final int newKeyGroup(StoredElement stored, Bytes key) {
    KeyedStateMeta state = (KeyedStateMeta) stored.state();
    return key.equals(stored.key())
        ? stored.keyGroup()
        : groups.of(state, state.codecs().key().readLast(key.input()));
  }

  /** Puts a new entry, which no other row of the statement may put. */
  final void putNew(String state, EntryAddress address, EntryChange change) {
    if (kind == ChangeKind.INSERT && changes.find(state, address) != null) {
      throw new RefusedValueException(null, "two rows of the statement have this key");
    }
    changes.change(state, address, change);
  }

  /** Moves an entry, when all rows are known: its place may be one that another row leaves. */
  final void move(String state, EntryAddress from, EntryAddress to, EntryChange change) {
    changes.change(state, from, EntryChange.REMOVE);
    moveTo(state, to, change);
  }

  /** Puts an entry that is stored elsewhere, when all rows are known. */
  final void moveTo(String state, EntryAddress to, EntryChange change) {
    EntryChange before = moved.computeIfAbsent(state, unknown -> new TreeMap<>()).put(to, change);
    if (before != null) {
      throw new RefusedValueException(null, "another row of the statement moves to the same key");
    }
  }

  /** Refuses to add entries of a state where there are some already. */
  final void requireNew(String state) {
    Map<EntryAddress, EntryChange> places = moved.get(state);
    boolean inserts = kind == ChangeKind.INSERT && changes.keyedStates().contains(state);
    if (places == null && !inserts) {
      return;
    }
    AskedKeys keys = new AskedKeys();
    if (places == null) {
      changes.changes(state).forEachRemaining(change -> keys.add(change.address()));
    } else {
      places.keySet().forEach(keys::add);
    }
    Elements.forEach(
        operator,
        Set.of(state),
        keys,
        statement.scan(),
        element -> requireFree(state, element, places));
  }

  private void requireFree(
      String state, KeyedElement element, @Nullable Map<EntryAddress, EntryChange> places) {
    EntryAddress address = EntryAddress.of(element);
    boolean isTaken =
        places == null
            ? changes.find(state, address) != null
            : places.containsKey(address)
                && !(changes.find(state, address) instanceof EntryChange.Remove);
    if (isTaken) {
      throw exists(RowText.of(element));
    }
  }

  static StateSqlException exists(String row) {
    return new StateSqlException(
        ErrorCode.DUPLICATE_ROW,
        "Nothing was changed: the row (" + row + ") exists already; UPDATE it, or use UPSERT.");
  }
}
