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
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.PruneEmptyRules;
import org.apache.calcite.rel.rules.PruneEmptyRules.RemoveEmptySingleRule.RemoveEmptySingleRuleConfig;
import org.apache.calcite.rel.rules.SemiJoinRule.JoinToSemiJoinRule.JoinToSemiJoinRuleConfig;
import org.apache.calcite.rel.rules.SemiJoinRule.ProjectToSemiJoinRule.ProjectToSemiJoinRuleConfig;

/**
 * Rules of Calcite that take an aggregate to have no row if its input has none. One with a total
 * has a row even then, so they are held to those without.
 */
public final class AggregateRules {
  /** Those that Calcite registers. */
  private static final List<RelOptRule> ORIGINALS =
      List.of(
          PruneEmptyRules.AGGREGATE_INSTANCE,
          CoreRules.PROJECT_TO_SEMI_JOIN,
          CoreRules.JOIN_TO_SEMI_JOIN);

  private static final RelOptRule PRUNE_EMPTY =
      RemoveEmptySingleRuleConfig.AGGREGATE
          .withOperandFor(Aggregate.class, aggregate -> !aggregate.hasEmptyGroup())
          .toRule();

  private static final RelOptRule PROJECT_TO_SEMI_JOIN =
      ProjectToSemiJoinRuleConfig.DEFAULT
          .withOperandSupplier(
              project -> project.operand(Project.class).oneInput(AggregateRules::joinWithGroups))
          .as(ProjectToSemiJoinRuleConfig.class)
          .toRule();

  private static final RelOptRule JOIN_TO_SEMI_JOIN =
      JoinToSemiJoinRuleConfig.DEFAULT
          .withOperandSupplier(AggregateRules::joinWithGroups)
          .as(JoinToSemiJoinRuleConfig.class)
          .toRule();

  private AggregateRules() {}

  /** Replaces the rules in a planner that has Calcite's. */
  public static void correct(RelOptPlanner planner) {
    ORIGINALS.forEach(planner::removeRule);
    planner.addRule(PRUNE_EMPTY);
    planner.addRule(PROJECT_TO_SEMI_JOIN);
    planner.addRule(JOIN_TO_SEMI_JOIN);
  }

  private static RelRule.Done joinWithGroups(RelRule.OperandBuilder join) {
    return join.operand(Join.class)
        .predicate(AggregateRules::isInnerOrLeft)
        .inputs(
            left -> left.operand(RelNode.class).anyInputs(),
            right ->
                right
                    .operand(Aggregate.class)
                    .predicate(
                        aggregate -> !aggregate.hasEmptyGroup() && Aggregate.isSimple(aggregate))
                    .anyInputs());
  }

  private static boolean isInnerOrLeft(Join join) {
    return join.getJoinType() == JoinRelType.INNER || join.getJoinType() == JoinRelType.LEFT;
  }
}
