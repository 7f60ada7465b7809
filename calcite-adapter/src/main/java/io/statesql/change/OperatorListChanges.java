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
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.StoredElement;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import java.util.List;
import java.util.TreeMap;

/** Changes of the table of a SPLIT_LIST or UNION_LIST: the list of a subtask is put as a whole. */
final class OperatorListChanges extends StateChanges {
  private final String state;
  private final List<ChangedColumn> columns;
  private final TreeMap<Integer, ListEdit> edits = new TreeMap<>();

  /**
   * @param columns that the statement assigns
   */
  OperatorListChanges(
      ChangedOperator operator,
      ChangeKind kind,
      ChangeContext statement,
      String state,
      List<ChangedColumn> columns) {
    super(operator, kind, statement);
    this.state = state;
    this.columns = columns;
  }

  @Override
  void change(Object[] row) {
    if (!kind().isOfExisting()) {
      insert(row);
      return;
    }
    StoredElement stored = (StoredElement) row[0];
    if (kind() == ChangeKind.DELETE) {
      edit(stored.subtask()).remove(stored.listIndex());
    } else {
      Encoders encoders = new Encoders(stored.state(), columns);
      edit(stored.subtask())
          .replace(
              stored.listIndex(), encoders.replacedValue(stored.value(), row, statement().time()));
    }
  }

  private void insert(Object[] row) {
    OperatorSplit split = split((Integer) value(Derived.SUBTASK, row));
    Encoders encoders = new Encoders(split.header().state(state).orElseThrow(), columns);
    edit(split.subtask())
        .add(
            (Integer) value(Derived.LIST_INDEX, row),
            encoders.newValue(row, statement().time()),
            kind());
  }

  private Object value(Derived source, Object[] row) {
    return columns.stream()
        .filter(column -> column.source() == source)
        .findFirst()
        .map(column -> column.valueIn(row))
        .orElse(null);
  }

  /** The split of a subtask; of the first one if none is given. */
  private OperatorSplit split(Integer subtask) {
    return operator().managed().stream()
        .filter(split -> split.header().state(state).isPresent())
        .filter(split -> subtask == null || split.subtask() == subtask)
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedValueException(
                    "subtask", "no subtask " + subtask + " has stored this state"));
  }

  private ListEdit edit(int subtask) {
    return edits.computeIfAbsent(subtask, unknown -> new ListEdit());
  }

  @Override
  void finish() {
    edits.forEach(
        (subtask, edit) -> changes().putList(state, subtask, edit.apply(elements(subtask))));
  }

  private List<Bytes> elements(int subtask) {
    return Elements.of(operator(), split(subtask), state, statement().scan()).stream()
        .map(StoredElement::value)
        .toList();
  }

  @Override
  String describe(Object[] row) {
    return kind().isOfExisting() ? RowText.of((StoredElement) row[0]) : RowText.of(columns, row);
  }
}
