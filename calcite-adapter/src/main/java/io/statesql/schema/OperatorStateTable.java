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
import io.statesql.format.model.Column;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.model.StateKind;
import io.statesql.format.rows.SplitContent;
import io.statesql.format.rows.SplitHost;
import io.statesql.format.rows.SplitSpec;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.RowChanges;
import io.statesql.snapshot.Snapshot;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One operator state: a row for each list element, or for each entry of a broadcast state. */
final class OperatorStateTable extends StateTable {
  private final Snapshot snapshot;
  private final ChangedOperator operator;
  private final StateKind kind;
  private final List<OperatorSplit> splits;
  private final String state;
  private final List<Column> columns;

  /**
   * @param splits whose elements are the rows; all know the state
   */
  OperatorStateTable(
      ChangedOperator operator,
      List<OperatorSplit> splits,
      StateDefinition state,
      List<Column> columns) {
    super(
        columns.stream()
            .map(
                column ->
                    new Header(
                        column.name(),
                        column.type(),
                        Remarks.of(state.kind(), column),
                        column.isKey()))
            .toList());
    this.snapshot = operator.snapshot().base();
    this.operator = operator;
    this.kind = state.kind();
    this.splits = splits;
    this.state = state.name();
    this.columns = columns;
  }

  @Override
  public String remarks() {
    return Remarks.ofState(kind, state, columns);
  }

  /** The subtask of a list, which is known without reading; else the key of an entry. */
  @Override
  public int cheapestField() {
    return 0;
  }

  @Override
  public RowCursor open(int[] fields, ScanContext scan) {
    List<ColumnSource> sources = Arrays.stream(fields).mapToObj(field -> source(field)).toList();
    Snapshot source = snapshot.within(scan);
    return new SplitsCursor<>(
        splits.stream().map(OperatorSplit::asOfNow).toList(),
        split ->
            toSql(
                SplitSpec.of(source, split, new SplitContent.OperatorElements(state, sources))
                    .open(SplitHost.of(source, split)),
                fields));
  }

  @Override
  public Map<String, Object> rewrites() {
    // Also those whose copy of a broadcast state no row comes from.
    List<OperatorSplit> changed =
        operator.managed().stream()
            .filter(split -> split.header().state(state).isPresent())
            .toList();
    long bytes = changed.stream().mapToLong(split -> split.handle().delegate().stateSize()).sum();
    Map<String, Object> items = new LinkedHashMap<>();
    items.put("states", List.of(state));
    items.put("atMost", "files %d, bytes %d".formatted(changed.size(), bytes));
    return items;
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
    return TableChanges.ofOperatorState(
        operator, change, statement, state, kind, columns, assigned);
  }
}
