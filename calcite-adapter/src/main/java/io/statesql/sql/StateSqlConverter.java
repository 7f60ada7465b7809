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

import static java.util.Objects.requireNonNull;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.StateModification;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's converter with our rewrites, and with {@link StateModification} for statements that
 * change a table.
 */
public final class StateSqlConverter extends SqlToRelConverter {
  /** Each value that is no literal is a comparison in the code; with 1,000 it does not compile. */
  private static final int MOST_COMPARISONS = 100;

  /** Each is planned by itself, also one of WITH at each place that names it. */
  private static final int MOST_SOURCES = 2000;

  private final RelOptTable.ViewExpander views;
  private final SqlRexConvertletTable convertlets;
  private final Cancellation planning;

  /** How many entries of FROM were converted. */
  private int sources;

  public StateSqlConverter(
      RelOptTable.ViewExpander views,
      SqlValidator validator,
      Prepare.CatalogReader names,
      RelOptCluster cluster,
      SqlRexConvertletTable convertlets,
      Config config,
      Cancellation planning) {
    super(views, validator, names, cluster, convertlets, config);
    this.views = views;
    this.convertlets = convertlets;
    this.planning = planning;
  }

  @Override
  public RelRoot convertQuery(SqlNode query, boolean needsValidation, boolean top) {
    SqlNode valid = needsValidation ? requireNonNull(validator).validate(query) : query;
    if (config.getInSubQueryThreshold() > MOST_COMPARISONS
        && ComputedLists.longest(valid) >= MOST_COMPARISONS) {
      // A list that is to be computed is joined with.
      return new StateSqlConverter(
              views,
              requireNonNull(validator),
              catalogReader,
              cluster,
              convertlets,
              config.withInSubQueryThreshold(MOST_COMPARISONS),
              planning)
          .convertQuery(valid, false, top);
    }
    RelRoot root = super.convertQuery(valid, false, top);
    return root.withRel(
        root.rel
            .accept(new WindowTables(rexBuilder))
            .accept(new RowComparisons(rexBuilder))
            .accept(new CheckedArithmetic(rexBuilder))
            .accept(new ApproximateComparisons(rexBuilder))
            .accept(new CompositeEquality(rexBuilder))
            .accept(new NullCollections(rexBuilder))
            .accept(new DistinctGroupingSets())
            .accept(new SortedTypes())
            .accept(new VarianceArguments()));
  }

  /**
   * Leaves the columns to the planner, which trims them when sub-queries have become joins. Before,
   * Calcite forgets a column of a join that only a sub-query refers to.
   */
  @Override
  public RelNode trimUnusedFields(boolean ordered, RelNode query) {
    return query;
  }

  /**
   * Leaves this to the planner too, see {@link PlanningProgram}: before sub-queries are removed,
   * Calcite forgets to which row one above a LATERAL refers.
   */
  @Override
  public RelNode decorrelate(SqlNode statement, RelNode query) {
    return query;
  }

  @Override
  protected void convertFrom(
      Blackboard bb, @Nullable SqlNode from, @Nullable List<String> fieldNames) {
    planning.check();
    sources++;
    if (sources > MOST_SOURCES) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "The statement reads more than %d tables and subqueries, where those of WITH count at each place that names them."
              .formatted(MOST_SOURCES));
    }
    super.convertFrom(bb, from, fieldNames);
  }

  @Override
  protected RelRoot convertQueryRecursive(
      SqlNode query, boolean top, @Nullable RelDataType targetRowType) {
    if (query instanceof SqlInsert insert) {
      return change(
          insert,
          insert.isUpsert() ? ChangeKind.UPSERT : ChangeKind.INSERT,
          insert.getTargetColumnList(),
          // Without the types of the table, for which Calcite would round the values.
          super.convertQueryRecursive(insert.getSource(), true, null).project());
    }
    if (query instanceof SqlUpdate update) {
      return change(
          update,
          ChangeKind.UPDATE,
          update.getTargetColumnList(),
          convertSelect(update.getSourceSelect(), false));
    }
    if (query instanceof SqlDelete delete) {
      return change(
          delete,
          ChangeKind.DELETE,
          SqlNodeList.EMPTY,
          convertSelect(delete.getSourceSelect(), false));
    }
    return super.convertQueryRecursive(query, top, targetRowType);
  }

  private RelRoot change(
      SqlNode statement, ChangeKind kind, SqlNodeList columnNames, RelNode rows) {
    RelOptTable table = getTargetTable(statement);
    RelDataType rowType = table.getRowType();
    List<Integer> columns =
        columnNames.stream()
            .map(name -> Util.last(((SqlIdentifier) name).names))
            .map(name -> catalogReader.nameMatcher().field(rowType, name).getIndex())
            .toList();
    return RelRoot.of(StateModification.create(table, kind, columns, rows), statement.getKind());
  }
}
