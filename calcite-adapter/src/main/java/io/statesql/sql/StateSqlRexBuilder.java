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

import io.statesql.Cancellation;
import io.statesql.sql.function.ApproximateNumbers;
import io.statesql.sql.function.DateTimeFunctions;
import io.statesql.sql.function.DecimalBounds;
import io.statesql.sql.function.ExactDecimals;
import io.statesql.sql.function.JsonPredicate;
import io.statesql.sql.function.LongLists;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Builds expressions whose conversions lose nothing without a word, whoever asks for them, query or
 * planner: every digit is kept on the way to the unbounded decimal and from times to text, and what
 * an integer cannot hold is an error.
 */
public final class StateSqlRexBuilder extends RexBuilder {
  private static final Set<SqlOperator> ROUNDING =
      Set.of(SqlStdOperatorTable.ROUND, SqlStdOperatorTable.TRUNCATE);

  private final LongLists lists;
  private final Cancellation planning;

  /**
   * A builder for one statement.
   *
   * @param lists keeps the long lists of its expressions
   * @param planning ends the making of expressions
   */
  public StateSqlRexBuilder(
      RelDataTypeFactory typeFactory, LongLists lists, Cancellation planning) {
    super(typeFactory);
    this.lists = lists;
    this.planning = planning;
  }

  @Override
  public RexNode makeAbstractCast(SqlParserPos pos, RelDataType type, RexNode exp, boolean safe) {
    RelDataType from = exp.getType();
    if (!safe && isNumberOrText(from)) {
      if (StateSqlTypeSystem.isUnboundedDecimal(type)) {
        if (exp instanceof RexLiteral literal
            && SqlTypeUtil.isExactNumeric(from)
            && literal.getValue() instanceof BigDecimal decimal
            && !type.isNullable()) {
          return makeLiteral(decimal, type, SqlTypeName.DECIMAL);
        }
        return makeCall(pos, type, ExactDecimals.EXACT_DECIMAL, List.of(exp));
      }
      if (SqlTypeUtil.isApproximateNumeric(from) && SqlTypeUtil.isExactNumeric(type)) {
        // Calcite makes integers of NaN and infinities; a decimal refuses them.
        RelDataType decimal = nullableAs(typeFactory.createSqlType(SqlTypeName.DECIMAL), exp);
        RexNode exact =
            SqlTypeUtil.isIntType(type)
                ? makeCall(pos, decimal, ExactDecimals.EXACT_VALUE, List.of(exp))
                : makeAbstractCast(pos, decimal, exp, false);
        return super.makeAbstractCast(pos, type, exact, false);
      }
    }
    if (!safe && SqlTypeUtil.isNumeric(from) && SqlTypeUtil.isBoolean(type)) {
      // Calcite's conversion of a literal is wrong: CAST(1 AS BOOLEAN) is false.
      return makeCall(
          pos, type, SqlStdOperatorTable.NOT_EQUALS, List.of(exp, makeZeroLiteral(from)));
    }
    if (!safe && SqlTypeUtil.inCharFamily(from) && DateTimeFunctions.parserOf(type) != null) {
      return makeCall(pos, type, DateTimeFunctions.parserOf(type), List.of(exp));
    }
    SqlOperator textOf =
        SqlTypeUtil.isApproximateNumeric(from)
            ? ApproximateNumbers.textOf(from)
            : DateTimeFunctions.textOf(from);
    if (!safe && SqlTypeUtil.inCharFamily(type) && textOf != null) {
      RexNode text = makeCall(pos, nullableAs(varchar(), exp), textOf, List.of(exp));
      return makeAbstractCast(pos, type, text, false);
    }
    RexNode text = safe ? null : TextOperators.cast(type, exp, this);
    if (text != null) {
      return text;
    }
    return super.makeAbstractCast(pos, type, exp, safe);
  }

  /**
   * Also of a literal to CHAR: Calcite takes one as it is if it has as many units of UTF-16 as the
   * type has characters.
   */
  @Override
  public RexNode makeCast(
      SqlParserPos pos,
      RelDataType type,
      RexNode exp,
      boolean matchNullability,
      boolean safe,
      RexLiteral format) {
    boolean counted =
        !safe && type.getSqlTypeName() == SqlTypeName.CHAR && TextOperators.isAstralLiteral(exp);
    return counted
        ? makeAbstractCast(pos, type, exp, false)
        : super.makeCast(pos, type, exp, matchNullability, safe, format);
  }

  /**
   * Also for years outside of 1 to 9999: those stay the conversion of a text, because Calcite's
   * literals keep four digits of a year.
   */
  @Override
  public RexNode makeLiteral(
      @Nullable Object value, RelDataType type, boolean allowCast, boolean trim) {
    String text = DateTimeFunctions.textBeyondLiterals(value, type);
    return text == null
        ? super.makeLiteral(value, type, allowCast, trim)
        : makeCall(type, DateTimeFunctions.parserOf(type), List.of(makeLiteral(text)));
  }

  @Override
  public RexNode makeCall(
      SqlParserPos pos, RelDataType returnType, SqlOperator op, List<RexNode> exprs) {
    planning.check();
    if (Strong.policy(op) == Strong.Policy.ANY && exprs.stream().anyMatch(this::isBareNull)) {
      // Calcite has no code for values of the type of NULL.
      return makeNullLiteral(returnType);
    }
    if (SqlKind.BINARY_COMPARISON.contains(op.getKind())
        && Strong.policy(op) == Strong.Policy.ANY
        && exprs.stream().anyMatch(RexLiteral::isNullLiteral)) {
      // Where a value turns out to be NULL, Calcite keeps the comparison, and fails on it later.
      return makeNullLiteral(returnType);
    }
    if (op.getKind() == SqlKind.SEARCH && SqlTypeUtil.isBoolean(exprs.get(0).getType())) {
      // Calcite takes what is unknown there for false.
      return RexUtil.expandSearch(
          this, null, super.makeCall(pos, returnType, SqlStdOperatorTable.SEARCH, exprs));
    }
    if (JsonCalls.isWriter(op)) {
      List<RexNode> written = exprs.stream().map(this::writtenInJson).toList();
      return super.makeCall(pos, returnType, op, written);
    }
    if (op.equals(SqlStdOperatorTable.JSON_VALUE)
        && returnType.getSqlTypeName() != SqlTypeName.ANY
        && !SqlTypeUtil.inCharFamily(returnType)) {
      return readFromJson(pos, returnType, exprs);
    }
    if (op.getKind() == SqlKind.CASE) {
      return super.makeCall(pos, returnType, op, exprs.stream().map(this::asItIs).toList());
    }
    if (ROUNDING.contains(op)
        && exprs.size() == 2
        && exprs.get(1).getType().getSqlTypeName() != SqlTypeName.NULL) {
      return super.makeCall(pos, returnType, op, List.of(exprs.get(0), keptDigits(exprs.get(1))));
    }
    SqlOperator ofJson = JsonPredicate.of(op);
    if (ofJson != null) {
      return super.makeCall(pos, returnType, ofJson, exprs);
    }
    RexNode ofArray = ArrayComparisons.call(returnType, op, exprs, this);
    if (ofArray != null) {
      return ofArray;
    }
    RexNode ofText = TextOperators.call(returnType, op, exprs, this);
    if (ofText != null) {
      return ofText;
    }
    boolean decimalDivision =
        op.getKind() == SqlKind.DIVIDE
            && returnType.getSqlTypeName() == SqlTypeName.DECIMAL
            && exprs.stream().allMatch(operand -> SqlTypeUtil.isExactNumeric(operand.getType()));
    if (!decimalDivision) {
      return super.makeCall(pos, returnType, op, exprs);
    }
    RelDataType decimal = typeFactory.createSqlType(SqlTypeName.DECIMAL);
    List<RexNode> operands =
        exprs.stream().map(operand -> makeCast(nullableAs(decimal, operand), operand)).toList();
    return super.makeCall(pos, returnType, ExactDecimals.DECIMAL_DIVIDE, operands);
  }

  @Override
  public RexNode makeCall(SqlParserPos pos, SqlOperator op, List<? extends RexNode> exprs) {
    if (op.getKind() == SqlKind.OR) {
      List<RexNode> terms = lists.shorten(exprs, this);
      return terms.size() == 1
          ? terms.get(0)
          : makeCall(pos, deriveReturnType(op, terms), op, terms);
    }
    return makeCall(pos, deriveReturnType(op, exprs), op, List.copyOf(exprs));
  }

  /** A decimal of any scale keeps its own, where Calcite sets that of the type. */
  @SuppressWarnings("rawtypes") // Calcite's signature
  @Override
  protected RexLiteral makeLiteral(Comparable value, RelDataType type, SqlTypeName typeName) {
    return value instanceof BigDecimal decimal
            && typeName == SqlTypeName.DECIMAL
            && StateSqlTypeSystem.isUnboundedDecimal(type)
        ? RexLiteral.fromJdbcString(
            typeFactory.createTypeWithNullability(type, false), typeName, decimal.toString())
        : super.makeLiteral(value, type, typeName);
  }

  @Override
  public RexNode makeAbstractCast(
      SqlParserPos pos, RelDataType type, RexNode exp, boolean safe, RexLiteral format) {
    return format.isNull()
        ? makeAbstractCast(pos, type, exp, safe)
        : super.makeAbstractCast(pos, type, exp, safe, format);
  }

  /**
   * A value without the claim that it is not NULL, which Calcite makes behind {@code IS NOT NULL}.
   * Where the planner puts a condition in the place of a CASE it drops that test, and NULL would
   * pass for zero.
   */
  private RexNode asItIs(RexNode value) {
    return RexUtil.isNullabilityCast(typeFactory, value)
        ? asItIs(((RexCall) value).getOperands().get(0))
        : value;
  }

  /** Calcite would write a number out to as many digits as it is to keep. */
  private RexNode keptDigits(RexNode digits) {
    RelDataType integer = nullableAs(typeFactory.createSqlType(SqlTypeName.INTEGER), digits);
    return isSmall(digits) ? digits : makeCall(integer, DecimalBounds.KEPT_DIGITS, List.of(digits));
  }

  private static boolean isSmall(RexNode digits) {
    return digits instanceof RexLiteral literal
        && literal.getValue() instanceof BigDecimal number
        && number.abs().compareTo(BigDecimal.valueOf(DecimalBounds.MOST_DIGITS)) <= 0;
  }

  private RexNode writtenInJson(RexNode value) {
    return JsonCalls.isWrittenAsText(value.getType())
        ? makeAbstractCast(SqlParserPos.ZERO, nullableAs(varchar(), value), value, false)
        : value;
  }

  /** Calcite takes what it finds for a value of the type that it should be. */
  private RexNode readFromJson(SqlParserPos pos, RelDataType type, List<RexNode> exprs) {
    RelDataType any = nullable(typeFactory.createSqlType(SqlTypeName.ANY));
    RexNode found = super.makeCall(pos, any, SqlStdOperatorTable.JSON_VALUE, exprs);
    RexNode text = makeCall(pos, nullable(varchar()), JsonCalls.SCALAR_TEXT, List.of(found));
    RexNode number =
        SqlTypeUtil.isExactNumeric(type)
            ? makeAbstractCast(
                pos, nullable(typeFactory.createSqlType(SqlTypeName.DECIMAL)), text, false)
            : text;
    return makeAbstractCast(pos, nullable(type), number, false);
  }

  private RelDataType varchar() {
    return typeFactory.createSqlType(SqlTypeName.VARCHAR);
  }

  private RelDataType nullable(RelDataType type) {
    return typeFactory.createTypeWithNullability(type, true);
  }

  private boolean isBareNull(RexNode value) {
    return value.getType().getSqlTypeName() == SqlTypeName.NULL && RexLiteral.isNullLiteral(value);
  }

  private static boolean isNumberOrText(RelDataType type) {
    return SqlTypeUtil.isNumeric(type) || SqlTypeUtil.inCharFamily(type);
  }

  private RelDataType nullableAs(RelDataType type, RexNode exp) {
    return typeFactory.createTypeWithNullability(type, exp.getType().isNullable());
  }
}
