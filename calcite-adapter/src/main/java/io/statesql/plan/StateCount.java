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

import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.util.BuiltInMethod;

/** One row with the number of rows of a table of state, of which no values are read. */
final class StateCount extends AbstractRelNode implements EnumerableRel {
  private final RelOptTable table;
  private final RowSource source;

  private StateCount(
      RelOptCluster cluster, RelTraitSet traits, RelOptTable table, RelDataType rowType) {
    super(cluster, traits);
    this.table = table;
    this.source = table.unwrapOrThrow(RowSource.class);
    this.rowType = rowType;
  }

  /**
   * The count of a table that is a {@link RowSource}.
   *
   * @param rowType of one column, a BIGINT
   */
  static StateCount create(TableScan scan, RelDataType rowType) {
    RelOptCluster cluster = scan.getCluster();
    return new StateCount(
        cluster, cluster.traitSetOf(EnumerableConvention.INSTANCE), scan.getTable(), rowType);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    super.explainTerms(writer).item("table", table.getQualifiedName());
    StateScan.explainAccess(writer, source);
    return writer;
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return 1;
  }

  /** To pass the rows costs less than to hand them over. */
  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    double rows = source.rowCount().orElseGet(table::getRowCount);
    return planner.getCostFactory().makeCost(1, rows / 2, 0);
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer pref) {
    PhysType physType =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.SCALAR);
    return implementor.result(
        physType,
        Blocks.toBlock(
            Expressions.call(
                BuiltInMethod.SLICE0.method,
                Expressions.call(
                    implementor.stash(new StateRows(source, new int[0], true), StateRows.class),
                    "count",
                    implementor.getRootExpression()))));
  }
}
