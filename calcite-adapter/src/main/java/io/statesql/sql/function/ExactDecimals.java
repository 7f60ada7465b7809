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
package io.statesql.sql.function;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.ExactConversion;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Operators on unbounded decimals that Calcite lacks. The planner inserts them; SQL text cannot
 * name them.
 */
public final class ExactDecimals {
  /**
   * Converts any number or text to an unbounded decimal without rounding, where Calcite's CAST
   * would set the declared scale.
   */
  public static final SqlOperator EXACT_DECIMAL =
      EngineFunction.of("EXACT_DECIMAL", ExactDecimals.class, "exactDecimal", SqlTypeName.DECIMAL);

  /**
   * As {@link #EXACT_DECIMAL}, but of an approximate number all digits of its value, of which its
   * text shows some: the integer that it is.
   */
  public static final SqlOperator EXACT_VALUE =
      EngineFunction.of("EXACT_VALUE", ExactDecimals.class, "exactValue", SqlTypeName.DECIMAL);

  /**
   * The form of a decimal that {@link Object#equals} compares by value: 1.0 and 1.00 become 1. Keys
   * of GROUP BY, DISTINCT, UNION and joins need it, since the engine hashes them.
   */
  public static final SqlOperator DECIMAL_KEY =
      EngineFunction.of("DECIMAL_KEY", ExactDecimals.class, "decimalKey", SqlTypeName.DECIMAL);

  /**
   * Divides decimals to 34 significant digits, or as many as the longer operand has; Calcite's own
   * stops at 16.
   */
  public static final SqlOperator DECIMAL_DIVIDE =
      EngineFunction.of(
          "DECIMAL_DIVIDE", ExactDecimals.class, "decimalDivide", SqlTypeName.DECIMAL);

  private static final int QUOTIENT_DIGITS = MathContext.DECIMAL128.getPrecision();

  private ExactDecimals() {}

  /** Called by generated code. */
  public static BigDecimal decimalDivide(BigDecimal dividend, BigDecimal divisor) {
    if (dividend == null || divisor == null) {
      return null;
    }
    int digits =
        Math.max(
            QUOTIENT_DIGITS,
            Math.max(
                DecimalBounds.bounded(dividend).precision(),
                DecimalBounds.bounded(divisor).precision()));
    return dividend.divide(divisor, new MathContext(digits, RoundingMode.HALF_EVEN));
  }

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
      return DecimalBounds.bounded(new BigDecimal(text));
    } catch (NumberFormatException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_VALUE, "The text '%s' is not a number.".formatted(text), e);
    }
  }

  /** Called by generated code. */
  public static BigDecimal exactValue(Object value) {
    if (value == null) {
      return null;
    }
    requireFinite((Number) value);
    return ExactConversion.decimal((Number) value);
  }

  private static void requireFinite(Number value) {
    if (!Double.isFinite(value.doubleValue())) {
      throw new StateSqlException(
          ErrorCode.NUMERIC_OVERFLOW,
          "The value %s is beyond the range of DECIMAL.".formatted(value));
    }
  }

  private static BigDecimal ofApproximate(Number value) {
    requireFinite(value);
    // The text of a float has the digits that tell it from its neighbours; widened to double it
    // would show more.
    return new BigDecimal(value.toString());
  }

  /** Called by generated code. */
  public static BigDecimal decimalKey(BigDecimal value) {
    return value == null ? null : value.stripTrailingZeros();
  }
}
