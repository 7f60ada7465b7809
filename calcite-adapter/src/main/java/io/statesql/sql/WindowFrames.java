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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.sql.function.EngineFunction;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Frames of windows that Calcite takes, but counts in something else than what they say: a month as
 * a millisecond, a day as a number of rows.
 */
public final class WindowFrames {
  private static final BigDecimal MOST_ROWS = BigDecimal.valueOf(Integer.MAX_VALUE);

  private static final SqlOperator RANGE_KEY =
      EngineFunction.of("RANGE_KEY", WindowFrames.class, "rangeKey", SqlTypeName.BIGINT);

  private WindowFrames() {}

  /** A part of a window that is refused, and why. */
  record Refusal(SqlNode part, StateSqlException reason) {}

  /**
   * What is refused of a window that Calcite has found valid.
   *
   * @param types gives the type of an expression
   * @return null for nothing
   */
  static @Nullable Refusal refusal(SqlWindow window, Function<SqlNode, RelDataType> types) {
    if (window.getExclude() != null && !SqlWindow.isExcludeNoOthers(window.getExclude())) {
      return refused(
          window.getExclude(), "EXCLUDE is not accepted; subtract in a query around this one.");
    }
    Refusal lower = refusal(window, window.getLowerBound(), types);
    return lower == null ? refusal(window, window.getUpperBound(), types) : lower;
  }

  private static @Nullable Refusal refusal(
      SqlWindow window, @Nullable SqlNode bound, Function<SqlNode, RelDataType> types) {
    if (!(bound instanceof SqlCall call)
        || (call.getKind() != SqlKind.PRECEDING && call.getKind() != SqlKind.FOLLOWING)) {
      return null;
    }
    SqlNode distance = call.operand(0);
    if (!(distance instanceof SqlNumericLiteral) && !(distance instanceof SqlIntervalLiteral)) {
      return refused(distance, "A frame ends at a distance that is a number or INTERVAL literal.");
    }
    return window.isRows() ? ofRows(distance) : ofRange(window, distance, types);
  }

  /**
   * The key that rows are sorted by, in a form whose distances Calcite computes right.
   *
   * @param window whose only key it may be
   */
  static RexNode sortKey(RexNode key, RexWindow window, RexBuilder rexBuilder) {
    long distance = Math.max(distance(window.getLowerBound()), distance(window.getUpperBound()));
    if (window.isRows()
        || distance < 0
        || !SqlTypeName.INT_TYPES.contains(key.getType().getSqlTypeName())) {
      return key;
    }
    RelDataTypeFactory factory = rexBuilder.getTypeFactory();
    RelDataType bigint =
        factory.createTypeWithNullability(
            factory.createSqlType(SqlTypeName.BIGINT), key.getType().isNullable());
    return rexBuilder.makeCall(
        bigint,
        RANGE_KEY,
        List.of(
            rexBuilder.makeCast(bigint, key),
            rexBuilder.makeBigintLiteral(BigDecimal.valueOf(distance))));
  }

  /** The number, or -1 for a bound that has none. */
  private static long distance(RexWindowBound bound) {
    return bound.getOffset() instanceof RexLiteral literal
            && literal.getValue() instanceof BigDecimal number
        ? number.longValueExact()
        : -1;
  }

  /** Called by generated code. */
  public static Long rangeKey(Long key, Long distance) {
    if (key == null) {
      return null;
    }
    Math.addExact(key, distance);
    Math.subtractExact(key, distance);
    return key;
  }

  private static @Nullable Refusal ofRows(SqlNode distance) {
    if (distance instanceof SqlIntervalLiteral) {
      return refused(distance, "ROWS counts rows, and not time; an INTERVAL goes with RANGE.");
    }
    return distance instanceof SqlNumericLiteral number
            && number.bigDecimalValue().compareTo(MOST_ROWS) > 0
        ? refused(distance, "ROWS counts at most %s rows.".formatted(MOST_ROWS))
        : null;
  }

  private static @Nullable Refusal ofRange(
      SqlWindow window, SqlNode distance, Function<SqlNode, RelDataType> types) {
    if (window.getOrderList().size() != 1) {
      return null;
    }
    SqlNode key = withoutDirection(window.getOrderList().get(0));
    if (SqlUtil.isLiteral(key, true)) {
      return refused(
          distance, "RANGE with a distance needs an ORDER BY expression that is no constant.");
    }
    SqlTypeName keyType = types.apply(key).getSqlTypeName();
    if (distance instanceof SqlIntervalLiteral) {
      if (types.apply(distance).getSqlTypeName().isYearMonth()) {
        return refused(
            distance,
            "RANGE takes no INTERVAL of months or years, which differ in length; give a number of days.");
      }
      return keyType == SqlTypeName.TIMESTAMP
          ? null
          : refused(
              distance,
              "RANGE with an INTERVAL sorts by a TIMESTAMP, not by a %s; write CAST(%s AS TIMESTAMP) where that has a meaning."
                  .formatted(keyType, key));
    }
    if (!((SqlNumericLiteral) distance).isInteger()
        || ((SqlNumericLiteral) distance).bigDecimalValue().compareTo(MOST_ROWS) > 0) {
      return refused(distance, "RANGE takes a whole number up to %s.".formatted(MOST_ROWS));
    }
    return SqlTypeName.INT_TYPES.contains(keyType) || keyType == SqlTypeName.DOUBLE
        ? null
        : refused(
            distance,
            "RANGE with a number sorts by integers or DOUBLE, not by %s; write CAST(%s AS DOUBLE)."
                .formatted(keyType, key));
  }

  private static SqlNode withoutDirection(SqlNode key) {
    return key.getKind() == SqlKind.DESCENDING
            || key.getKind() == SqlKind.NULLS_FIRST
            || key.getKind() == SqlKind.NULLS_LAST
        ? withoutDirection(((SqlCall) key).operand(0))
        : key;
  }

  private static Refusal refused(SqlNode part, String reason) {
    return new Refusal(part, new StateSqlException(ErrorCode.UNSUPPORTED_STATEMENT, reason));
  }
}
