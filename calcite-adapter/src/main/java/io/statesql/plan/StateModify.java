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

import com.google.common.primitives.Ints;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.plan.volcano.RelSubset;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlKind;

/** Carries out a {@link StateModification}; its one row is the number of changed rows. */
public final class StateModify extends SingleRel implements EnumerableRel {
  /** Plans a {@link StateModification}. */
  static final ConverterRule RULE =
      ConverterRule.Config.INSTANCE
          .withConversion(
              StateModification.class,
              Convention.NONE,
              EnumerableConvention.INSTANCE,
              "StateModifyRule")
          .withRuleFactory(Rule::new)
          .toRule(Rule.class);

  private static final Method RUN =
      Types.lookupMethod(StateChange.class, "run", DataContext.class, Enumerable.class);

  private final RelOptTable table;
  private final ChangeKind kind;
  private final List<Integer> columns;

  private StateModify(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      RelOptTable table,
      ChangeKind kind,
      List<Integer> columns) {
    super(cluster, traits, input);
    this.table = table;
    this.kind = kind;
    this.columns = columns;
  }

  @Override
  public RelOptTable getTable() {
    return table;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new StateModify(getCluster(), traits, sole(inputs), table, kind, columns);
  }

  @Override
  protected RelDataType deriveRowType() {
    return RelOptUtil.createDmlRowType(SqlKind.INSERT, getCluster().getTypeFactory());
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    StateModification.explain(super.explainTerms(writer), table, kind, columns);
    changedRows(getInput()).ifPresent(rows -> rows.rewrites().forEach(writer::item));
    return writer;
  }

  /** What reads the rows that change, with what is stored for them; empty where rows are new. */
  private static Optional<RowSource> changedRows(RelNode input) {
    if (input instanceof StateScan scan) {
      return scan.getRowType().getFieldNames().contains(ModifiableState.STORED)
          ? Optional.of(scan.source())
          : Optional.empty();
    }
    // What is still being planned has no one input yet.
    return input instanceof RelSubset
        ? Optional.empty()
        : input.getInputs().stream().flatMap(each -> changedRows(each).stream()).findFirst();
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    return planner.getCostFactory().makeTinyCost();
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer pref) {
    BlockBuilder block = new BlockBuilder();
    Result input = implementor.visitChild(this, 0, (EnumerableRel) getInput(), Prefer.ARRAY);
    Expression rows =
        input.physType.convertTo(block.append("rows", input.block), JavaRowFormat.ARRAY);
    StateChange change =
        new StateChange(table.unwrapOrThrow(ModifiableState.class), kind, Ints.toArray(columns));
    Expression count =
        Expressions.call(
            implementor.stash(change, StateChange.class),
            RUN,
            implementor.getRootExpression(),
            Expressions.convert_(rows, Enumerable.class));
    block.add(Expressions.return_(null, count));
    PhysType physType =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.SCALAR);
    return implementor.result(physType, block.toBlock());
  }

  private static final class Rule extends ConverterRule {
    Rule(Config config) {
      super(config);
    }

    @Override
    public RelNode convert(RelNode rel) {
      StateModification change = (StateModification) rel;
      RelTraitSet traits = change.getTraitSet().replace(EnumerableConvention.INSTANCE);
      RelNode input = change.getInput();
      return new StateModify(
          change.getCluster(),
          traits,
          convert(input, input.getTraitSet().replace(EnumerableConvention.INSTANCE)),
          change.getTable(),
          change.kind(),
          change.columns());
    }
  }
}
