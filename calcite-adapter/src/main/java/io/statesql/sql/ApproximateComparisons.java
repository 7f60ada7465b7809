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

import io.statesql.sql.function.ApproximateNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Rewrites a query so that what it finds about REAL and DOUBLE values depends neither on the order
 * of rows nor on the plan, also where there are NaN and -0.0.
 *
 * <ul>
 *   <li>MIN and MAX take NaN for greater than all numbers and -0.0 for less than 0.0, as ORDER BY
 *       does. (Calcite's own keep or lose a NaN by where it stands.)
 *   <li>Comparisons are in one order, too: NaN is equal to itself and greater than all numbers,
 *       -0.0 is equal to 0.0. The planner takes {@code NOT (a < b)} for {@code a >= b}, and ALL for
 *       what ANY leaves out: without an order rows would be neither in a condition nor in its
 *       opposite. It holds whether a comparison filters rows, joins tables by hash, or is decided
 *       by the planner because both sides are the same. An equality with a literal stays as it is,
 *       so that sources may push it down; no literal is NaN.
 * </ul>
 */
final class ApproximateComparisons extends RelHomogeneousShuttle {
  static final Set<SqlKind> EQUALITIES =
      Set.of(
          SqlKind.EQUALS,
          SqlKind.NOT_EQUALS,
          SqlKind.IS_DISTINCT_FROM,
          SqlKind.IS_NOT_DISTINCT_FROM);

  private static final Set<SqlKind> INEQUALITIES =
      Set.of(
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL);

  private final RexBuilder rexBuilder;
  private final RelDataTypeFactory typeFactory;
  private final Expressions expressions = new Expressions();

  ApproximateComparisons(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
    this.typeFactory = rexBuilder.getTypeFactory();
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other).accept(expressions);
    return visited instanceof Aggregate aggregate
            && aggregate.getAggCallList().stream().anyMatch(ApproximateComparisons::isExtreme)
        ? withOrderedArguments(aggregate)
        : visited;
  }

  private static boolean isExtreme(SqlKind kind, RelDataType type) {
    return (kind == SqlKind.MIN || kind == SqlKind.MAX) && SqlTypeUtil.isApproximateNumeric(type);
  }

  private static boolean isExtreme(AggregateCall call) {
    return isExtreme(call.getAggregation().getKind(), call.getType());
  }

  /** Aggregates places in the order, and finds the numbers at these places above. */
  private RelNode withOrderedArguments(Aggregate aggregate) {
    RelNode input = aggregate.getInput();
    List<RexNode> columns = new ArrayList<>(rexBuilder.identityProjects(input.getRowType()));
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (!isExtreme(call)) {
        calls.add(call);
        continue;
      }
      RexNode argument = columns.get(call.getArgList().get(0));
      calls.add(onColumn(call, columns.size()));
      columns.add(place(ApproximateNumbers.ORDER, argument));
      names.add("$" + columns.size());
    }
    RelNode prepared = LogicalProject.create(input, List.of(), columns, names, Set.of());
    RelNode ordered =
        aggregate.copy(
            aggregate.getTraitSet(),
            prepared,
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            calls);
    List<RexNode> results = new ArrayList<>(rexBuilder.identityProjects(ordered.getRowType()));
    for (int i = 0; i < calls.size(); i++) {
      AggregateCall call = aggregate.getAggCallList().get(i);
      if (isExtreme(call)) {
        int column = aggregate.getGroupCount() + i;
        results.set(column, number(results.get(column), call.getType()));
      }
    }
    return LogicalProject.create(
        ordered, List.of(), results, aggregate.getRowType().getFieldNames(), Set.of());
  }

  private AggregateCall onColumn(AggregateCall call, int column) {
    return AggregateCall.create(
        call.getParserPosition(),
        call.getAggregation(),
        call.isDistinct(),
        call.isApproximate(),
        call.ignoreNulls(),
        call.rexList,
        List.of(column),
        call.filterArg,
        call.distinctKeys,
        call.getCollation(),
        nullableAs(SqlTypeName.BIGINT, call.getType()),
        call.getName());
  }

  /** An operator that gives an integer for a number. */
  private RexNode place(SqlOperator operator, RexNode number) {
    RelDataType type = number.getType();
    RexNode operand = rexBuilder.ensureType(nullableAs(SqlTypeName.DOUBLE, type), number, true);
    return rexBuilder.makeCall(nullableAs(SqlTypeName.BIGINT, type), operator, List.of(operand));
  }

  private RexNode number(RexNode place, RelDataType type) {
    RexNode number =
        rexBuilder.makeCall(
            nullableAs(SqlTypeName.DOUBLE, type), ApproximateNumbers.OF_ORDER, List.of(place));
    return rexBuilder.ensureType(type, number, true);
  }

  private RelDataType nullableAs(SqlTypeName name, RelDataType type) {
    return typeFactory.createTypeWithNullability(
        typeFactory.createSqlType(name), type.isNullable());
  }

  private static boolean isApproximate(RexNode node) {
    return SqlTypeUtil.isApproximateNumeric(node.getType());
  }

  /** The part that works on expressions. */
  private final class Expressions extends RexShuttle {
    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
      RelNode rel = visited.rel.accept(ApproximateComparisons.this);
      RexSubQuery rewritten = rel == visited.rel ? visited : visited.clone(rel);
      return rewritten.getKind() == SqlKind.IN || rewritten.getKind() == SqlKind.SOME
          ? withKeys(rewritten)
          : rewritten;
    }

    private RexSubQuery withKeys(RexSubQuery query) {
      List<RexNode> operands = new ArrayList<>(query.getOperands());
      List<RexNode> columns = new ArrayList<>(rexBuilder.identityProjects(query.rel.getRowType()));
      boolean changed = false;
      for (int i = 0; i < operands.size(); i++) {
        if (isApproximate(operands.get(i)) && isApproximate(columns.get(i))) {
          operands.set(i, place(ApproximateNumbers.KEY, operands.get(i)));
          columns.set(i, place(ApproximateNumbers.KEY, columns.get(i)));
          changed = true;
        }
      }
      return changed
          ? query
              .clone(query.getType(), operands)
              .clone(
                  LogicalProject.create(
                      query.rel,
                      List.of(),
                      columns,
                      query.rel.getRowType().getFieldNames(),
                      Set.of()))
          : query;
    }

    @Override
    public RexNode visitOver(RexOver over) {
      RexOver visited = (RexOver) super.visitOver(over);
      RelDataType type = visited.getType();
      if (!isExtreme(visited.getAggOperator().getKind(), type)) {
        return visited;
      }
      RexNode extreme =
          WindowCalls.withOperand(
              rexBuilder,
              visited,
              nullableAs(SqlTypeName.BIGINT, type),
              place(ApproximateNumbers.ORDER, visited.getOperands().get(0)));
      return number(extreme, type);
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexCall visited = (RexCall) super.visitCall(call);
      return comparesByKey(visited)
          ? visited.clone(
              visited.getType(),
              visited.getOperands().stream()
                  .map(operand -> place(ApproximateNumbers.KEY, operand))
                  .toList())
          : visited;
    }

    private boolean comparesByKey(RexCall call) {
      return INEQUALITIES.contains(call.getKind())
          ? call.getOperands().stream().allMatch(ApproximateComparisons::isApproximate)
          : EQUALITIES.contains(call.getKind())
              && call.getOperands().stream()
                  .allMatch(operand -> isApproximate(operand) && !(operand instanceof RexLiteral));
    }
  }
}
