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

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Operators on approximate numbers that the planner inserts and SQL text cannot name. Most turn a
 * DOUBLE into an integer that sorts and compares as a value should, whatever the plan: NaN is one
 * value, equal to itself and above all others.
 */
public final class ApproximateNumbers {
  /** The place of a number in the order in which ORDER BY sorts, with -0.0 below 0.0. */
  public static final SqlOperator ORDER =
      EngineFunction.of("APPROXIMATE_ORDER", ApproximateNumbers.class, "order", SqlTypeName.BIGINT);

  /** The number at a place in that order. */
  public static final SqlOperator OF_ORDER =
      EngineFunction.of(
          "APPROXIMATE_OF_ORDER", ApproximateNumbers.class, "ofOrder", SqlTypeName.DOUBLE);

  /** As {@link #ORDER}, but the same for -0.0 and 0.0, which are equal. */
  public static final SqlOperator KEY =
      EngineFunction.of("APPROXIMATE_KEY", ApproximateNumbers.class, "key", SqlTypeName.BIGINT);

  private static final SqlOperator DOUBLE_TEXT =
      EngineFunction.of("DOUBLE_TEXT", ApproximateNumbers.class, "doubleText", SqlTypeName.VARCHAR);

  private static final SqlOperator REAL_TEXT =
      EngineFunction.of("REAL_TEXT", ApproximateNumbers.class, "realText", SqlTypeName.VARCHAR);

  private ApproximateNumbers() {}

  /** The operator for {@code CAST} to text: Calcite's own drops the sign of -0.0. */
  public static SqlOperator textOf(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.REAL ? REAL_TEXT : DOUBLE_TEXT;
  }

  /** Called by generated code. */
  public static String doubleText(Double value) {
    return value == null ? null : value.toString();
  }

  /** Called by generated code. */
  public static String realText(Float value) {
    return value == null ? null : value.toString();
  }

  /** Called by generated code. */
  public static Long order(Double value) {
    // Without their sign bit the bits of doubles rise with their magnitude.
    return value == null ? null : (Long) flipNegative(Double.doubleToLongBits(value));
  }

  /** Called by generated code. */
  public static Double ofOrder(Long order) {
    return order == null ? null : (Double) Double.longBitsToDouble(flipNegative(order));
  }

  /** Called by generated code. */
  public static Long key(Double value) {
    return value == null ? null : order(value + 0.0);
  }

  private static long flipNegative(long bits) {
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
  }
}
