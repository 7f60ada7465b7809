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
package io.statesql.schema;

import io.statesql.change.ChangedOperator;
import io.statesql.change.TableChanges;
import io.statesql.edit.ChangeContext;
import io.statesql.format.model.Column;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.StateKind;
import io.statesql.format.rows.SplitContent;
import io.statesql.format.rows.SplitHost;
import io.statesql.format.rows.SplitSpec;
import io.statesql.format.scan.ElementCondition;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.RowChanges;
import io.statesql.snapshot.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The elements of one state, or all timers: a row for each. */
final class ElementTable extends KeyedTable {
  private final ChangedOperator operator;
  private final StateKind kind;
  private final List<Column> columns;

  /**
   * @param kind of the states, {@link StateKind#VALUE} for a list that is shown as a whole
   * @param states the names of the states whose elements are the rows
   */
  ElementTable(ChangedOperator operator, StateKind kind, Set<String> states, List<Column> columns) {
    super(
        columns.stream()
            .map(
                column ->
                    new Header(
                        column.name(), column.type(), Remarks.of(kind, column), column.isKey()))
            .toList(),
        operator.snapshot().base(),
        operator.keyed(),
        states,
        columns.stream().map(Column::source).toList());
    this.operator = operator;
    this.kind = kind;
    this.columns = columns;
  }

  private ElementTable(ElementTable table, KeyedAccess access) {
    super(table, access);
    this.operator = table.operator;
    this.kind = table.kind;
    this.columns = table.columns;
  }

  @Override
  public String remarks() {
    return kind == StateKind.TIMER
        ? "Timers of the operator: a row for each"
        : Remarks.ofState(kind, String.join(", ", states()), columns);
  }

  @Override
  ElementTable with(KeyedAccess newAccess) {
    return new ElementTable(this, newAccess);
  }

  @Override
  RowCursor rows(Snapshot scanned, KeyedSplit split, ElementCondition condition, int[] fields) {
    List<ColumnSource> sources = Arrays.stream(fields).mapToObj(field -> source(field)).toList();
    SplitContent content = new SplitContent.Elements(states(), sources);
    return toSql(
        SplitSpec.of(scanned, split, content, condition).open(SplitHost.of(scanned, split)),
        fields);
  }

  private ColumnSource source(int field) {
    return field == columns.size() ? Derived.STORED : columns.get(field).source();
  }

  @Override
  public String readOnlyReason(ChangeKind change, int column) {
    Column assigned = columns.get(column);
    return TableChanges.readOnlyReason(
        change, kind, assigned.source(), assigned.type(), assigned.isKey());
  }

  @Override
  public RowChanges change(ChangeKind change, List<Integer> assigned, ChangeContext statement) {
    if (kind == StateKind.TIMER) {
      return TableChanges.ofTimers(operator, change, statement, states(), columns, assigned);
    }
    return TableChanges.ofKeyedState(
        operator, change, statement, states().iterator().next(), kind, columns, assigned);
  }
}
