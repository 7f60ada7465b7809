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
import io.statesql.sql.function.ExactDecimals;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Window functions: which are refused, and those with a part replaced, whose frame, order and the
 * rest stay as they were.
 */
final class WindowCalls {
  /** Functions that Calcite has no code for, or, as for NTILE of fewer rows, code that is wrong. */
  private static final Set<SqlKind> UNKNOWN =
      Set.of(SqlKind.PERCENT_RANK, SqlKind.CUME_DIST, SqlKind.NTILE);

  /** Functions whose last argument is a number of rows. */
  private static final Set<SqlKind> COUNTED = Set.of(SqlKind.NTH_VALUE);

  /** Finds a subquery, or gives null. */
  private static final SqlBasicVisitor<@Nullable SqlNode> SUBQUERIES =
      new SqlBasicVisitor<>() {
        @Override
        public @Nullable SqlNode visit(SqlCall call) {
          return call.isA(SqlKind.QUERY) ? call : first(call.getOperandList());
        }

        @Override
        public @Nullable SqlNode visit(SqlNodeList nodes) {
          return first(nodes);
        }

        private @Nullable SqlNode first(List<SqlNode> nodes) {
          for (SqlNode node : nodes) {
            SqlNode found = node == null ? null : node.accept(this);
            if (found != null) {
              return found;
            }
          }
          return null;
        }
      };

  private WindowCalls() {}

  /**
   * Why a call with OVER is not accepted: Calcite would count each value as often as it is there.
   *
   * @return null for one that is
   */
  static @Nullable StateSqlException refusal(SqlCall over) {
    SqlCall call = over.operand(0);
    boolean distinct =
        call.getFunctionQuantifier() != null
            && call.getFunctionQuantifier().getValue() == SqlSelectKeyword.DISTINCT;
    if (over.accept(SUBQUERIES) != null) {
      return refused("A subquery is not accepted in a call with OVER; put it into FROM.");
    }
    if (UNKNOWN.contains(call.getKind())) {
      return refused("%s is not accepted.".formatted(call.getOperator().getName()));
    }
    if (call.getKind() == SqlKind.IGNORE_NULLS) {
      return refused(
          "IGNORE NULLS is not accepted; leave the rows out with WHERE ... IS NOT NULL.");
    }
    if (COUNTED.contains(call.getKind()) && !isPositive(Util.last(call.getOperandList()))) {
      return refused(
          "%s counts from 1, and takes a literal of 1 or more."
              .formatted(call.getOperator().getName()));
    }
    return distinct && call.getKind() != SqlKind.MIN && call.getKind() != SqlKind.MAX
        ? refused(
            "%s(DISTINCT ...) is not accepted with OVER; aggregate in a subquery and join with it."
                .formatted(call.getOperator().getName()))
        : null;
  }

  private static boolean isPositive(SqlNode number) {
    return number instanceof SqlNumericLiteral literal && literal.bigDecimalValue().signum() > 0;
  }

  private static StateSqlException refused(String reason) {
    return new StateSqlException(ErrorCode.UNSUPPORTED_STATEMENT, reason);
  }

  /**
   * The result of a sum or extreme of nothing but NULL, for which Calcite makes code of no type.
   *
   * @return null for other calls
   */
  static @Nullable RexNode ofNull(RexBuilder rexBuilder, RexOver call) {
    if (call.getOperands().size() != 1 || !isNull(call.getOperands().get(0))) {
      return null;
    }
    return switch (call.getAggOperator().getKind()) {
      case SUM0 -> rexBuilder.makeZeroLiteral(call.getType());
      case SUM, MIN, MAX -> rexBuilder.makeNullLiteral(call.getType());
      default -> null;
    };
  }

  private static boolean isNull(RexNode operand) {
    boolean converts =
        operand.isA(SqlKind.CAST)
            || (operand instanceof RexCall call
                && call.getOperator().equals(ExactDecimals.EXACT_DECIMAL));
    return converts
        ? isNull(((RexCall) operand).getOperands().get(0))
        : RexLiteral.isNullLiteral(operand);
  }

  static RexNode withOperand(
      RexBuilder rexBuilder, RexOver call, RelDataType type, RexNode operand) {
    return with(rexBuilder, call, type, List.of(operand), call.getWindow().partitionKeys);
  }

  static RexNode withPartitionKeys(
      RexBuilder rexBuilder, RexOver call, List<RexNode> partitionKeys) {
    return with(rexBuilder, call, call.getType(), call.getOperands(), partitionKeys);
  }

  private static RexNode with(
      RexBuilder rexBuilder,
      RexOver call,
      RelDataType type,
      List<RexNode> operands,
      List<RexNode> partitionKeys) {
    RexWindow window = call.getWindow();
    return rexBuilder.makeOver(
        type,
        call.getAggOperator(),
        operands,
        partitionKeys,
        window.orderKeys,
        window.getLowerBound(),
        window.getUpperBound(),
        window.getExclude(),
        window.isRows(),
        true,
        false,
        call.isDistinct(),
        call.ignoreNulls());
  }
}
