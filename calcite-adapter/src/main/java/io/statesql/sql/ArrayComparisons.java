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
import io.statesql.sql.function.EngineFunction;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * ANY, SOME and ALL of an array. Calcite's own code fails on a NULL that is compared, and takes NaN
 * for equal to nothing.
 */
public final class ArrayComparisons {
  private static final Map<SqlKind, SqlOperator> SOME = new EnumMap<>(SqlKind.class);

  static {
    SOME.put(SqlKind.EQUALS, operator("someEqual"));
    SOME.put(SqlKind.NOT_EQUALS, operator("someUnequal"));
    SOME.put(SqlKind.LESS_THAN, operator("someGreater"));
    SOME.put(SqlKind.LESS_THAN_OR_EQUAL, operator("someGreaterOrEqual"));
    SOME.put(SqlKind.GREATER_THAN, operator("someLess"));
    SOME.put(SqlKind.GREATER_THAN_OR_EQUAL, operator("someLessOrEqual"));
  }

  private static final Set<SqlTypeName> SIMPLE =
      EnumSet.of(
          SqlTypeName.CHAR,
          SqlTypeName.VARCHAR,
          SqlTypeName.BINARY,
          SqlTypeName.VARBINARY,
          SqlTypeName.BOOLEAN,
          SqlTypeName.DATE,
          SqlTypeName.TIME,
          SqlTypeName.TIMESTAMP);

  private ArrayComparisons() {}

  private static SqlOperator operator(String method) {
    return EngineFunction.of(method, ArrayComparisons.class, method, SqlTypeName.BOOLEAN);
  }

  /**
   * The call of a quantified comparison with the elements of an array.
   *
   * @return null for any other operator or operands
   */
  static @Nullable RexNode call(
      RelDataType type, SqlOperator operator, List<RexNode> operands, RexBuilder rexBuilder) {
    if (!(operator instanceof SqlQuantifyOperator quantified)
        || operands.size() != 2
        || !isComparable(operands.get(0).getType(), operands.get(1).getType())) {
      return null;
    }
    SqlKind comparison = quantified.comparisonKind;
    return operator.getKind() == SqlKind.ALL
        ? rexBuilder.makeCall(
            SqlStdOperatorTable.NOT,
            rexBuilder.makeCall(type, SOME.get(comparison.negateNullSafe()), operands))
        : rexBuilder.makeCall(type, SOME.get(comparison), operands);
  }

  /** Whether values of a type and elements of an array are simple ones of one kind. */
  private static boolean isComparable(RelDataType value, RelDataType array) {
    RelDataType element = array.getComponentType();
    return element != null
        && ((SqlTypeUtil.isNumeric(value) && SqlTypeUtil.isNumeric(element))
            || (SIMPLE.contains(value.getSqlTypeName())
                && value.getSqlTypeName().getFamily() == element.getSqlTypeName().getFamily()));
  }

  /** Called by generated code. */
  public static Boolean someEqual(Object value, List<?> elements) {
    return some(value, elements, order -> order == 0);
  }

  /** Called by generated code. */
  public static Boolean someUnequal(Object value, List<?> elements) {
    return some(value, elements, order -> order != 0);
  }

  /** Called by generated code. */
  public static Boolean someGreater(Object value, List<?> elements) {
    return some(value, elements, order -> order < 0);
  }

  /** Called by generated code. */
  public static Boolean someGreaterOrEqual(Object value, List<?> elements) {
    return some(value, elements, order -> order <= 0);
  }

  /** Called by generated code. */
  public static Boolean someLess(Object value, List<?> elements) {
    return some(value, elements, order -> order > 0);
  }

  /** Called by generated code. */
  public static Boolean someLessOrEqual(Object value, List<?> elements) {
    return some(value, elements, order -> order >= 0);
  }

  private static Boolean some(Object value, List<?> elements, IntPredicate holds) {
    if (elements == null) {
      return null;
    }
    boolean unknown = false;
    for (Object element : elements) {
      if (value == null || element == null) {
        unknown = true;
      } else if (holds.test(order(value, element))) {
        return true;
      }
    }
    return unknown ? null : (Boolean) false;
  }

  @SuppressWarnings("unchecked") // both are of one class
  private static int order(Object value, Object element) {
    if (!(value instanceof Number number) || !(element instanceof Number other)) {
      return ((Comparable<Object>) value).compareTo(element);
    }
    if (isApproximate(number) || isApproximate(other)) {
      return Long.compare(
          ApproximateNumbers.key(number.doubleValue()),
          ApproximateNumbers.key(other.doubleValue()));
    }
    return exact(number).compareTo(exact(other));
  }

  private static boolean isApproximate(Number number) {
    return number instanceof Double || number instanceof Float;
  }

  private static BigDecimal exact(Number number) {
    return number instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(number.longValue());
  }
}
