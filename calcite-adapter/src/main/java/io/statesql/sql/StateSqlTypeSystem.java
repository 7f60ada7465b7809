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

import java.math.RoundingMode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The one type system of every way in.
 *
 * <ul>
 *   <li>Text is VARCHAR and never padded.
 *   <li>{@code DECIMAL} without precision is <em>unbounded</em>: a value keeps every digit that it
 *       has, whatever its length. Its declared form is {@code DECIMAL(1000, 500)}. Where an exact
 *       result type would need more than 1000 digits, the unbounded one is taken. Conversion to it
 *       never rounds; conversion to a narrower decimal or to an integer rounds half up, and is an
 *       error where the integer part does not fit. {@code /} and {@code AVG} give an unbounded
 *       decimal of 34 significant digits, or as many as the longer operand has.
 *   <li>{@code SUM} of integers up to INTEGER is BIGINT, of BIGINT and DECIMAL an unbounded
 *       decimal, of approximate numbers DOUBLE. {@code AVG} of exact numbers is an unbounded
 *       decimal, of approximate ones DOUBLE.
 *   <li>TIME, TIMESTAMP and intervals have milliseconds.
 *   <li>REAL and DOUBLE: {@code =} takes -0.0 for 0.0 and NaN for itself; NaN is neither less nor
 *       greater than a number. ORDER BY, MIN and MAX put NaN above all numbers and -0.0 below 0.0;
 *       GROUP BY, DISTINCT and set operations take NaN for one value and tell -0.0 from 0.0.
 * </ul>
 *
 * <p>Immutable.
 */
public final class StateSqlTypeSystem extends RelDataTypeSystemImpl {
  /** The only instance. */
  public static final StateSqlTypeSystem INSTANCE = new StateSqlTypeSystem();

  /**
   * The declared precision of an unbounded decimal, and the largest one that SQL text may declare.
   */
  public static final int MAX_DECIMAL_PRECISION = 1000;

  /** The declared scale of an unbounded decimal, and the largest one that SQL text may declare. */
  public static final int MAX_DECIMAL_SCALE = 500;

  /** The digits of a second that times and intervals have. */
  public static final int DATETIME_PRECISION = 3;

  private static final int MAX_TEXT_LENGTH = Integer.MAX_VALUE;

  private StateSqlTypeSystem() {}

  /** Whether a type is the unbounded decimal. */
  public static boolean isUnboundedDecimal(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL
        && type.getPrecision() == MAX_DECIMAL_PRECISION
        && type.getScale() == MAX_DECIMAL_SCALE;
  }

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> MAX_DECIMAL_PRECISION;
      case CHAR, VARCHAR, BINARY, VARBINARY -> MAX_TEXT_LENGTH;
      case TIME,
          TIME_WITH_LOCAL_TIME_ZONE,
          TIME_TZ,
          TIMESTAMP,
          TIMESTAMP_WITH_LOCAL_TIME_ZONE,
          TIMESTAMP_TZ ->
          DATETIME_PRECISION;
      default -> super.getMaxPrecision(typeName);
    };
  }

  @Override
  public int getDefaultPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> MAX_DECIMAL_PRECISION;
      case TIME,
          TIME_WITH_LOCAL_TIME_ZONE,
          TIME_TZ,
          TIMESTAMP,
          TIMESTAMP_WITH_LOCAL_TIME_ZONE,
          TIMESTAMP_TZ ->
          DATETIME_PRECISION;
      default -> super.getDefaultPrecision(typeName);
    };
  }

  @Override
  public int getMaxScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? MAX_DECIMAL_SCALE : super.getMaxScale(typeName);
  }

  // Calcite 1.41 still asks these two in the validator and in the rules for decimal arithmetic.
  @SuppressWarnings("deprecation")
  @Override
  public int getMaxNumericPrecision() {
    return MAX_DECIMAL_PRECISION;
  }

  @SuppressWarnings("deprecation")
  @Override
  public int getMaxNumericScale() {
    return MAX_DECIMAL_SCALE;
  }

  @Override
  public RoundingMode roundingMode() {
    return RoundingMode.HALF_UP;
  }

  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory typeFactory, RelDataType argumentType) {
    RelDataType sum =
        switch (argumentType.getSqlTypeName()) {
          case TINYINT, SMALLINT, INTEGER -> typeFactory.createSqlType(SqlTypeName.BIGINT);
          // The sum of a sum has the same type, which plans of several steps rely on.
          case BIGINT, DECIMAL -> unbounded(typeFactory);
          case REAL, FLOAT, DOUBLE -> typeFactory.createSqlType(SqlTypeName.DOUBLE);
          default -> super.deriveSumType(typeFactory, argumentType);
        };
    return typeFactory.createTypeWithNullability(sum, argumentType.isNullable());
  }

  /** Of variances, too: that of a sample is NULL for a single row, whatever the argument. */
  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory typeFactory, RelDataType argumentType) {
    RelDataType average =
        SqlTypeUtil.isExactNumeric(argumentType)
            ? unbounded(typeFactory)
            : SqlTypeUtil.isApproximateNumeric(argumentType)
                ? typeFactory.createSqlType(SqlTypeName.DOUBLE)
                : argumentType;
    return typeFactory.createTypeWithNullability(average, true);
  }

  /** Calcite gives the first argument's type, which cannot hold the covariance of integers. */
  @Override
  public RelDataType deriveCovarType(
      RelDataTypeFactory typeFactory, RelDataType first, RelDataType second) {
    return deriveAvgAggType(typeFactory, SqlTypeUtil.isApproximateNumeric(second) ? second : first);
  }

  @Override
  public RelDataType deriveDecimalPlusType(
      RelDataTypeFactory typeFactory, RelDataType type1, RelDataType type2) {
    return exact(typeFactory, super.deriveDecimalPlusType(typeFactory, type1, type2));
  }

  @Override
  public RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory typeFactory, RelDataType type1, RelDataType type2) {
    RelDataType product = super.deriveDecimalMultiplyType(typeFactory, type1, type2);
    boolean scaleCapped =
        product != null && type1.getScale() + type2.getScale() > MAX_DECIMAL_SCALE;
    return scaleCapped ? unbounded(typeFactory) : exact(typeFactory, product);
  }

  @Override
  public RelDataType deriveDecimalDivideType(
      RelDataTypeFactory typeFactory, RelDataType type1, RelDataType type2) {
    boolean decimal = super.deriveDecimalDivideType(typeFactory, type1, type2) != null;
    return decimal ? unbounded(typeFactory) : null;
  }

  @Override
  public RelDataType deriveDecimalModType(
      RelDataTypeFactory typeFactory, RelDataType type1, RelDataType type2) {
    return exact(typeFactory, super.deriveDecimalModType(typeFactory, type1, type2));
  }

  /**
   * The type that holds every value of the exact result: one whose precision was capped may lack
   * digits.
   */
  private static RelDataType exact(RelDataTypeFactory typeFactory, RelDataType type) {
    return type == null || type.getPrecision() < MAX_DECIMAL_PRECISION
        ? type
        : unbounded(typeFactory);
  }

  private static RelDataType unbounded(RelDataTypeFactory typeFactory) {
    return typeFactory.createSqlType(SqlTypeName.DECIMAL, MAX_DECIMAL_PRECISION, MAX_DECIMAL_SCALE);
  }
}
