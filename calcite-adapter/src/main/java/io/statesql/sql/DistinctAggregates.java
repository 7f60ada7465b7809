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

import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelHintsPropagator;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.rules.AggregateExpandDistinctAggregatesRule;
import org.apache.calcite.rel.rules.CoreRules;

/**
 * Calcite's rule for {@code COUNT(DISTINCT ...)} beside other aggregates. It finds these in groups
 * of their own and takes each over with a MIN of that one value, which must be right for NaN and
 * infinities, too.
 */
public final class DistinctAggregates
    extends RelRule<AggregateExpandDistinctAggregatesRule.Config> {
  private static final RelOptRule ORIGINAL = CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES;

  private DistinctAggregates() {
    super(AggregateExpandDistinctAggregatesRule.Config.DEFAULT);
  }

  /** Replaces the rule in a planner that has Calcite's. */
  public static void correct(RelOptPlanner planner) {
    planner.removeRule(ORIGINAL);
    planner.addRule(new DistinctAggregates());
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    ORIGINAL.onMatch(
        new RelOptRuleCall(
            call.getPlanner(), ORIGINAL.getOperand(), call.rels, Map.of(), List.of()) {
          @Override
          public void transformTo(
              RelNode rel, Map<RelNode, RelNode> equivalences, RelHintsPropagator hints) {
            RelNode ordered =
                rel.accept(new ApproximateComparisons(rel.getCluster().getRexBuilder()));
            call.transformTo(ordered, equivalences, hints);
          }
        });
  }
}
