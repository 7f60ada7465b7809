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
package io.statesql.jdbc;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.schema.ScalarFunction;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;

/**
 * Operators on unbounded decimals that Calcite lacks. The planner inserts them; SQL text cannot
 * name them.
 */
public final class ExactDecimals {
  /**
   * Converts any number or text to an unbounded decimal without rounding, where Calcite's CAST
   * would set the declared scale.
   */
  static final SqlOperator EXACT_DECIMAL = operator("EXACT_DECIMAL", "exactDecimal");

  /**
   * The form of a decimal that {@link Object#equals} compares by value: 1.0 and 1.00 become 1. Keys
   * of GROUP BY, DISTINCT, UNION and joins need it, since the engine hashes them.
   */
  static final SqlOperator DECIMAL_KEY = operator("DECIMAL_KEY", "decimalKey");

  private ExactDecimals() {}

  /** Called by generated code. */
  public static BigDecimal exactDecimal(Object value) {
    if (value == null || value instanceof BigDecimal) {
      return (BigDecimal) value;
    }
    if (value instanceof BigInteger integer) {
      return new BigDecimal(integer);
    }
    if (value instanceof Float || value instanceof Double) {
      return ofApproximate((Number) value);
    }
    if (value instanceof Number number) {
      return BigDecimal.valueOf(number.longValue());
    }
    String text = value.toString().strip();
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_VALUE, "The text '%s' is not a number.".formatted(text), e);
    }
  }

  private static BigDecimal ofApproximate(Number value) {
    double number = value.doubleValue();
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      throw new StateSqlException(
          ErrorCode.NUMERIC_OVERFLOW,
          "The value %s is beyond the range of DECIMAL.".formatted(number));
    }
    // The text of a float has the digits that tell it from its neighbours; widened to double it
    // would show more.
    return new BigDecimal(value.toString());
  }

  /** Called by generated code. */
  public static BigDecimal decimalKey(BigDecimal value) {
    return value == null ? null : value.stripTrailingZeros();
  }

  private static SqlOperator operator(String name, String methodName) {
    Method method =
        Arrays.stream(ExactDecimals.class.getMethods())
            .filter(candidate -> candidate.getName().equals(methodName))
            .findFirst()
            .orElseThrow();
    ScalarFunction function = ScalarFunctionImpl.create(method);
    return new SqlUserDefinedFunction(
        new SqlIdentifier(name, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(SqlTypeName.DECIMAL),
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(
            List.of(SqlTypeFamily.ANY),
            factory -> List.of(factory.createSqlType(SqlTypeName.ANY)),
            i -> "value",
            i -> false),
        function);
  }
}
