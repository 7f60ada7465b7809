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
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.externalize.RelJsonWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.util.BuiltInMethod;

/**
 * Reads some columns of a table of state.
 *
 * <p>No {@link TableScan}: Calcite takes the columns of one for those of its table, by position,
 * and would for example take the first column read for the table's key.
 */
public final class StateScan extends AbstractRelNode implements EnumerableRel {
  private final RelOptTable table;
  private final RowSource source;
  private final ImmutableList<Integer> fields;
  private final boolean onlyCounted;

  private StateScan(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelOptTable table,
      RowSource source,
      List<Integer> fields,
      boolean onlyCounted) {
    super(cluster, traits);
    this.table = table;
    this.source = source;
    this.fields = ImmutableList.copyOf(fields);
    this.onlyCounted = onlyCounted;
  }

  /**
   * A scan of some columns.
   *
   * @param scan of a table that is a {@link RowSource}
   * @param fields the columns by position in the table; none means that only the number of rows
   *     counts
   */
  static StateScan create(TableScan scan, List<Integer> fields) {
    RelOptCluster cluster = scan.getCluster();
    RowSource source = scan.getTable().unwrapOrThrow(RowSource.class);
    return new StateScan(
        cluster,
        cluster.traitSetOf(EnumerableConvention.INSTANCE),
        scan.getTable(),
        source,
        fields.isEmpty() ? List.of(source.cheapestField()) : fields,
        fields.isEmpty());
  }

  /** The same columns of other rows of the table. */
  StateScan withSource(RowSource other) {
    return new StateScan(getCluster(), getTraitSet(), table, other, fields, onlyCounted);
  }

  RowSource source() {
    return source;
  }

  /** The columns by position in the table. */
  List<Integer> fields() {
    return fields;
  }

  @Override
  public RelOptTable getTable() {
    return table;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new StateScan(getCluster(), traits, table, source, fields, onlyCounted);
  }

  @Override
  public RelDataType deriveRowType() {
    RelDataTypeFactory.Builder builder = getCluster().getTypeFactory().builder();
    List<RelDataTypeField> all = table.getRowType().getFieldList();
    fields.forEach(field -> builder.add(all.get(field)));
    return builder.build();
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    super.explainTerms(writer)
        .item("table", table.getQualifiedName())
        .item("fields", getRowType().getFieldNames());
    explainAccess(writer, source);
    return writer.itemIf("onlyCounted", true, onlyCounted);
  }

  /** Explains what is read, as the writer of JSON can write it; a digest keeps the conditions. */
  static void explainAccess(RelWriter writer, RowSource source) {
    boolean textOnly = writer instanceof RelJsonWriter;
    source
        .access()
        .forEach((name, value) -> writer.item(name, textOnly ? String.valueOf(value) : value));
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return source.rowCount().orElseGet(table::getRowCount);
  }

  /** Fewer columns cost less, so that the planner prefers the narrow scan. */
  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    double share = (fields.size() + 1.0) / (table.getRowType().getFieldCount() + 1.0);
    double rows = estimateRowCount(mq);
    return planner.getCostFactory().makeCost(rows, rows, 0).multiplyBy(share);
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer pref) {
    PhysType physType =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
    Expression rows =
        Expressions.call(
            implementor.stash(
                new StateRows(source, Ints.toArray(fields), onlyCounted), StateRows.class),
            "enumerable",
            implementor.getRootExpression());
    // Rows of one column are that column's values, everywhere in Calcite's enumerable convention.
    boolean isScalar = physType.getFormat() == JavaRowFormat.SCALAR;
    return implementor.result(
        physType,
        Blocks.toBlock(isScalar ? Expressions.call(BuiltInMethod.SLICE0.method, rows) : rows));
  }
}
