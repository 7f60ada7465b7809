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
import java.util.stream.IntStream;
import org.apache.calcite.adapter.enumerable.EnumerableFilter;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.tools.RelBuilderFactory;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mappings;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The rules that turn a scan of a table of state into a {@link StateScan}. */
public final class StateRules {
  private static final RelRule<RuleConfig> SCAN =
      new ScanRule(
          new RuleConfig(RelFactories.LOGICAL_BUILDER, "StateScanRule", StateRules::scanOfState));

  private static final RelRule<RuleConfig> PROJECT =
      new ProjectRule(
          new RuleConfig(
              RelFactories.LOGICAL_BUILDER,
              "StateProjectRule",
              project -> project.operand(LogicalProject.class).oneInput(StateRules::scanOfState)));

  private static final RelRule<RuleConfig> AGGREGATE =
      new AggregateRule(
          new RuleConfig(
              RelFactories.LOGICAL_BUILDER,
              "StateAggregateRule",
              aggregate ->
                  aggregate.operand(LogicalAggregate.class).oneInput(StateRules::scanOfState)));

  private static final RelRule<RuleConfig> FILTER =
      new FilterRule(
          new RuleConfig(
              RelFactories.LOGICAL_BUILDER,
              "StateFilterRule",
              filter ->
                  filter
                      .operand(EnumerableFilter.class)
                      .oneInput(
                          scan ->
                              scan.operand(StateScan.class)
                                  .predicate(s -> s.source() instanceof FilterableSource)
                                  .noInputs())));

  private StateRules() {}

  private static RelRule.Done scanOfState(RelRule.OperandBuilder scan) {
    return scan.operand(LogicalTableScan.class)
        .predicate(table -> table.getTable().unwrap(RowSource.class) != null)
        .noInputs();
  }

  /** The logical scan of a table, in a planner that knows how to carry it out. */
  public static RelNode scan(RelOptCluster cluster, RelOptTable table) {
    RelOptPlanner planner = cluster.getPlanner();
    planner.addRule(SCAN);
    planner.addRule(PROJECT);
    planner.addRule(AGGREGATE);
    // Not among Calcite's defaults: ORDER BY with LIMIT keeps as many rows as it returns.
    planner.addRule(EnumerableRules.ENUMERABLE_LIMIT_SORT_RULE);
    planner.addRule(FILTER);
    return LogicalTableScan.create(cluster, table, List.of());
  }

  /** A scan of all columns. */
  private static final class ScanRule extends RelRule<RuleConfig> {
    ScanRule(RuleConfig config) {
      super(config);
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      TableScan scan = call.rel(0);
      call.transformTo(
          StateScan.create(
              scan, IntStream.range(0, scan.getRowType().getFieldCount()).boxed().toList()));
    }
  }

  /** A scan of the columns that the projection above it uses. */
  private static final class ProjectRule extends RelRule<RuleConfig> {
    ProjectRule(RuleConfig config) {
      super(config);
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      Project project = call.rel(0);
      TableScan scan = call.rel(1);
      ImmutableBitSet used = RelOptUtil.InputFinder.bits(project.getProjects(), null);
      if (used.cardinality() == scan.getRowType().getFieldCount()) {
        return;
      }
      Mappings.TargetMapping mapping = narrow(scan, used);
      call.transformTo(
          call.builder()
              .push(StateScan.create(scan, used.asList()))
              .project(
                  RexUtil.apply(mapping, project.getProjects()),
                  project.getRowType().getFieldNames(),
                  true)
              .build());
    }
  }

  /** The number of rows, or a scan of the columns that the aggregation above it uses. */
  private static final class AggregateRule extends RelRule<RuleConfig> {
    AggregateRule(RuleConfig config) {
      super(config);
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      Aggregate aggregate = call.rel(0);
      TableScan scan = call.rel(1);
      if (isCount(aggregate)) {
        call.transformTo(StateCount.create(scan, aggregate.getRowType()));
        return;
      }
      ImmutableBitSet used = ImmutableBitSet.of(RelOptUtil.getAllFields(aggregate));
      if (used.cardinality() == scan.getRowType().getFieldCount()) {
        return;
      }
      Mappings.TargetMapping mapping = narrow(scan, used);
      call.transformTo(
          aggregate.copy(
              aggregate.getTraitSet(),
              StateScan.create(scan, used.asList()),
              aggregate.getGroupSet().permute(mapping),
              aggregate.getGroupSets().stream()
                  .map(group -> group.permute(mapping))
                  .sorted(ImmutableBitSet.ORDERING)
                  .toList(),
              aggregate.getAggCallList().stream().map(c -> c.transform(mapping)).toList()));
    }
  }

  /** Whether an aggregation is the number of its rows alone. */
  private static boolean isCount(Aggregate aggregate) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE
        || !aggregate.getGroupSet().isEmpty()
        || aggregate.getAggCallList().size() != 1) {
      return false;
    }
    AggregateCall call = aggregate.getAggCallList().get(0);
    return call.getAggregation().getKind() == SqlKind.COUNT
        && call.getArgList().isEmpty()
        && !call.hasFilter()
        && !call.isDistinct();
  }

  /** A scan of the rows that may meet the condition above it, which stays. */
  private static final class FilterRule extends RelRule<RuleConfig> {
    FilterRule(RuleConfig config) {
      super(config);
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
      Filter filter = call.rel(0);
      StateScan scan = call.rel(1);
      ((FilterableSource) scan.source())
          .filter(ColumnConditions.of(filter.getCondition(), scan.fields()))
          .ifPresent(
              rows ->
                  call.transformTo(
                      filter.copy(
                          filter.getTraitSet(), scan.withSource(rows), filter.getCondition())));
    }
  }

  /** Where the columns of a scan are in a scan of some of them. */
  private static Mappings.TargetMapping narrow(TableScan scan, ImmutableBitSet used) {
    return Mappings.target(
        field -> used.get(field) ? used.indexOf(field) : -1,
        scan.getRowType().getFieldCount(),
        Math.max(used.cardinality(), 1));
  }

  /** What a rule is made from. */
  record RuleConfig(
      RelBuilderFactory relBuilderFactory,
      @Nullable String description,
      RelRule.OperandTransform operandSupplier)
      implements RelRule.Config {
    @Override
    public RelRule<RuleConfig> toRule() {
      throw new UnsupportedOperationException("rules are made by name");
    }

    @Override
    public RuleConfig withRelBuilderFactory(RelBuilderFactory factory) {
      return new RuleConfig(factory, description, operandSupplier);
    }

    @Override
    public RuleConfig withDescription(@Nullable String newDescription) {
      return new RuleConfig(relBuilderFactory, newDescription, operandSupplier);
    }

    @Override
    public RuleConfig withOperandSupplier(RelRule.OperandTransform transform) {
      return new RuleConfig(relBuilderFactory, description, transform);
    }
  }
}
