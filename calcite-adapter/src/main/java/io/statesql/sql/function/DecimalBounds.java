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
import java.math.BigDecimal;
import java.util.Map;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Keeps decimals that a statement computes to a size at which one step of arithmetic takes no time
 * that anybody would notice. A text of a few characters, as {@code 1e100000000}, is a number of
 * megabytes, and squares of squares grow without end.
 */
public final class DecimalBounds {
  /** On either side of the point, and in all. */
  public static final int MOST_DIGITS = 10_000;

  /** The arithmetic of decimals, by what it is in SQL. */
  public static final Map<SqlKind, SqlOperator> ARITHMETIC =
      Map.of(
          SqlKind.PLUS, arithmetic("+", "plus"),
          SqlKind.MINUS, arithmetic("-", "minus"),
          SqlKind.TIMES, arithmetic("*", "times"),
          SqlKind.MOD, arithmetic("MOD", "remainder"));

  /** A number of digits that ROUND and TRUNCATE keep, as far as it makes a difference. */
  public static final SqlOperator KEPT_DIGITS =
      EngineFunction.of("KEPT_DIGITS", DecimalBounds.class, "keptDigits", SqlTypeName.INTEGER);

  /** A stored number before it is rounded, converted or added up: the same, if it has no more. */
  public static final SqlOperator BOUNDED =
      EngineFunction.of("BOUNDED", DecimalBounds.class, "bounded", SqlTypeName.DECIMAL);

  private DecimalBounds() {}

  private static SqlOperator arithmetic(String name, String method) {
    return EngineFunction.of(name, DecimalBounds.class, method, SqlTypeName.DECIMAL);
  }

  /**
   * The same number, or null. Also called by generated code.
   *
   * @throws StateSqlException if it has too many digits
   */
  public static BigDecimal bounded(BigDecimal number) {
    if (number == null) {
      return null;
    }
    long wholeDigits = (long) number.precision() - number.scale();
    if (number.precision() > MOST_DIGITS
        || number.scale() > MOST_DIGITS
        || wholeDigits > MOST_DIGITS) {
      throw new StateSqlException(
          ErrorCode.NUMERIC_OVERFLOW,
          "A decimal number has more than %d digits, with which nothing is computed."
              .formatted(MOST_DIGITS));
    }
    return number;
  }

  /** Called by generated code. */
  public static BigDecimal plus(BigDecimal first, BigDecimal second) {
    return (first == null || second == null) ? null : bounded(bounded(first).add(bounded(second)));
  }

  /** Called by generated code. */
  public static BigDecimal minus(BigDecimal first, BigDecimal second) {
    return (first == null || second == null)
        ? null
        : bounded(bounded(first).subtract(bounded(second)));
  }

  /** Called by generated code. */
  public static BigDecimal times(BigDecimal first, BigDecimal second) {
    return (first == null || second == null)
        ? null
        : bounded(bounded(first).multiply(bounded(second)));
  }

  /** Called by generated code. */
  public static BigDecimal remainder(BigDecimal dividend, BigDecimal divisor) {
    return (dividend == null || divisor == null)
        ? null
        : bounded(bounded(dividend).remainder(bounded(divisor)));
  }

  /** Called by generated code. */
  public static Integer keptDigits(Object digits) {
    if (digits == null) {
      return null;
    }
    long number = ((Number) digits).longValue();
    return (int) Math.max(-MOST_DIGITS, Math.min(MOST_DIGITS, number));
  }
}
