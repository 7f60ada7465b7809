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
import io.statesql.edit.EntryAddress;
import io.statesql.edit.EntryChange;
import io.statesql.format.ColumnSource.Derived;
import io.statesql.format.StoredElement;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Changes of the table of a LIST state: the lists that a statement touches are put as a whole. */
final class ListChanges extends StateChanges {
  private final String state;
  private final List<ChangedColumn> columns;
  private final List<ChangedColumn> keyColumns;
  private final Optional<ChangedColumn> index;
  private final KeyedTarget target;
  private final MissingTimers missingTimers;
  private final TreeMap<EntryAddress, ListEdit> edits = new TreeMap<>();

  /**
   * @param columns that the statement assigns
   * @param keyColumns those of them that tell rows apart
   */
  ListChanges(
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
    this.index =
        columns.stream().filter(column -> column.source() == Derived.LIST_INDEX).findFirst();
    this.target = target(state, columns);
    this.missingTimers = new MissingTimers(operator);
  }

  @Override
  void change(Object[] row) {
    switch (kind()) {
      case INSERT, UPSERT -> insert(row);
      case UPDATE -> update((StoredElement) row[0], row);
      case DELETE -> {
        StoredElement stored = (StoredElement) row[0];
        edit(EntryAddress.of(stored)).remove(stored.listIndex());
      }
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
    refuseNull(encoders, row);
    EntryAddress address = encoders.newAddress(keyGroup, row, 0);
    Integer at = index.map(column -> (Integer) column.valueIn(row)).orElse(null);
    edit(address).add(at, encoders.newValue(row, statement().time()), kind());
    if (!encoders.state().codecs().isUnwindowed()) {
      missingTimers.add(address);
    }
  }

  private void update(StoredElement stored, Object[] row) {
    Encoders encoders = target.encoders(stored.state());
    if (encoders.value().isAssigned()) {
      refuseNull(encoders, row);
    }
    edit(EntryAddress.of(stored))
        .replace(
            stored.listIndex(), encoders.replacedValue(stored.value(), row, statement().time()));
  }

  private static void refuseNull(Encoders encoders, Object[] row) {
    if (encoders.value().isWhole() && encoders.value().isNull(row)) {
      throw new RefusedValueException(
          "list_value", "a list of Flink has no NULL elements; DELETE removes one");
    }
  }

  private ListEdit edit(EntryAddress address) {
    return edits.computeIfAbsent(address, unknown -> new ListEdit());
  }

  @Override
  void finish() {
    TreeMap<EntryAddress, List<Bytes>> stored = new TreeMap<>();
    AskedKeys keys = new AskedKeys();
    edits.keySet().forEach(keys::add);
    Elements.forEach(
        operator(),
        Set.of(state),
        keys,
        statement().scan(),
        element -> {
          EntryAddress address = EntryAddress.of(element);
          if (edits.containsKey(address)) {
            stored
                .computeIfAbsent(address, unknown -> new ArrayList<>())
                .add(Bytes.rest(element.value()));
          }
        });
    edits.forEach(
        (address, edit) ->
            changes()
                .change(
                    state, address, asChange(edit.apply(stored.getOrDefault(address, List.of())))));
    missingTimers.warning(statement()).ifPresent(this::warn);
  }

  private static EntryChange asChange(List<Bytes> elements) {
    return elements.isEmpty() ? EntryChange.REMOVE : new EntryChange.PutList(elements);
  }

  @Override
  String describe(Object[] row) {
    return kind().isOfExisting()
        ? RowText.of((StoredElement) row[0])
        : RowText.of(keyColumns.isEmpty() ? columns : keyColumns, row);
  }
}
