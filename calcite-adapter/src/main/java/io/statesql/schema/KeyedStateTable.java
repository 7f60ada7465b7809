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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.change.ChangedOperator;
import io.statesql.change.TableChanges;
import io.statesql.edit.ChangeContext;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.StateKind;
import io.statesql.format.rows.KeyColumn;
import io.statesql.format.rows.NamedKeyColumn;
import io.statesql.format.rows.SplitContent;
import io.statesql.format.rows.SplitHost;
import io.statesql.format.rows.SplitSpec;
import io.statesql.format.scan.ElementCondition;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.RowChanges;
import io.statesql.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** All un-windowed states of an operator: a row for each key that has any of them. */
final class KeyedStateTable extends KeyedTable {
  private final ChangedOperator operator;
  private final List<NamedKeyColumn> columns;

  /**
   * @param states the names of the states
   */
  KeyedStateTable(ChangedOperator operator, Set<String> states, List<NamedKeyColumn> columns) {
    super(
        columns.stream()
            .map(
                column ->
                    new Header(column.name(), column.type(), Remarks.of(column), column.isKey()))
            .toList(),
        operator.snapshot().base(),
        operator.keyed(),
        states,
        keySources(columns));
    this.operator = operator;
    this.columns = columns;
  }

  private KeyedStateTable(KeyedStateTable table, KeyedAccess access) {
    super(table, access);
    this.operator = table.operator;
    this.columns = table.columns;
  }

  /** Null for a column of a state: rows are found by their key alone. */
  private static List<ColumnSource> keySources(List<NamedKeyColumn> columns) {
    List<ColumnSource> sources = new ArrayList<>();
    for (NamedKeyColumn column : columns) {
      sources.add(column.source() instanceof KeyColumn.OfKey ofKey ? ofKey.source() : null);
    }
    return sources;
  }

  @Override
  public String remarks() {
    return "States of the operator without a window: a row for each key that has any of them";
  }

  @Override
  KeyedStateTable with(KeyedAccess newAccess) {
    return new KeyedStateTable(this, newAccess);
  }

  @Override
  RowCursor rows(Snapshot scanned, KeyedSplit split, ElementCondition condition, int[] fields) {
    List<KeyColumn> sources = Arrays.stream(fields).mapToObj(this::source).toList();
    SplitContent content = new SplitContent.Keys(states(), sources);
    return toSql(
        SplitSpec.of(scanned, split, content, condition).open(SplitHost.of(scanned, split)),
        fields);
  }

  private KeyColumn source(int field) {
    if (field == columns.size()) {
      return new KeyColumn.Stored();
    }
    NamedKeyColumn column = columns.get(field);
    if (column.source() instanceof KeyColumn.Unreadable unreadable) {
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "Column \""
              + column.name()
              + "\" of \""
              + operator.operator().uidOrId()
              + "\".keyed_state cannot be read: of state \""
              + unreadable.state()
              + "\", "
              + unreadable.reason()
              + "; name the other columns to read them.");
    }
    return column.source();
  }

  @Override
  public String readOnlyReason(ChangeKind change, int column) {
    NamedKeyColumn assigned = columns.get(column);
    ColumnSource source = assigned.source() instanceof KeyColumn.OfKey key ? key.source() : null;
    return TableChanges.readOnlyReason(
        change, StateKind.VALUE, source, assigned.type(), assigned.isKey());
  }

  @Override
  public RowChanges change(ChangeKind change, List<Integer> assigned, ChangeContext statement) {
    return TableChanges.ofKeys(operator, change, statement, states(), columns, assigned);
  }
}
