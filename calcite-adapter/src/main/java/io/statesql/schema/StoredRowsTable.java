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
import io.statesql.format.model.RowCursor;
import io.statesql.plan.ColumnCondition;
import io.statesql.plan.FilterableSource;
import io.statesql.plan.KeyTestedSource;
import io.statesql.plan.ModifiableState;
import io.statesql.plan.RowSource;
import io.statesql.plan.StateRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** A table with the column {@link ModifiableState#STORED} behind its own. */
final class StoredRowsTable extends AbstractTable
    implements TranslatableTable, FilterableSource, KeyTestedSource {
  private final StateTable rows;

  StoredRowsTable(StateTable rows) {
    this.rows = rows;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    return typeFactory
        .builder()
        .addAll(rows.getRowType(typeFactory).getFieldList())
        .add(ModifiableState.STORED, SqlTypeName.ANY)
        .build();
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    return StateRules.scan(context.getCluster(), table);
  }

  @Override
  public RowCursor open(int[] fields, ScanContext scan) {
    return rows.open(fields, scan);
  }

  @Override
  public int cheapestField() {
    return rows.cheapestField();
  }

  @Override
  public Optional<RowSource> filter(ColumnCondition condition) {
    return rows instanceof FilterableSource filterable
        ? filterable.filter(condition).map(StoredRowsTable::of)
        : Optional.empty();
  }

  @Override
  public Set<Integer> testableColumns() {
    return rows instanceof KeyTestedSource tested ? tested.testableColumns() : Set.of();
  }

  @Override
  public RowSource whereKey(List<Integer> columns, Predicate<Object[]> test) {
    return of(((KeyTestedSource) rows).whereKey(columns, test));
  }

  @Override
  public RowSource bind(IntFunction<Object> parameters) {
    return of(rows.bind(parameters));
  }

  private static RowSource of(RowSource rows) {
    return new StoredRowsTable((StateTable) rows);
  }

  @Override
  public Map<String, Object> access() {
    return rows.access();
  }

  @Override
  public Map<String, Object> rewrites() {
    return rows.rewrites();
  }

  @Override
  public OptionalDouble rowCount() {
    return rows.rowCount();
  }
}
