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

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Rewrites a query so that grouping sets with a DISTINCT in them become a query for each set. In
 * one query Calcite finds the distinct values of the smallest groups, and adds up those of the
 * larger groups from them: a value that two groups share counts twice, and the other aggregates and
 * GROUPING are those of any one of the groups.
 */
final class DistinctGroupingSets extends RelHomogeneousShuttle {
  private final RexShuttle subQueries =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
          RelNode rel = visited.rel.accept(DistinctGroupingSets.this);
          return rel == visited.rel ? visited : visited.clone(rel);
        }
      };

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other).accept(subQueries);
    return visited instanceof LogicalAggregate aggregate
            && !Aggregate.isSimple(aggregate)
            && aggregate.containsDistinctCall()
        ? LogicalUnion.create(
            aggregate.getGroupSets().stream().map(set -> ofOneSet(aggregate, set)).toList(), true)
        : visited;
  }

  /** The rows of one set, in the columns of all. */
  private static RelNode ofOneSet(Aggregate all, ImmutableBitSet set) {
    RexBuilder rexBuilder = all.getCluster().getRexBuilder();
    List<AggregateCall> calls =
        all.getAggCallList().stream()
            .filter(call -> !tellsTheSet(call))
            .map(call -> withTypeIn(set, call, all.getInput()))
            .toList();
    RelNode aggregate =
        LogicalAggregate.create(all.getInput(), all.getHints(), set, List.of(set), calls);
    List<RelDataTypeField> columns = all.getRowType().getFieldList();
    List<RexNode> values = new ArrayList<>();
    for (int key : all.getGroupSet()) {
      RelDataType type = columns.get(values.size()).getType();
      values.add(
          set.get(key)
              ? rexBuilder.makeCast(
                  type, rexBuilder.makeInputRef(aggregate, set.indexOf(key)), true, false)
              : rexBuilder.makeNullLiteral(type));
    }
    int next = set.cardinality();
    for (AggregateCall call : all.getAggCallList()) {
      RelDataType type = columns.get(values.size()).getType();
      values.add(
          tellsTheSet(call)
              ? rexBuilder.makeExactLiteral(BigDecimal.valueOf(whatIsGrouped(call, set)), type)
              : rexBuilder.makeCast(type, rexBuilder.makeInputRef(aggregate, next++), true, false));
    }
    return LogicalProject.create(
        aggregate, List.of(), values, all.getRowType().getFieldNames(), Set.of());
  }

  private static boolean tellsTheSet(AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case GROUPING, GROUPING_ID, GROUP_ID -> true;
      default -> false;
    };
  }

  /** One bit for each argument, the first one highest: whether its column is grouped away. */
  private static long whatIsGrouped(AggregateCall call, ImmutableBitSet set) {
    return call.getArgList().stream()
        .mapToLong(key -> set.get(key) ? 0 : 1)
        .reduce(0, (bits, bit) -> bits << 1 | bit);
  }

  /** The call with the type that it has without the other sets. */
  private static AggregateCall withTypeIn(ImmutableBitSet set, AggregateCall call, RelNode input) {
    return AggregateCall.create(
        call.getParserPosition(),
        call.getAggregation(),
        call.isDistinct(),
        call.isApproximate(),
        call.ignoreNulls(),
        call.rexList,
        call.getArgList(),
        call.filterArg,
        call.distinctKeys,
        call.collation,
        set.isEmpty(),
        input,
        null,
        call.name);
  }
}
