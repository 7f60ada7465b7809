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
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Rewrites comparisons of rows, so that NULL in one column makes the result unknown only where the
 * other columns do not decide it.
 *
 * <ul>
 *   <li>Two rows are compared column by column, from left to right. (Calcite compares Java arrays.)
 *   <li>{@code IN}, {@code = ANY}, {@code <> ALL} and their opposites ask a {@link RowSet} of the
 *       sub-query. (Calcite takes a row for another as soon as one of its columns is NULL, and of
 *       {@code <> ANY} and {@code = ALL} looks at the first column alone.) An {@code IN} that only
 *       picks rows, or that knows no NULL, stays a join.
 * </ul>
 */
final class RowComparisons extends RelHomogeneousShuttle {
  private final RexBuilder rexBuilder;
  private final RelDataTypeFactory typeFactory;
  private final Expressions expressions = new Expressions();

  RowComparisons(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
    this.typeFactory = rexBuilder.getTypeFactory();
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other);
    return visited instanceof Filter filter ? withCondition(filter) : visited.accept(expressions);
  }

  /** A condition that is unknown leaves out a row, as one that is false does. */
  private RelNode withCondition(Filter filter) {
    List<RexNode> conditions = RelOptUtil.conjunctions(filter.getCondition());
    List<RexNode> compared =
        conditions.stream()
            .map(
                condition ->
                    condition instanceof RexSubQuery query && query.getKind() == SqlKind.IN
                        ? expressions.withComparedRows(query)
                        : condition.accept(expressions))
            .toList();
    return compared.equals(conditions)
        ? filter
        : filter.copy(
            filter.getTraitSet(),
            filter.getInput(),
            RexUtil.composeConjunction(rexBuilder, compared));
  }

  /** The part that works on expressions. */
  private final class Expressions extends RexShuttle {
    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexSubQuery visited = withComparedRows(subQuery);
      return visited.getOperands().size() > 1
              && (visited.getKind() == SqlKind.IN || visited.getKind() == SqlKind.SOME)
          ? quantified(visited)
          : visited;
    }

    RexSubQuery withComparedRows(RexSubQuery subQuery) {
      RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
      RelNode rel = visited.rel.accept(RowComparisons.this);
      return rel == visited.rel ? visited : visited.clone(rel);
    }

    private RexNode quantified(RexSubQuery query) {
      SqlKind kind =
          query.getOperator() instanceof SqlQuantifyOperator quantified
              ? quantified.comparisonKind
              : SqlKind.EQUALS;
      SqlOperator operator =
          switch (kind) {
            case EQUALS -> RowSet.CONTAINS;
            case NOT_EQUALS -> RowSet.DIFFERS;
            default ->
                throw new StateSqlException(
                    ErrorCode.UNSUPPORTED_STATEMENT,
                    "A row of several columns is compared with the rows of a subquery by = and <> alone, and not by %s."
                        .formatted(kind.sql));
          };
      List<RexNode> columns = List.copyOf(rexBuilder.identityProjects(query.rel.getRowType()));
      if (kind == SqlKind.EQUALS && !isNullable(columns) && !isNullable(query.getOperands())) {
        return RexSubQuery.in(query.rel, ImmutableList.copyOf(query.getOperands()));
      }
      List<RexNode> values = new ArrayList<>();
      List<RexNode> members = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        values.add(inCommonType(query.getOperands().get(i), columns.get(i)));
        members.add(inCommonType(columns.get(i), query.getOperands().get(i)));
      }
      RelNode rows =
          LogicalProject.create(
              query.rel, List.of(), List.of(row(members)), List.of("member"), Set.of());
      return rexBuilder.makeCall(
          query.getType(), operator, List.of(row(values), RexSubQuery.scalar(RowSet.of(rows))));
    }

    private static boolean isNullable(List<RexNode> columns) {
      return columns.stream().anyMatch(column -> column.getType().isNullable());
    }

    /** With a column more, for a row of NULL alone may be taken for no row. */
    private RexNode row(List<RexNode> columns) {
      List<RexNode> all = new ArrayList<>(columns);
      all.add(rexBuilder.makeLiteral(true));
      return rexBuilder.makeCall(SqlStdOperatorTable.ROW, all);
    }

    private RexNode inCommonType(RexNode value, RexNode other) {
      RelDataType common = typeFactory.leastRestrictive(List.of(value.getType(), other.getType()));
      return common == null
          ? value
          : rexBuilder.makeCast(
              typeFactory.createTypeWithNullability(common, value.getType().isNullable()), value);
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexCall visited = (RexCall) super.visitCall(call);
      boolean comparesRows =
          SqlKind.BINARY_COMPARISON.contains(visited.getKind())
              && visited.getOperands().stream().allMatch(operand -> operand.getType().isStruct());
      return comparesRows
          ? compared(
              visited.getKind(),
              columns(visited.getOperands().get(0)),
              columns(visited.getOperands().get(1)))
          : visited;
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
      RexNode visited = super.visitFieldAccess(access);
      return visited instanceof RexFieldAccess field
          ? column(field.getReferenceExpr(), field.getField().getIndex())
          : visited;
    }

    private List<RexNode> columns(RexNode row) {
      return IntStream.range(0, row.getType().getFieldCount())
          .mapToObj(column -> column(row, column))
          .toList();
    }

    /** The value that a row was made of, if it was made in the statement. */
    private RexNode column(RexNode row, int column) {
      RexNode constructor = row.isA(SqlKind.CAST) ? ((RexCall) row).getOperands().get(0) : row;
      return constructor.isA(SqlKind.ROW)
          ? rexBuilder.ensureType(
              row.getType().getFieldList().get(column).getType(),
              ((RexCall) constructor).getOperands().get(column),
              true)
          : rexBuilder.makeFieldAccess(row, column);
    }

    private RexNode compared(SqlKind kind, List<RexNode> left, List<RexNode> right) {
      List<RexNode> equalities = new ArrayList<>();
      List<RexNode> alternatives = new ArrayList<>();
      for (int i = 0; i < left.size(); i++) {
        RexNode equality = call(SqlStdOperatorTable.EQUALS, left.get(i), right.get(i));
        SqlOperator strict =
            kind == SqlKind.LESS_THAN || kind == SqlKind.LESS_THAN_OR_EQUAL
                ? SqlStdOperatorTable.LESS_THAN
                : SqlStdOperatorTable.GREATER_THAN;
        List<RexNode> alternative = new ArrayList<>(equalities);
        alternative.add(call(strict, left.get(i), right.get(i)));
        alternatives.add(RexUtil.composeConjunction(rexBuilder, alternative));
        equalities.add(equality);
      }
      RexNode equal = RexUtil.composeConjunction(rexBuilder, equalities);
      return switch (kind) {
        case EQUALS -> equal;
        case NOT_EQUALS -> rexBuilder.makeCall(SqlStdOperatorTable.NOT, equal);
        case LESS_THAN_OR_EQUAL, GREATER_THAN_OR_EQUAL -> {
          alternatives.add(equal);
          yield RexUtil.composeDisjunction(rexBuilder, alternatives);
        }
        case LESS_THAN, GREATER_THAN -> RexUtil.composeDisjunction(rexBuilder, alternatives);
        default -> throw new IllegalArgumentException(kind.name());
      };
    }

    /** Rows within rows are compared in the same way. */
    private RexNode call(SqlOperator operator, RexNode left, RexNode right) {
      return rexBuilder.makeCall(operator, left, right).accept(this);
    }
  }
}
