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

import io.statesql.sql.function.MomentFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlAggFunction;

/**
 * Gives variances and covariances their arguments in the type of their result, and those of
 * approximate numbers the functions of {@link MomentFunctions}. Calcite takes the others apart into
 * sums of that type, and its code cannot add a BIGINT to a sum that is a DECIMAL.
 */
final class VarianceArguments extends RelHomogeneousShuttle {
  private final RexShuttle subQueries =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
          RelNode rel = visited.rel.accept(VarianceArguments.this);
          return rel == visited.rel ? visited : visited.clone(rel);
        }
      };

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other).accept(subQueries);
    return visited instanceof LogicalAggregate aggregate ? withArguments(aggregate) : visited;
  }

  private static RelNode withArguments(LogicalAggregate aggregate) {
    RelNode input = aggregate.getInput();
    RexBuilder rexBuilder = aggregate.getCluster().getRexBuilder();
    List<RexNode> fields = new ArrayList<>(rexBuilder.identityProjects(input.getRowType()));
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (!MomentFunctions.isMoment(call.getAggregation().getKind())) {
        calls.add(call);
        continue;
      }
      List<Integer> arguments = new ArrayList<>();
      for (int argument : call.getArgList()) {
        RexNode field = fields.get(argument);
        if (field.getType().getSqlTypeName() == call.getType().getSqlTypeName()) {
          arguments.add(argument);
        } else {
          arguments.add(fields.size());
          fields.add(rexBuilder.makeCast(nullableAs(call.getType(), field, rexBuilder), field));
        }
      }
      calls.add(withArguments(call, arguments));
    }
    if (calls.equals(aggregate.getAggCallList())) {
      return aggregate;
    }
    RelNode project =
        LogicalProject.create(input, List.of(), fields, (List<String>) null, Set.of());
    return aggregate.copy(
        aggregate.getTraitSet(), project, aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
  }

  private static RelDataType nullableAs(RelDataType type, RexNode value, RexBuilder rexBuilder) {
    return rexBuilder
        .getTypeFactory()
        .createTypeWithNullability(type, value.getType().isNullable());
  }

  private static AggregateCall withArguments(AggregateCall call, List<Integer> arguments) {
    SqlAggFunction function = MomentFunctions.of(call.getAggregation().getKind(), call.getType());
    return function == null
        ? call.withArgList(arguments)
        : AggregateCall.create(
            call.getParserPosition(),
            function,
            call.isDistinct(),
            call.isApproximate(),
            call.ignoreNulls(),
            call.rexList,
            arguments,
            call.filterArg,
            call.distinctKeys,
            call.getCollation(),
            call.getType(),
            call.getName());
  }
}
