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
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlKind;

/**
 * A change of a table, not yet planned. Its input has what {@link RowChanges#add} takes. Calcite's
 * own node cannot tell UPSERT from INSERT, and wants a value for every column.
 */
public final class StateModification extends SingleRel {
  private final RelOptTable table;
  private final ChangeKind kind;
  private final List<Integer> columns;

  private StateModification(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      RelOptTable table,
      ChangeKind kind,
      List<Integer> columns) {
    super(cluster, traits, input);
    this.table = table;
    this.kind = kind;
    this.columns = List.copyOf(columns);
  }

  /**
   * The change of a table.
   *
   * @param table one that is a {@link ModifiableState}
   * @param columns those that are assigned, by position in the table
   */
  public static RelNode create(
      RelOptTable table, ChangeKind kind, List<Integer> columns, RelNode input) {
    RelOptCluster cluster = input.getCluster();
    RelOptPlanner planner = cluster.getPlanner();
    planner.addRule(StateModify.RULE);
    return new StateModification(
        cluster, cluster.traitSetOf(Convention.NONE), input, table, kind, columns);
  }

  @Override
  public RelOptTable getTable() {
    return table;
  }

  ChangeKind kind() {
    return kind;
  }

  List<Integer> columns() {
    return columns;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new StateModification(getCluster(), traits, sole(inputs), table, kind, columns);
  }

  @Override
  protected RelDataType deriveRowType() {
    return RelOptUtil.createDmlRowType(SqlKind.INSERT, getCluster().getTypeFactory());
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return explain(super.explainTerms(writer), table, kind, columns);
  }

  static RelWriter explain(
      RelWriter writer, RelOptTable table, ChangeKind kind, List<Integer> columns) {
    List<String> names = table.getRowType().getFieldNames();
    return writer
        .item("table", table.getQualifiedName())
        .item("operation", kind)
        .itemIf("columns", columns.stream().map(names::get).toList(), !columns.isEmpty());
  }
}
