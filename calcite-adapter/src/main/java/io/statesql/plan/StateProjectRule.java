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
package io.statesql.plan;

import java.util.List;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilderFactory;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mapping;
import org.apache.calcite.util.mapping.Mappings;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Lets a scan read only the columns that the projection above it uses. */
final class StateProjectRule extends RelRule<StateProjectRule.Config> {
  static final StateProjectRule INSTANCE =
      new StateProjectRule(
          new Config(
              RelFactories.LOGICAL_BUILDER,
              "StateProjectRule",
              project ->
                  project
                      .operand(LogicalProject.class)
                      .oneInput(scan -> scan.operand(StateScan.class).noInputs())));

  private StateProjectRule(Config config) {
    super(config);
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    Project project = call.rel(0);
    StateScan scan = call.rel(1);
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(project.getProjects(), null);
    if (used.cardinality() == scan.fields().size()
        || (used.isEmpty() && scan.fields().size() == 1)) {
      return;
    }
    List<Integer> positions = used.asList();
    Mapping mapping = Mappings.target(positions, scan.fields().size()).inverse();
    List<RexNode> projects = RexUtil.apply(mapping, project.getProjects());
    call.transformTo(
        call.builder()
            .push(scan.select(positions))
            .project(projects, project.getRowType().getFieldNames(), true)
            .build());
  }

  /** What a rule is made from. */
  record Config(
      RelBuilderFactory relBuilderFactory,
      @Nullable String description,
      OperandTransform operandSupplier)
      implements RelRule.Config {
    @Override
    public StateProjectRule toRule() {
      return new StateProjectRule(this);
    }

    @Override
    public Config withRelBuilderFactory(RelBuilderFactory factory) {
      return new Config(factory, description, operandSupplier);
    }

    @Override
    public Config withDescription(@Nullable String newDescription) {
      return new Config(relBuilderFactory, newDescription, operandSupplier);
    }

    @Override
    public Config withOperandSupplier(OperandTransform transform) {
      return new Config(relBuilderFactory, description, transform);
    }
  }
}
