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

import io.statesql.ScanContext;
import io.statesql.change.ChangedOperator;
import io.statesql.change.TableChanges;
import io.statesql.edit.ChangeContext;
import io.statesql.format.ColumnSource;
import io.statesql.format.KeyColumn;
import io.statesql.format.KeyRows;
import io.statesql.format.KeyedSplit;
import io.statesql.format.NamedKeyColumn;
import io.statesql.format.RowCursor;
import io.statesql.format.StateKind;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.RowChanges;
import io.statesql.snapshot.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** All un-windowed states of an operator: a row for each key that has any of them. */
final class KeyedStateTable extends StateTable {
  private final Snapshot snapshot;
  private final ChangedOperator operator;
  private final List<KeyedSplit> splits;
  private final Set<String> states;
  private final List<NamedKeyColumn> columns;

  /**
   * @param states the names of the states
   */
  KeyedStateTable(
      ChangedOperator operator, Set<String> states, List<NamedKeyColumn> columns) {
    super(
        columns.stream()
            .map(column -> new Header(column.name(), column.type(), column.isKey()))
            .toList());
    this.snapshot = operator.snapshot().base();
    this.operator = operator;
    this.splits = operator.keyed().stream().filter(split -> split.hasAny(states)).toList();
    this.states = Set.copyOf(states);
    this.columns = columns;
  }

  @Override
  public RowCursor open(int[] fields, ScanContext scan) {
    List<KeyColumn> sources =
        Arrays.stream(fields).mapToObj(field -> source(field)).toList();
    Snapshot source = snapshot.within(scan);
    return new SplitsCursor<>(splits, split -> KeyRows.open(source, split, states, sources));
  }

  private KeyColumn source(int field) {
    return field == columns.size() ? new KeyColumn.Stored() : columns.get(field).source();
  }

  @Override
  public String readOnlyReason(ChangeKind change, int column) {
    NamedKeyColumn assigned = columns.get(column);
    ColumnSource source = assigned.source() instanceof KeyColumn.OfKey key ? key.source() : null;
    return TableChanges.readOnlyReason(
        change, StateKind.VALUE, source, assigned.type(), assigned.isKey());
  }

  @Override
  public RowChanges change(
      ChangeKind change, List<Integer> assigned, ChangeContext statement) {
    return TableChanges.ofKeys(operator, change, statement, states, columns, assigned);
  }
}
