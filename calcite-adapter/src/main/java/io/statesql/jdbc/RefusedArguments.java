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
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Arguments that Calcite's functions seem to take, but cannot work with: they fail on them, or give
 * something else than what was asked for.
 */
final class RefusedArguments {
  private static final Set<TimeUnit> BEYOND_MILLISECONDS =
      Set.of(TimeUnit.MICROSECOND, TimeUnit.NANOSECOND);

  private RefusedArguments() {}

  /** Why a call cannot be run, or null. */
  static @Nullable StateSqlException refusal(SqlCall call, Function<SqlNode, RelDataType> types) {
    return switch (call.getKind()) {
      case FLOOR, CEIL -> ofRounding(call, types);
      case TIMESTAMP_ADD -> ofAddition(call);
      default -> null;
    };
  }

  private static @Nullable StateSqlException ofRounding(
      SqlCall call, Function<SqlNode, RelDataType> types) {
    RelDataType type = types.apply(call.operand(0));
    if (SqlTypeUtil.isInterval(type)) {
      return refused(
          "%s rounds numbers and times, and not a value of type %s."
              .formatted(call.getOperator().getName(), type));
    }
    boolean isOfTheDay =
        type.getSqlTypeName() == SqlTypeName.DATE
            && call.operandCount() > 1
            && call.operand(1) instanceof SqlIntervalQualifier unit
            && !unit.getUnit().yearMonth
            && unit.getUnit().multiplier != null
            && unit.getUnit().multiplier.compareTo(TimeUnit.DAY.multiplier) < 0;
    return isOfTheDay
        ? refused("A DATE has no time of day that could be rounded; CAST it to TIMESTAMP first.")
        : null;
  }

  private static @Nullable StateSqlException ofAddition(SqlCall call) {
    return call.operand(0) instanceof SqlIntervalQualifier unit
            && BEYOND_MILLISECONDS.contains(unit.getUnit())
        ? refused(
            "TIMESTAMPADD of a %s is not accepted, for times have milliseconds.".formatted(unit))
        : null;
  }

  private static StateSqlException refused(String reason) {
    return new StateSqlException(ErrorCode.UNSUPPORTED_STATEMENT, reason);
  }
}
