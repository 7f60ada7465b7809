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
package io.statesql.sql;

import io.statesql.sql.function.ApproximateNumbers;
import io.statesql.sql.function.CollectionFunctions;
import io.statesql.sql.function.EngineFunction;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.impl.AggregateFunctionImpl;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.validate.SqlUserDefinedAggFunction;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.Optionality;

/**
 * The rows of a sub-query, as they are compared with one row: two are equal if all columns are, and
 * different if one is, whatever is NULL beside it. Else that is unknown.
 */
public final class RowSet {
  /** Whether a row is equal to one of a set. */
  static final SqlOperator CONTAINS =
      EngineFunction.of("ROW_SET_CONTAINS", RowSet.class, "contains", SqlTypeName.BOOLEAN);

  /** Whether a row is different from one of a set. */
  static final SqlOperator DIFFERS =
      EngineFunction.of("ROW_SET_DIFFERS", RowSet.class, "differs", SqlTypeName.BOOLEAN);

  private static final SqlAggFunction OF_ROWS =
      new SqlUserDefinedAggFunction(
          new SqlIdentifier("ROW_SET", SqlParserPos.ZERO),
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.explicit(SqlTypeName.ANY).andThen(SqlTypeTransforms.FORCE_NULLABLE),
          null,
          OperandTypes.operandMetadata(
              List.of(SqlTypeFamily.ANY), typeFactory -> List.of(), i -> "member", i -> false),
          AggregateFunctionImpl.create(RowSet.class),
          false,
          false,
          Optionality.FORBIDDEN);

  /** Rows without NULL. */
  private final Set<List<Object>> whole = new HashSet<>();

  private final Set<List<Object>> partial = new HashSet<>();

  private RowSet() {}

  /** One row with the set of the rows that a relation's only column holds. */
  static RelNode of(RelNode rows) {
    RelDataTypeFactory typeFactory = rows.getCluster().getTypeFactory();
    AggregateCall call =
        AggregateCall.create(
            SqlParserPos.ZERO,
            OF_ROWS,
            false,
            false,
            false,
            List.of(),
            List.of(0),
            -1,
            null,
            RelCollations.EMPTY,
            typeFactory.createTypeWithNullability(typeFactory.createSqlType(SqlTypeName.ANY), true),
            "members");
    return LogicalAggregate.create(rows, List.of(), ImmutableBitSet.of(), null, List.of(call));
  }

  /** Called by generated code. */
  public static RowSet init() {
    return new RowSet();
  }

  /** Called by generated code. */
  public static RowSet add(RowSet set, Object row) {
    List<Object> values = values(row);
    (values.contains(null) ? set.partial : set.whole).add(values);
    return set;
  }

  /** Called by generated code. */
  public static Object result(RowSet set) {
    return set;
  }

  /** Called by generated code. No set is one without rows. */
  public static Boolean contains(Object row, Object members) {
    if (members == null) {
      return false;
    }
    RowSet set = (RowSet) members;
    List<Object> values = values(row);
    boolean isWhole = !values.contains(null);
    if (isWhole && set.whole.contains(values)) {
      return true;
    }
    boolean unknown =
        set.partial.stream().anyMatch(member -> !isDifferent(values, member))
            || (!isWhole && set.whole.stream().anyMatch(member -> !isDifferent(values, member)));
    return unknown ? null : (Boolean) false;
  }

  /** Called by generated code. */
  public static Boolean differs(Object row, Object members) {
    if (members == null) {
      return false;
    }
    RowSet set = (RowSet) members;
    List<Object> values = values(row);
    if (set.whole.stream().anyMatch(member -> isDifferent(values, member))
        || set.partial.stream().anyMatch(member -> isDifferent(values, member))) {
      return true;
    }
    boolean unknown = !set.partial.isEmpty() || (values.contains(null) && !set.whole.isEmpty());
    return unknown ? null : (Boolean) false;
  }

  private static boolean isDifferent(List<Object> row, List<Object> member) {
    for (int i = 0; i < row.size(); i++) {
      Object value = row.get(i);
      Object other = member.get(i);
      if (value != null && other != null && !value.equals(other)) {
        return true;
      }
    }
    return false;
  }

  private static List<Object> values(Object row) {
    List<?> values = row instanceof Object[] array ? Arrays.asList(array) : (List<?>) row;
    return values.stream().map(RowSet::comparable).toList();
  }

  /** Equal to another where SQL takes both for equal; they are of one type. */
  private static Object comparable(Object value) {
    return value instanceof Float || value instanceof Double
        ? ApproximateNumbers.key(((Number) value).doubleValue())
        : CollectionFunctions.byValue(value);
  }
}
