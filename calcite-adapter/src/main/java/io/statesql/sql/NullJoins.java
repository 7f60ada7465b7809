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

import io.statesql.sql.function.CollectionFunctions;
import io.statesql.sql.function.EngineFunction;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Joins by {@code IS NOT DISTINCT FROM} as by {@code =}, with a value in the place of NULL. Calcite
 * knows no hash table for it, and compares each row of one side with each of the other. Subqueries
 * that became joins are joined so with the rows that they are of.
 */
public final class NullJoins extends RelHomogeneousShuttle {
  private static final Object NOTHING = new Object();

  private static final SqlOperator KEY_OR_NOTHING =
      EngineFunction.of("KEY_OR_NOTHING", NullJoins.class, "keyOrNothing", SqlTypeName.ANY);

  /** Called by generated code. */
  public static Object keyOrNothing(@Nullable Object value) {
    return value == null ? NOTHING : CollectionFunctions.byValue(value);
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visit(other);
    return visited instanceof Join join ? hashed(join) : visited;
  }

  private static RelNode hashed(Join join) {
    List<RexNode> conditions = RelOptUtil.conjunctions(join.getCondition());
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    List<RexNode> equalities =
        conditions.stream()
            .map(condition -> equality(condition, leftColumns, join.getCluster().getRexBuilder()))
            .toList();
    if (equalities.equals(conditions)) {
      return join;
    }
    RexNode condition = RexUtil.composeConjunction(join.getCluster().getRexBuilder(), equalities);
    return RelOptUtil.pushDownJoinConditions(
        join.copy(
            join.getTraitSet(),
            condition,
            join.getLeft(),
            join.getRight(),
            join.getJoinType(),
            join.isSemiJoinDone()),
        RelFactories.LOGICAL_BUILDER.create(join.getCluster(), null));
  }

  /** The condition as an equality of keys, or as it is. */
  private static RexNode equality(RexNode condition, int leftColumns, RexBuilder rexBuilder) {
    if (!condition.isA(SqlKind.IS_NOT_DISTINCT_FROM)) {
      return condition;
    }
    List<RexNode> operands = ((RexCall) condition).getOperands();
    return operands.get(0) instanceof RexInputRef first
            && operands.get(1) instanceof RexInputRef second
            && (first.getIndex() < leftColumns) != (second.getIndex() < leftColumns)
            && haveKeys(first.getType(), second.getType(), rexBuilder.getTypeFactory())
        ? rexBuilder.makeCall(
            SqlStdOperatorTable.EQUALS, key(first, rexBuilder), key(second, rexBuilder))
        : condition;
  }

  private static RexNode key(RexNode value, RexBuilder rexBuilder) {
    RelDataType key = rexBuilder.getTypeFactory().createSqlType(SqlTypeName.ANY);
    return rexBuilder.makeCall(key, KEY_OR_NOTHING, List.of(value));
  }

  /** Whether values of these types are equal in SQL where their keys are. */
  private static boolean haveKeys(
      RelDataType type, RelDataType other, RelDataTypeFactory typeFactory) {
    return SqlTypeUtil.equalSansNullability(typeFactory, type, other)
        && (SqlTypeUtil.isCharacter(type)
            || SqlTypeUtil.isExactNumeric(type)
            || SqlTypeUtil.isBoolean(type)
            || SqlTypeUtil.isDatetime(type)
            || SqlTypeUtil.isBinary(type));
  }
}
