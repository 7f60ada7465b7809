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
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlGroupedWindowFunction;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
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

  /** Units that tell a number of a time, and no part of the calendar. */
  private static final Set<TimeUnit> NUMBERED =
      Set.of(TimeUnit.DOW, TimeUnit.ISODOW, TimeUnit.DOY, TimeUnit.EPOCH);

  /** The names that the parser keeps of units: those that no unit of Calcite's has. */
  private static final Set<String> UNIT_NAMES =
      Stream.of(TimeUnit.values()).map(TimeUnit::name).collect(Collectors.toSet());

  /** Functions of numbers of characters or rows. */
  private static final Set<SqlOperator> COUNTING =
      Set.of(SqlStdOperatorTable.SUBSTRING, SqlStdOperatorTable.RAND_INTEGER);

  private RefusedArguments() {}

  /** Why a call cannot be run, or null. */
  static @Nullable StateSqlException refusal(SqlCall call, Function<SqlNode, RelDataType> types) {
    return switch (call.getKind()) {
      case FLOOR, CEIL -> ofRounding(call, types);
      case TIMESTAMP_ADD -> ofAddition(call);
      case EXTRACT -> ofExtraction(call, types);
      case WITHIN_DISTINCT -> refused("WITHIN DISTINCT is not accepted; aggregate in a subquery.");
      case MULTISET_VALUE_CONSTRUCTOR -> ofMultiset(call, types);
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM,
          IN,
          NOT_IN,
          BETWEEN ->
          ofComparison(call, types);
      case LISTAGG -> ofList(call, types);
      default -> ofFunction(call, types);
    };
  }

  private static @Nullable StateSqlException ofExtraction(
      SqlCall call, Function<SqlNode, RelDataType> types) {
    if (!(call.operand(0) instanceof SqlIntervalQualifier unit)) {
      return null;
    }
    if (unit.timeFrameName != null && !UNIT_NAMES.contains(unit.timeFrameName)) {
      return refused("EXTRACT knows no unit %s.".formatted(unit.timeFrameName));
    }
    RelDataType type = types.apply(call.operand(1));
    return SqlTypeUtil.isInterval(type)
            && (unit.getUnit() == TimeUnit.ISOYEAR
                || (unit.getUnit() == TimeUnit.EPOCH && type.getSqlTypeName().isYearMonth()))
        ? refused("A value of type %s has no %s.".formatted(type, unit))
        : null;
  }

  private static @Nullable StateSqlException ofMultiset(
      SqlCall call, Function<SqlNode, RelDataType> types) {
    Set<SqlTypeName> names =
        call.getOperandList().stream()
            .map(operand -> types.apply(operand).getSqlTypeName())
            .map(name -> name == SqlTypeName.CHAR ? SqlTypeName.VARCHAR : name)
            .filter(name -> name != SqlTypeName.NULL)
            .collect(Collectors.toSet());
    return names.size() > 1
        ? refused(
            "The values of a MULTISET are of one type, not of %s; write CAST.".formatted(names))
        : null;
  }

  /** Calcite would compare the number that an interval is with anything. */
  private static @Nullable StateSqlException ofComparison(
      SqlCall call, Function<SqlNode, RelDataType> types) {
    List<RelDataType> compared =
        call.getOperandList().stream()
            .flatMap(
                operand -> operand instanceof SqlNodeList list ? list.stream() : Stream.of(operand))
            .filter(operand -> !operand.isA(SqlKind.QUERY) && !(operand instanceof SqlDynamicParam))
            .map(types)
            .filter(type -> type.getSqlTypeName() != SqlTypeName.NULL)
            .toList();
    return compared.stream().anyMatch(SqlTypeUtil::isInterval)
            && !compared.stream().allMatch(SqlTypeUtil::isInterval)
        ? refused("An INTERVAL is compared with an INTERVAL alone; write CAST.")
        : null;
  }

  private static @Nullable StateSqlException ofFunction(
      SqlCall call, Function<SqlNode, RelDataType> types) {
    SqlOperator operator = call.getOperator();
    if (!operator.getName().startsWith("JSON")
        && call.getOperandList().stream().anyMatch(RefusedArguments::isJsonFormat)) {
      return refused("FORMAT JSON belongs to a value of JSON_OBJECT or JSON_ARRAY.");
    }
    if (operator.equals(SqlStdOperatorTable.PLUS)
        && SqlUtil.isNullLiteral(call.operand(0), false)
        && SqlTypeUtil.isDatetime(types.apply(call.operand(1)))) {
      return refused("NULL is added to a time as CAST(NULL AS INTERVAL DAY).");
    }
    if (operator.equals(SqlStdOperatorTable.LAST_DAY)
        && types.apply(call.operand(0)).getSqlTypeName() == SqlTypeName.TIME) {
      return refused("LAST_DAY takes a DATE or TIMESTAMP.");
    }
    if (operator instanceof SqlGroupedWindowFunction) {
      return refused(
          "%s is not accepted in GROUP BY; write FROM TABLE(%s(TABLE ..., DESCRIPTOR(...), INTERVAL ...)) and group by window_start."
              .formatted(operator.getName().replace("$", ""), operator.getName().replace("$", "")));
    }
    if (!COUNTING.contains(operator)) {
      return null;
    }
    int first = operator.equals(SqlStdOperatorTable.SUBSTRING) ? 1 : 0;
    for (SqlNode number : call.getOperandList().subList(first, call.operandCount())) {
      RelDataType type = number instanceof SqlDynamicParam ? null : types.apply(number);
      if (type != null
          && !SqlTypeUtil.isIntType(type)
          && type.getSqlTypeName() != SqlTypeName.NULL) {
        return refused(
            "%s takes whole numbers, and not a value of type %s."
                .formatted(operator.getName(), type));
      }
    }
    return null;
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
    if (call.operandCount() > 1
        && call.operand(1) instanceof SqlIntervalQualifier unit
        && NUMBERED.contains(unit.getUnit())) {
      return refused("%s does not round to a %s.".formatted(call.getOperator().getName(), unit));
    }
    return isOfTheDay
        ? refused("A DATE has no time of day that could be rounded; CAST it to TIMESTAMP first.")
        : null;
  }

  private static @Nullable StateSqlException ofList(
      SqlCall call, Function<SqlNode, RelDataType> types) {
    SqlNode value = CallForms.listedValue(call);
    return value != null && SqlTypeUtil.isBinary(types.apply(value))
        ? refused("LISTAGG does not take bytes; CAST them to VARCHAR.")
        : null;
  }

  private static @Nullable StateSqlException ofAddition(SqlCall call) {
    return call.operand(0) instanceof SqlIntervalQualifier unit
            && BEYOND_MILLISECONDS.contains(unit.getUnit())
        ? refused(
            "TIMESTAMPADD of a %s is not accepted, for times have milliseconds.".formatted(unit))
        : null;
  }

  private static boolean isJsonFormat(@Nullable SqlNode node) {
    return node instanceof SqlCall call
        && call.getOperator().equals(SqlStdOperatorTable.JSON_VALUE_EXPRESSION);
  }

  private static StateSqlException refused(String reason) {
    return new StateSqlException(ErrorCode.UNSUPPORTED_STATEMENT, reason);
  }
}
