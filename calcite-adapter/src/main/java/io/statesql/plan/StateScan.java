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

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.BuiltInMethod;
import org.apache.calcite.util.ImmutableBitSet;

/** Reads some columns of a table of state. */
public final class StateScan extends TableScan implements EnumerableRel {
  private final RowSource source;
  private final ImmutableList<Integer> fields;

  private StateScan(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelOptTable table,
      RowSource source,
      List<Integer> fields) {
    super(cluster, traits, ImmutableList.of(), table);
    this.source = source;
    this.fields = ImmutableList.copyOf(fields);
  }

  /** A scan of all columns. */
  public static StateScan create(RelOptCluster cluster, RelOptTable table, RowSource source) {
    List<Integer> all = IntStream.range(0, table.getRowType().getFieldCount()).boxed().toList();
    return new StateScan(
        cluster, cluster.traitSetOf(EnumerableConvention.INSTANCE), table, source, all);
  }

  /**
   * The same scan of fewer columns.
   *
   * @param positions among the columns of this scan; none means that only the number of rows counts
   */
  StateScan select(List<Integer> positions) {
    List<Integer> selected =
        positions.isEmpty()
            ? List.of(source.cheapestField())
            : positions.stream().map(fields::get).toList();
    return new StateScan(getCluster(), getTraitSet(), table, source, selected);
  }

  /** The columns read, by position in the table. */
  ImmutableList<Integer> fields() {
    return fields;
  }

  boolean readsAllFields() {
    return fields.size() == table.getRowType().getFieldCount();
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new StateScan(getCluster(), traits, table, source, fields);
  }

  @Override
  public RelDataType deriveRowType() {
    RelDataTypeFactory.Builder builder = getCluster().getTypeFactory().builder();
    List<RelDataTypeField> all = table.getRowType().getFieldList();
    fields.forEach(field -> builder.add(all.get(field)));
    return builder.build();
  }

  @Override
  public RelNode project(
      ImmutableBitSet fieldsUsed, Set<RelDataTypeField> extraFields, RelBuilder relBuilder) {
    if (!extraFields.isEmpty() || fieldsUsed.isEmpty()) {
      return super.project(fieldsUsed, extraFields, relBuilder);
    }
    return select(fieldsUsed.asList());
  }

  @Override
  public void register(RelOptPlanner planner) {
    planner.addRule(StateProjectRule.INSTANCE);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("fields", getRowType().getFieldNames());
  }

  /** Fewer columns cost less, so that the planner prefers the narrow scan. */
  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    double share = (fields.size() + 1.0) / (table.getRowType().getFieldCount() + 1.0);
    RelOptCost cost = super.computeSelfCost(planner, mq);
    return cost == null ? planner.getCostFactory().makeInfiniteCost() : cost.multiplyBy(share);
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer pref) {
    // One column is a bare value and not an array: operators above take it for granted.
    PhysType physType =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
    Expression rows =
        Expressions.call(
            implementor.stash(new StateRows(source, Ints.toArray(fields)), StateRows.class),
            "enumerable",
            implementor.getRootExpression());
    return implementor.result(
        physType,
        Blocks.toBlock(
            fields.size() == 1 ? Expressions.call(BuiltInMethod.SLICE0.method, rows) : rows));
  }
}
