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
import io.statesql.value.EngineValues;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlJsonArrayAggAggFunction;
import org.apache.calcite.sql.fun.SqlJsonObjectAggAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * What calls of SQL's JSON functions take and give. Calcite's own write a value as it stands in the
 * engine: a DATE as a number of days, a ROW as a list. So scalars are made text before ({@link
 * #isWrittenAsText}), and what has such values inside is refused.
 */
public final class JsonCalls {
  /** The text of a scalar that was found in JSON. */
  static final SqlOperator SCALAR_TEXT =
      EngineFunction.of("JSON_SCALAR_TEXT", JsonCalls.class, "scalarText", SqlTypeName.VARCHAR);

  private static final Set<SqlOperator> READERS =
      Set.of(
          SqlStdOperatorTable.JSON_VALUE,
          SqlStdOperatorTable.JSON_QUERY,
          SqlStdOperatorTable.JSON_EXISTS);

  /** Functions that tell or change something of a JSON text, at paths that may follow it. */
  private static final Set<String> INSPECTORS =
      Set.of(
          "JSON_TYPE",
          "JSON_DEPTH",
          "JSON_LENGTH",
          "JSON_KEYS",
          "JSON_PRETTY",
          "JSON_REMOVE",
          "JSON_STORAGE_SIZE");

  private static final Set<SqlOperator> WRITERS =
      Set.of(SqlStdOperatorTable.JSON_OBJECT, SqlStdOperatorTable.JSON_ARRAY);

  private JsonCalls() {}

  /** Called by generated code. */
  public static String scalarText(Object value) {
    return value == null ? null : value.toString();
  }

  /** Whether an operator makes JSON of the values of one row. */
  static boolean isWriter(SqlOperator operator) {
    return WRITERS.contains(operator);
  }

  /** Whether JSON has a value of a scalar type as its text. */
  static boolean isWrittenAsText(RelDataType type) {
    return SqlTypeUtil.isDatetime(type)
        || SqlTypeUtil.isBinary(type)
        || SqlTypeUtil.isInterval(type);
  }

  /**
   * Why a call of a JSON function is not accepted.
   *
   * @param types gives the type of an operand
   * @return null for one that is, and for calls of other functions
   */
  static StateSqlException refusal(SqlCall call, Function<SqlNode, RelDataType> types) {
    SqlOperator operator = call.getOperator();
    if (READERS.contains(operator)) {
      RelDataType read = types.apply(call.operand(0));
      return SqlTypeUtil.inCharFamily(read) || read.getSqlTypeName() == SqlTypeName.NULL
          ? null
          : new StateSqlException(
              ErrorCode.INVALID_STATEMENT,
              "%s reads JSON text, and not a value of type %s; elements of arrays and maps are read with [ ], fields of rows with a dot."
                  .formatted(operator.getName(), read));
    }
    if (INSPECTORS.contains(operator.getName())) {
      return ofInspector(call, types);
    }
    boolean aggregate =
        operator instanceof SqlJsonArrayAggAggFunction
            || operator instanceof SqlJsonObjectAggAggFunction;
    if (!aggregate && !isWriter(operator)) {
      return null;
    }
    for (SqlNode operand : call.getOperandList()) {
      RelDataType type = operand == null || isKeyword(operand) ? null : types.apply(operand);
      if (type == null) {
        continue;
      }
      if (aggregate && isWrittenAsText(type)) {
        return new StateSqlException(
            ErrorCode.INVALID_STATEMENT,
            "%s does not take a value of type %s; write CAST(... AS VARCHAR)."
                .formatted(operator.getName(), type));
      }
      if (EngineValues.isComposite(type) && !isWrittenAsItStands(type)) {
        return new StateSqlException(
            ErrorCode.INVALID_STATEMENT,
            "%s does not take a value of type %s, in which are rows, times or bytes; name its fields and elements one by one."
                .formatted(operator.getName(), type));
      }
    }
    return null;
  }

  private static StateSqlException ofInspector(SqlCall call, Function<SqlNode, RelDataType> types) {
    for (SqlNode operand : call.getOperandList()) {
      RelDataType type = types.apply(operand);
      if (!SqlTypeUtil.inCharFamily(type) && type.getSqlTypeName() != SqlTypeName.NULL) {
        return new StateSqlException(
            ErrorCode.INVALID_STATEMENT,
            "%s takes JSON text and paths, and not a value of type %s."
                .formatted(call.getOperator().getName(), type));
      }
    }
    return null;
  }

  private static boolean isKeyword(SqlNode operand) {
    return operand instanceof SqlLiteral literal && literal.getTypeName() == SqlTypeName.SYMBOL;
  }

  /** Whether the engine's form of a value is that of JSON. */
  private static boolean isWrittenAsItStands(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case ARRAY, MULTISET -> isWrittenAsItStands(type.getComponentType());
      case MAP ->
          List.of(type.getKeyType(), type.getValueType()).stream()
              .allMatch(JsonCalls::isWrittenAsItStands);
      case ROW, STRUCTURED -> false;
      default -> !isWrittenAsText(type);
    };
  }
}
