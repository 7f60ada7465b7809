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

import com.google.common.collect.ImmutableList;
import io.statesql.sql.function.DecimalBounds;
import io.statesql.sql.function.ExactDecimals;
import io.statesql.sql.function.IntegerRemainder;
import io.statesql.sql.function.MomentFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Rewrites a query so that its arithmetic is right or an error, never a wrong number.
 *
 * <ul>
 *   <li>{@code + - * /}, negation and ABS of integers are checked. (Calcite's own {@code
 *       ConvertToChecked} of 1.41 forgets operands below decimal arithmetic, and ABS.)
 *   <li>Arguments of SUM and AVG get the result's type, since Calcite adds in it without
 *       converting.
 *   <li>Unbounded decimals that the engine would hash by their representation (group keys, rows of
 *       set operations, sides of an equality) are brought to one form, so that 1.0 and 1.00 are
 *       equal everywhere.
 * </ul>
 */
final class CheckedArithmetic extends RelHomogeneousShuttle {
  private final RexBuilder rexBuilder;
  private final Expressions expressions = new Expressions();

  CheckedArithmetic(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other).accept(expressions);
    if (visited instanceof Aggregate aggregate) {
      return withPreparedInput(aggregate);
    }
    boolean compares = visited instanceof SetOp set && !(visited instanceof Union && set.all);
    return compares ? withDecimalKeys((SetOp) visited) : visited;
  }

  /**
   * Puts a projection below an aggregate that prepares keys and arguments; columns that nothing
   * changes stay as they are.
   */
  private RelNode withPreparedInput(Aggregate aggregate) {
    var input = new PreparedInput(aggregate.getInput());
    for (int key : aggregate.getGroupSet()) {
      input.replaceKey(key);
    }
    var calls = new ArrayList<AggregateCall>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      var arguments = new ArrayList<Integer>();
      for (int argument : call.getArgList()) {
        arguments.add(input.argument(call, argument));
      }
      calls.add(call.withArgList(arguments));
    }
    return input.isChanged()
        ? aggregate.copy(
            aggregate.getTraitSet(),
            input.project(),
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            calls)
        : aggregate;
  }

  private RelNode withDecimalKeys(SetOp setOp) {
    var inputs = new ArrayList<RelNode>();
    for (RelNode input : setOp.getInputs()) {
      var prepared = new PreparedInput(input);
      for (int column = 0; column < input.getRowType().getFieldCount(); column++) {
        prepared.replaceKey(column);
      }
      inputs.add(prepared.isChanged() ? prepared.project() : input);
    }
    return setOp.copy(setOp.getTraitSet(), inputs);
  }

  private RexNode decimalKey(RexNode node) {
    return rexBuilder.makeCall(node.getType(), ExactDecimals.DECIMAL_KEY, List.of(node));
  }

  private RexNode bounded(RexNode number) {
    return rexBuilder.makeCall(number.getType(), DecimalBounds.BOUNDED, List.of(number));
  }

  private RexNode keyOf(RexNode node) {
    return StateSqlTypeSystem.isUnboundedDecimal(node.getType()) ? decimalKey(node) : node;
  }

  private static boolean isDecimal(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL;
  }

  private static boolean isInteger(RelDataType type) {
    return SqlTypeName.INT_TYPES.contains(type.getSqlTypeName());
  }

  private static boolean isSumOrAverage(SqlKind kind) {
    return kind == SqlKind.SUM || kind == SqlKind.SUM0 || kind == SqlKind.AVG;
  }

  /** Whether values are written out to one scale, all their digits, to be added up. */
  private static boolean addsUp(SqlKind kind) {
    return isSumOrAverage(kind) || MomentFunctions.isMoment(kind);
  }

  /** Columns of an input, some replaced and some added. */
  private final class PreparedInput {
    private final RelNode input;
    private final List<RexNode> columns = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private boolean changed;

    PreparedInput(RelNode input) {
      this.input = input;
      for (int i = 0; i < input.getRowType().getFieldCount(); i++) {
        columns.add(rexBuilder.makeInputRef(input, i));
      }
      names.addAll(input.getRowType().getFieldNames());
    }

    void replaceKey(int column) {
      RexNode key = columns.get(column);
      if (StateSqlTypeSystem.isUnboundedDecimal(key.getType())) {
        columns.set(column, decimalKey(key));
        changed = true;
      }
    }

    /** The column that an aggregate function should read instead of one of the input's. */
    int argument(AggregateCall call, int column) {
      RexNode value = rexBuilder.makeInputRef(input, column);
      RelDataType type = value.getType();
      RelDataType result = call.getType();
      if (isSumOrAverage(call.getAggregation().getKind())
          && type.getSqlTypeName() != result.getSqlTypeName()
          && (isDecimal(result) || result.getSqlTypeName() == SqlTypeName.DOUBLE)) {
        return add(rexBuilder.makeCast(nullableAs(result, type), value));
      }
      if (!StateSqlTypeSystem.isUnboundedDecimal(type)) {
        return column;
      }
      boolean addsUp = addsUp(call.getAggregation().getKind());
      if (call.isDistinct()) {
        return add(addsUp ? bounded(decimalKey(value)) : decimalKey(value));
      }
      return addsUp ? add(bounded(value)) : column;
    }

    private RelDataType nullableAs(RelDataType result, RelDataType type) {
      return rexBuilder.getTypeFactory().createTypeWithNullability(result, type.isNullable());
    }

    private int add(RexNode column) {
      columns.add(column);
      names.add("$" + columns.size());
      changed = true;
      return columns.size() - 1;
    }

    boolean isChanged() {
      return changed;
    }

    RelNode project() {
      return LogicalProject.create(input, List.of(), columns, names, Set.of());
    }
  }

  /** The part that works on expressions. */
  private final class Expressions extends RexShuttle {
    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
      RelNode rel = visited.rel.accept(CheckedArithmetic.this);
      RexSubQuery checked = rel == visited.rel ? visited : visited.clone(rel);
      return checked.getKind() == SqlKind.IN || checked.getKind() == SqlKind.SOME
          ? withDecimalKeys(checked)
          : checked;
    }

    private RexSubQuery withDecimalKeys(RexSubQuery query) {
      var prepared = new PreparedInput(query.rel);
      var operands = new ArrayList<RexNode>();
      for (int i = 0; i < query.getOperands().size(); i++) {
        RexNode operand = query.getOperands().get(i);
        prepared.replaceKey(i);
        operands.add(keyOf(operand));
      }
      return prepared.isChanged()
          ? query.clone(query.getType(), operands).clone(prepared.project())
          : query;
    }

    @Override
    public RexWindow visitWindow(RexWindow window) {
      RexWindow visited = super.visitWindow(window);
      List<RexNode> keys =
          visited.partitionKeys.stream().map(CheckedArithmetic.this::keyOf).toList();
      List<RexFieldCollation> orderKeys =
          visited.orderKeys.stream()
              .map(
                  key ->
                      new RexFieldCollation(
                          WindowFrames.sortKey(key.left, visited, rexBuilder), key.right))
              .toList();
      return rexBuilder.makeWindow(
          keys,
          ImmutableList.copyOf(orderKeys),
          visited.getLowerBound(),
          visited.getUpperBound(),
          visited.isRows(),
          visited.getExclude());
    }

    @Override
    public RexNode visitOver(RexOver over) {
      RexOver visited = (RexOver) super.visitOver(over);
      RexNode ofNull = WindowCalls.ofNull(rexBuilder, visited);
      if (ofNull != null) {
        return ofNull;
      }
      RelDataType result = visited.getType();
      SqlKind kind = visited.getAggOperator().getKind();
      if (!addsUp(kind) || !isDecimal(result) || visited.getOperands().size() != 1) {
        return visited;
      }
      RexNode operand = visited.getOperands().get(0);
      if (StateSqlTypeSystem.isUnboundedDecimal(operand.getType())) {
        return WindowCalls.withOperand(rexBuilder, visited, result, bounded(operand));
      }
      if (isDecimal(operand.getType()) || !isSumOrAverage(kind)) {
        return visited;
      }
      RelDataType type =
          rexBuilder
              .getTypeFactory()
              .createTypeWithNullability(result, operand.getType().isNullable());
      return WindowCalls.withOperand(
          rexBuilder, visited, result, rexBuilder.makeCast(type, operand));
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexCall visited = (RexCall) super.visitCall(call);
      if (ApproximateComparisons.EQUALITIES.contains(visited.getKind())) {
        return withDecimalKeys(visited);
      }
      if (isRounding(visited)
          && StateSqlTypeSystem.isUnboundedDecimal(visited.getOperands().get(0).getType())) {
        return withBoundedOperand(visited);
      }
      if (isDecimal(visited.getType()) && DecimalBounds.ARITHMETIC.containsKey(visited.getKind())) {
        return withDecimalOperands(visited);
      }
      if (!isInteger(visited.getType())) {
        return visited;
      }
      if (visited.getOperator().equals(SqlStdOperatorTable.ABS)) {
        return checkedAbs(visited);
      }
      SqlOperator checked = checked(visited.getKind());
      return checked == null
          ? IntegerRemainder.of(visited, rexBuilder)
          : rexBuilder.makeCall(
              visited.getParserPosition(), visited.getType(), checked, visited.getOperands());
    }

    /** Whether all digits before or behind the point are written out for the result. */
    private static boolean isRounding(RexCall call) {
      SqlOperator operator = call.getOperator();
      return operator.equals(SqlStdOperatorTable.ROUND)
          || operator.equals(SqlStdOperatorTable.TRUNCATE)
          || call.getKind() == SqlKind.FLOOR
          || call.getKind() == SqlKind.CEIL
          || (call.getKind() == SqlKind.CAST
              && (isInteger(call.getType())
                  || (isDecimal(call.getType())
                      && !StateSqlTypeSystem.isUnboundedDecimal(call.getType()))));
    }

    private RexNode withBoundedOperand(RexCall call) {
      List<RexNode> operands = new ArrayList<>(call.getOperands());
      operands.set(0, bounded(operands.get(0)));
      return call.clone(call.getType(), operands);
    }

    private static SqlOperator checked(SqlKind kind) {
      return switch (kind) {
        case PLUS -> SqlStdOperatorTable.CHECKED_PLUS;
        case MINUS -> SqlStdOperatorTable.CHECKED_MINUS;
        case TIMES -> SqlStdOperatorTable.CHECKED_MULTIPLY;
        case DIVIDE -> SqlStdOperatorTable.CHECKED_DIVIDE;
        case MINUS_PREFIX -> SqlStdOperatorTable.CHECKED_UNARY_MINUS;
        default -> null;
      };
    }

    /**
     * Of decimals alone, within bounds. Calcite divides an integer by a decimal in double
     * precision.
     */
    private RexNode withDecimalOperands(RexCall arithmetic) {
      if (!arithmetic.getOperands().stream()
          .allMatch(operand -> SqlTypeUtil.isExactNumeric(operand.getType()))) {
        return arithmetic;
      }
      RelDataTypeFactory factory = rexBuilder.getTypeFactory();
      List<RexNode> operands =
          arithmetic.getOperands().stream()
              .map(
                  operand ->
                      isDecimal(operand.getType())
                          ? operand
                          : rexBuilder.makeCast(
                              factory.createTypeWithNullability(
                                  factory.createSqlType(SqlTypeName.DECIMAL),
                                  operand.getType().isNullable()),
                              operand))
              .toList();
      return rexBuilder.makeCall(
          arithmetic.getType(), DecimalBounds.ARITHMETIC.get(arithmetic.getKind()), operands);
    }

    private RexNode checkedAbs(RexCall abs) {
      RexNode operand = abs.getOperands().get(0);
      RexNode zero = rexBuilder.makeZeroLiteral(operand.getType());
      return rexBuilder.makeCall(
          abs.getType(),
          SqlStdOperatorTable.CASE,
          List.of(
              rexBuilder.makeCall(SqlStdOperatorTable.LESS_THAN, operand, zero),
              rexBuilder.makeCall(
                  abs.getType(), SqlStdOperatorTable.CHECKED_UNARY_MINUS, List.of(operand)),
              operand));
    }

    /**
     * An equality of two columns may become a join that hashes; with a literal it stays a
     * comparison, which sources may push down.
     */
    private RexNode withDecimalKeys(RexCall equality) {
      RexNode left = equality.getOperands().get(0);
      RexNode right = equality.getOperands().get(1);
      boolean hashable =
          (StateSqlTypeSystem.isUnboundedDecimal(left.getType())
                  || StateSqlTypeSystem.isUnboundedDecimal(right.getType()))
              && isDecimal(left.getType())
              && isDecimal(right.getType())
              && !(left instanceof RexLiteral)
              && !(right instanceof RexLiteral);
      return hashable
          ? equality.clone(equality.getType(), List.of(decimalKey(left), decimalKey(right)))
          : equality;
    }
  }
}
