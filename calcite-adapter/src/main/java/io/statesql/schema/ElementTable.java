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

import io.statesql.format.ColumnSource;
import io.statesql.format.ElementCondition;
import io.statesql.format.ElementRows;
import io.statesql.format.KeyedSplit;
import io.statesql.format.RowCursor;
import io.statesql.snapshot.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The elements of one state, or all timers: a row for each. */
final class ElementTable extends KeyedTable {
  private final List<Column> columns;

  /**
   * @param states the names of the states whose elements are the rows
   */
  ElementTable(
      Snapshot snapshot, List<KeyedSplit> splits, Set<String> states, List<Column> columns) {
    super(
        columns.stream()
            .map(column -> new Header(column.name(), column.type(), column.isKey()))
            .toList(),
        snapshot,
        splits,
        states,
        columns.stream().map(Column::source).toList());
    this.columns = columns;
  }

  private ElementTable(ElementTable table, KeyedAccess access) {
    super(table, access);
    this.columns = table.columns;
  }

  @Override
  ElementTable with(KeyedAccess newAccess) {
    return new ElementTable(this, newAccess);
  }

  @Override
  RowCursor rows(Snapshot scanned, KeyedSplit split, ElementCondition condition, int[] fields) {
    List<ColumnSource> sources =
        Arrays.stream(fields).mapToObj(field -> columns.get(field).source()).toList();
    return ElementRows.open(scanned, split, states(), condition, sources);
  }
}
