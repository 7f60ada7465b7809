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

import io.statesql.Cancellation;
import io.statesql.plan.StatementCancellation;
import io.statesql.type.SqlType;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.impl.AbstractTable;

/** A table of what is known of a snapshot. Its rows are computed when they are asked for. */
abstract class SystemTable extends AbstractTable implements ScannableTable, DescribedTable {
  private final String remarks;
  private final List<Column> columns;

  /** A column: its name, its type and what it holds. */
  record Column(String name, SqlType type, String remarks) {}

  /**
   * @param remarks what a row is
   */
  SystemTable(String remarks, Column... columns) {
    this.remarks = remarks;
    this.columns = List.of(columns);
  }

  /** One array for each row, with the values of all columns in their order. */
  abstract List<Object[]> rows();

  static Column column(String name, SqlType type, String remarks) {
    return new Column(name, type, remarks);
  }

  @Override
  public String remarks() {
    return remarks;
  }

  @Override
  public List<ColumnDescription> columnDescriptions() {
    return columns.stream()
        .map(
            column ->
                new ColumnDescription(
                    column.name(), SqlTypes.text(column.type()), column.remarks(), false))
        .toList();
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    RelDataTypeFactory.Builder builder = typeFactory.builder();
    columns.forEach(
        column -> builder.add(column.name(), SqlTypes.relType(column.type(), typeFactory)));
    return builder.build();
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    Cancellation cancellation = StatementCancellation.of(root);
    return Linq4j.asEnumerable(rows())
        .where(
            row -> {
              cancellation.check();
              return true;
            });
  }

  @Override
  public Schema.TableType getJdbcTableType() {
    return Schema.TableType.SYSTEM_TABLE;
  }
}
