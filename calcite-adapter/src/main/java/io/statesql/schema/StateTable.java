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
import io.statesql.format.model.RowCursor;
import io.statesql.plan.ModifiableState;
import io.statesql.plan.RowSource;
import io.statesql.plan.StateRules;
import io.statesql.type.SqlType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.util.ImmutableBitSet;

/** A table whose rows are the state of one operator. */
abstract class StateTable extends AbstractTable
    implements TranslatableTable, RowSource, ModifiableState, DescribedTable {

  /**
   * What a column is called, its type, what it holds, and whether it is part of the primary key.
   */
  record Header(String name, SqlType type, String remarks, boolean isKey) {}

  private final List<Header> headers;

  StateTable(List<Header> headers) {
    this.headers = List.copyOf(headers);
  }

  List<Header> headers() {
    return headers;
  }

  @Override
  public List<ColumnDescription> columnDescriptions() {
    return headers.stream()
        .map(
            header ->
                new ColumnDescription(
                    header.name(), SqlTypes.text(header.type()), header.remarks(), header.isKey()))
        .toList();
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    RelDataTypeFactory.Builder builder = typeFactory.builder();
    for (Header header : headers) {
      builder.add(header.name(), SqlTypes.relType(header.type(), typeFactory));
    }
    return builder.build();
  }

  /**
   * What tells rows apart is a key for the planner only where SQL takes different stored keys for
   * different values: not so for the decimals 1.0 and 1.00, nor for 0.0 and -0.0.
   */
  @Override
  public Statistic getStatistic() {
    Double rows = rowCount().isPresent() ? rowCount().getAsDouble() : null;
    int[] key = IntStream.range(0, headers.size()).filter(i -> headers.get(i).isKey()).toArray();
    return Statistics.of(
        rows, hasExactKeys() ? List.of(ImmutableBitSet.of(key)) : List.of(), null, null);
  }

  /** Decoded rows of some columns as Calcite wants them. */
  RowCursor toSql(RowCursor decoded, int[] fields) {
    return SqlRows.of(decoded, Arrays.stream(fields).mapToObj(this::type).toList());
  }

  /** Null for {@link #STORED}. */
  private SqlType type(int field) {
    return field == headers.size() ? null : headers.get(field).type();
  }

  /** Whether the columns of the key have different values in SQL for different stored keys. */
  boolean hasExactKeys() {
    return headers.stream()
        .filter(Header::isKey)
        .allMatch(header -> hasExactEquality(header.type()));
  }

  private static boolean hasExactEquality(SqlType type) {
    if (type instanceof SqlType.Scalar scalar) {
      return switch (scalar) {
        case DECIMAL, REAL, DOUBLE -> false;
        default -> true;
      };
    }
    return type instanceof SqlType.Opaque;
  }

  /** The key group, which is known without decoding anything and comes last in every table. */
  @Override
  public int cheapestField() {
    return headers.size() - 1;
  }

  @Override
  public Table extend(List<RelDataTypeField> fields) {
    if (fields.size() != 1 || !fields.get(0).getName().equals(STORED)) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT, "A table of state has no columns but its own.");
    }
    return new StoredRowsTable(this);
  }

  @Override
  public int getExtendedColumnOffset() {
    return headers.size();
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    return StateRules.scan(context.getCluster(), table);
  }
}
