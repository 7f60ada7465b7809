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
import java.lang.reflect.Modifier;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.adapter.enumerable.RexToLixTranslator;
import org.apache.calcite.linq4j.function.Predicate1;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.ParameterExpression;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
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
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexProgram;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.BuiltInMethod;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mappings;
import org.jspecify.annotations.Nullable;

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

  /** What keys are tested by, on the columns of this scan; null if they are not. */
  private final @Nullable RexNode keyTest;

  private StateScan(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelOptTable table,
      RowSource source,
      List<Integer> fields,
      boolean onlyCounted,
      @Nullable RexNode keyTest) {
    super(cluster, traits);
    this.table = table;
    this.source = source;
    this.fields = ImmutableList.copyOf(fields);
    this.onlyCounted = onlyCounted;
    this.keyTest = keyTest;
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
        fields.isEmpty(),
        null);
  }

  /** The same columns of other rows of the table. */
  StateScan withSource(RowSource other) {
    return new StateScan(getCluster(), getTraitSet(), table, other, fields, onlyCounted, keyTest);
  }

  /**
   * The same columns of the rows whose keys pass a test; others may be among them.
   *
   * @param test on the columns of this scan, of which it uses testable ones alone
   */
  StateScan withKeyTest(RexNode test) {
    return new StateScan(getCluster(), getTraitSet(), table, source, fields, onlyCounted, test);
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
    return new StateScan(getCluster(), traits, table, source, fields, onlyCounted, keyTest);
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
    return writer
        .itemIf("keyTest", keyTest, keyTest != null)
        .itemIf("onlyCounted", true, onlyCounted);
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
            rows(implementor, onlyCounted), "enumerable", implementor.getRootExpression());
    // Rows of one column are that column's values, everywhere in Calcite's enumerable convention.
    boolean isScalar = physType.getFormat() == JavaRowFormat.SCALAR;
    return implementor.result(
        physType,
        Blocks.toBlock(isScalar ? Expressions.call(BuiltInMethod.SLICE0.method, rows) : rows));
  }

  /**
   * The {@link StateRows} of this scan in generated code.
   *
   * @param counted whether the values of the rows mean nothing
   */
  Expression rows(EnumerableRelImplementor implementor, boolean counted) {
    Expression rows =
        implementor.stash(new StateRows(source, Ints.toArray(fields), counted), StateRows.class);
    if (keyTest == null) {
      return rows;
    }
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(keyTest);
    List<Integer> columns = used.asList().stream().map(fields::get).toList();
    return Expressions.call(
        rows, "whereKey", implementor.stash(columns, List.class), test(implementor, used));
  }

  /** The key test in generated code: of an array of the columns that it uses. */
  @SuppressWarnings("unchecked") // the lambda's class is given without its types
  private Expression test(EnumerableRelImplementor implementor, ImmutableBitSet used) {
    List<RelDataTypeField> all = getRowType().getFieldList();
    RelDataTypeFactory.Builder keyType = getCluster().getTypeFactory().builder();
    used.forEachInt(field -> keyType.add(all.get(field)));
    RelDataType type = keyType.uniquify().build();
    RexBuilder rexBuilder = getCluster().getRexBuilder();
    RexNode condition =
        RexUtil.apply(
            Mappings.target(
                field -> used.get(field) ? used.indexOf(field) : -1,
                all.size(),
                used.cardinality()),
            keyTest);
    RexProgram program = RexProgram.create(type, List.of(), condition, List.of(), rexBuilder);
    ParameterExpression key = Expressions.parameter(Modifier.FINAL, Object[].class, "key");
    BlockBuilder code = new BlockBuilder();
    Expression passes =
        RexToLixTranslator.translateCondition(
            program,
            implementor.getTypeFactory(),
            code,
            new RexToLixTranslator.InputGetterImpl(
                key,
                PhysTypeImpl.of(implementor.getTypeFactory(), type, JavaRowFormat.ARRAY, false)),
            variable -> {
              throw new IllegalStateException("A test of keys depends on " + variable);
            },
            implementor.getConformance());
    code.add(Expressions.return_(null, passes));
    return Expressions.lambda(Predicate1.class, code.toBlock(), key);
  }
}
