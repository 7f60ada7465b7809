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

import io.statesql.sql.function.EngineFunction;
import io.statesql.sql.function.LikePattern;
import io.statesql.sql.function.SimilarPattern;
import io.statesql.sql.function.TextFunctions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Which of our functions of text stand for which of SQL. */
final class TextOperators {
  private static final Map<SqlOperator, List<SqlOperator>> OF_SQL =
      Map.ofEntries(
          Map.entry(
              SqlStdOperatorTable.CHAR_LENGTH,
              List.of(function("CHAR_LENGTH", "charLength", SqlTypeName.INTEGER))),
          Map.entry(
              SqlStdOperatorTable.CHARACTER_LENGTH,
              List.of(function("CHAR_LENGTH", "charLength", SqlTypeName.INTEGER))),
          Map.entry(SqlStdOperatorTable.CONCAT, List.of(text("CONCAT", "concat"))),
          Map.entry(SqlStdOperatorTable.REPLACE, List.of(text("REPLACE", "replace"))),
          Map.entry(
              SqlStdOperatorTable.SUBSTRING,
              List.of(text("SUBSTRING", "substring"), text("SUBSTRING", "substringFor"))),
          Map.entry(
              SqlStdOperatorTable.POSITION,
              List.of(
                  function("POSITION", "position", SqlTypeName.INTEGER),
                  function("POSITION", "positionFrom", SqlTypeName.INTEGER))),
          Map.entry(
              SqlStdOperatorTable.OVERLAY,
              List.of(text("OVERLAY", "overlay"), text("OVERLAY", "overlayFor"))),
          Map.entry(SqlStdOperatorTable.INITCAP, List.of(text("INITCAP", "initcap"))),
          Map.entry(
              SqlStdOperatorTable.LIKE,
              List.of(
                  EngineFunction.of("LIKE", LikePattern.class, "like", SqlTypeName.BOOLEAN),
                  EngineFunction.of(
                      "LIKE", LikePattern.class, "likeEscaped", SqlTypeName.BOOLEAN))),
          Map.entry(
              SqlStdOperatorTable.SIMILAR_TO,
              List.of(
                  EngineFunction.of(
                      "SIMILAR TO", SimilarPattern.class, "similar", SqlTypeName.BOOLEAN),
                  EngineFunction.of(
                      "SIMILAR TO", SimilarPattern.class, "similarEscaped", SqlTypeName.BOOLEAN))));

  private static final Map<SqlTrimFunction.Flag, SqlOperator> TRIMS =
      Map.of(
          SqlTrimFunction.Flag.BOTH, text("TRIM", "trim"),
          SqlTrimFunction.Flag.LEADING, text("TRIM_LEADING", "trimLeading"),
          SqlTrimFunction.Flag.TRAILING, text("TRIM_TRAILING", "trimTrailing"));

  private static final SqlOperator TRUNCATED = text("TRUNCATED", "truncated");
  private static final SqlOperator PADDED = text("PADDED", "padded");

  private TextOperators() {}

  private static SqlOperator text(String name, String method) {
    return function(name, method, SqlTypeName.VARCHAR);
  }

  private static SqlOperator function(String name, String method, SqlTypeName result) {
    return EngineFunction.of(name, TextFunctions.class, method, result);
  }

  /**
   * The call that stands for one of SQL.
   *
   * @param type of its result
   * @return null for functions that do not count characters, and for those of bytes
   */
  static @Nullable RexNode call(
      RelDataType type,
      SqlOperator operator,
      List<? extends RexNode> operands,
      RexBuilder rexBuilder) {
    if (operator.equals(SqlStdOperatorTable.TRIM)) {
      SqlTrimFunction.Flag flag =
          ((RexLiteral) operands.get(0)).getValueAs(SqlTrimFunction.Flag.class);
      return call(type, List.of(TRIMS.get(flag)), operands.subList(1, operands.size()), rexBuilder);
    }
    List<SqlOperator> functions = OF_SQL.get(operator);
    return functions == null ? null : call(type, functions, operands, rexBuilder);
  }

  private static @Nullable RexNode call(
      RelDataType type,
      List<SqlOperator> functions,
      List<? extends RexNode> operands,
      RexBuilder rexBuilder) {
    List<RexNode> converted = new ArrayList<>();
    for (RexNode operand : operands) {
      if (SqlTypeUtil.inCharFamily(operand.getType())) {
        converted.add(operand);
      } else if (SqlTypeUtil.isIntType(operand.getType())) {
        converted.add(bigint(operand, rexBuilder));
      } else {
        return null;
      }
    }
    return functions.stream()
        .filter(function -> function.getOperandCountRange().isValidCount(operands.size()))
        .findFirst()
        .map(function -> rexBuilder.makeCall(type, function, converted))
        .orElse(null);
  }

  private static RexNode bigint(RexNode number, RexBuilder rexBuilder) {
    RelDataTypeFactory typeFactory = rexBuilder.getTypeFactory();
    return rexBuilder.makeCast(
        typeFactory.createTypeWithNullability(
            typeFactory.createSqlType(SqlTypeName.BIGINT), number.getType().isNullable()),
        number);
  }

  /**
   * The conversion of a text to a type of text.
   *
   * @return null where that takes off no character and adds none
   */
  static @Nullable RexNode cast(RelDataType type, RexNode text, RexBuilder rexBuilder) {
    int length = type.getPrecision();
    boolean padded = type.getSqlTypeName() == SqlTypeName.CHAR;
    if (!SqlTypeUtil.inCharFamily(type)
        || !SqlTypeUtil.inCharFamily(text.getType())
        || length == RelDataType.PRECISION_NOT_SPECIFIED
        || (!padded && isAtMost(text.getType(), length))) {
      return null;
    }
    return rexBuilder.makeCall(
        type,
        padded ? PADDED : TRUNCATED,
        List.of(text, rexBuilder.makeExactLiteral(BigDecimal.valueOf(length))));
  }

  /** Whether an expression is a text of fewer characters than units of UTF-16. */
  static boolean isAstralLiteral(RexNode expression) {
    if (!(expression instanceof RexLiteral literal)
        || !SqlTypeUtil.inCharFamily(literal.getType())
        || literal.isNull()) {
      return false;
    }
    String text = literal.getValueAs(String.class);
    return text.codePointCount(0, text.length()) < text.length();
  }

  private static boolean isAtMost(RelDataType type, int length) {
    return type.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED
        && type.getPrecision() <= length;
  }
}
