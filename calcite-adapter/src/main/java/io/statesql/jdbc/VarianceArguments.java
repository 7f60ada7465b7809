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
package io.statesql.jdbc;

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
import org.apache.calcite.sql.SqlKind;

/**
 * Gives variance and deviation their argument in the type of their result. Calcite takes them apart
 * into sums of that type, and its code cannot add a BIGINT to a sum that is a DECIMAL.
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
      if (isVariance(call) && !hasResultType(call, input)) {
        RexNode argument = fields.get(call.getArgList().get(0));
        RelDataType type =
            rexBuilder
                .getTypeFactory()
                .createTypeWithNullability(call.getType(), argument.getType().isNullable());
        calls.add(call.withArgList(List.of(fields.size())));
        fields.add(rexBuilder.makeCast(type, argument));
      } else {
        calls.add(call);
      }
    }
    if (fields.size() == input.getRowType().getFieldCount()) {
      return aggregate;
    }
    RelNode project =
        LogicalProject.create(input, List.of(), fields, (List<String>) null, Set.of());
    return aggregate.copy(
        aggregate.getTraitSet(), project, aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
  }

  private static boolean isVariance(AggregateCall call) {
    return SqlKind.AVG_AGG_FUNCTIONS.contains(call.getAggregation().getKind())
        && call.getAggregation().getKind() != SqlKind.AVG;
  }

  private static boolean hasResultType(AggregateCall call, RelNode input) {
    RelDataType argument =
        input.getRowType().getFieldList().get(call.getArgList().get(0)).getType();
    return argument.getSqlTypeName() == call.getType().getSqlTypeName();
  }
}
