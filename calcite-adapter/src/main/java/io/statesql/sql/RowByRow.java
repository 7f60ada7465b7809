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

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlCountAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Knows which queries that are computed for each row Calcite's decorrelator turns into joins that
 * give the same rows.
 *
 * <p>The decorrelator gives the query's rows the columns of the other row by which they were found,
 * and joins by these. It forgets them in the partitions of a window, in a join both sides of which
 * have them, on the side of an outer join that may be missing, and where an inner query refers to a
 * row outside of the one around it. Total sums of nothing have no row with such columns: it adds
 * them only for COUNT.
 */
final class RowByRow {
  /** NULL of no rows. */
  private static final Set<SqlKind> NULL_OF_NOTHING =
      EnumSet.of(
          SqlKind.SUM,
          SqlKind.AVG,
          SqlKind.MIN,
          SqlKind.MAX,
          SqlKind.SINGLE_VALUE,
          SqlKind.ANY_VALUE,
          SqlKind.LISTAGG);

  private final CorrelatedNames names;

  RowByRow(CorrelatedNames names) {
    this.names = names;
  }

  /** Whether the decorrelator makes a join with the same rows of it. */
  boolean canBeJoined(Correlate correlate) {
    CorrelationId name = correlate.getCorrelationId();
    return Set.of(name).containsAll(names.free(correlate.getRight()))
        && isOf(name, correlate.getRight())
        && canBeJoined(name, correlate.getRight());
  }

  private boolean canBeJoined(CorrelationId name, RelNode query) {
    if (!isOf(name, query)) {
      return true;
    }
    if (CorrelatedNames.ownOf(query).contains(name)
        && query.getInputs().stream().anyMatch(input -> isOf(name, input))) {
      return false;
    }
    if (query instanceof Project project) {
      return !RexOver.containsOver(project.getProjects(), null)
          && canBeJoined(name, project.getInput());
    }
    if (query instanceof Filter filter) {
      return canBeJoined(name, filter.getInput());
    }
    if (query instanceof Aggregate aggregate) {
      return aggregate.getGroupType() == Aggregate.Group.SIMPLE
          && (!isTotal(aggregate)
              || aggregate.getAggCallList().stream().allMatch(RowByRow::isKnownOfNothing))
          && canBeJoined(name, aggregate.getInput());
    }
    if (query instanceof Sort sort) {
      return sort.offset == null
          && (sort.fetch == null
              || (sort.fetch instanceof RexLiteral && RexLiteral.intValue(sort.fetch) == 1))
          && canBeJoined(name, sort.getInput());
    }
    if (query instanceof Join join) {
      return canBeJoined(name, join);
    }
    return query instanceof Correlate inner
        && canBeJoined(inner)
        && canBeJoined(name, inner.getLeft());
  }

  private boolean canBeJoined(CorrelationId name, Join join) {
    if (CorrelatedNames.ownOf(join).contains(name)) {
      return false;
    }
    if (isOf(name, join.getLeft())) {
      return (join.getJoinType() == JoinRelType.INNER || join.getJoinType() == JoinRelType.LEFT)
          && !isOf(name, join.getRight())
          && canBeJoined(name, join.getLeft());
    }
    return (join.getJoinType() == JoinRelType.INNER || join.getJoinType() == JoinRelType.RIGHT)
        && canBeJoined(name, join.getRight());
  }

  private boolean isOf(CorrelationId name, RelNode query) {
    return names.free(query).contains(name);
  }

  private static boolean isTotal(Aggregate aggregate) {
    return aggregate.getGroupSet().isEmpty();
  }

  private static boolean isKnownOfNothing(AggregateCall call) {
    SqlKind kind = call.getAggregation().getKind();
    return isCount(call)
        || NULL_OF_NOTHING.contains(kind)
        || SqlKind.AVG_AGG_FUNCTIONS.contains(kind);
  }

  private static boolean isCount(AggregateCall call) {
    return call.getAggregation() instanceof SqlCountAggFunction;
  }

  /** A correlate that can be joined, with a COUNT in each total that needs a row of nothing. */
  Correlate withCounts(Correlate correlate) {
    RelNode right = correlate.getRight();
    if (correlate.getJoinType() == JoinRelType.LEFT && isTotalAlone(right)) {
      // NULL is what its missing row has.
      return correlate;
    }
    return correlate.copy(
        correlate.getTraitSet(),
        List.of(correlate.getLeft(), withCounts(correlate.getCorrelationId(), right)));
  }

  private static boolean isTotalAlone(RelNode query) {
    return query instanceof Project project
        ? isTotalAlone(project.getInput())
        : query instanceof Aggregate aggregate
            && isTotal(aggregate)
            && aggregate.getAggCallList().stream().noneMatch(RowByRow::isCount);
  }

  private RelNode withCounts(CorrelationId name, RelNode query) {
    if (!isOf(name, query)) {
      return query;
    }
    if (query instanceof Correlate inner) {
      Correlate counted = withCounts(inner);
      return counted.copy(
          counted.getTraitSet(), List.of(withCounts(name, counted.getLeft()), counted.getRight()));
    }
    List<RelNode> inputs =
        query.getInputs().stream().map(input -> withCounts(name, input)).toList();
    RelNode counted = query.copy(query.getTraitSet(), inputs);
    return counted instanceof Aggregate aggregate
            && isTotal(aggregate)
            && aggregate.getAggCallList().stream().noneMatch(RowByRow::isCount)
        ? withCount(aggregate)
        : counted;
  }

  private static RelNode withCount(Aggregate total) {
    List<AggregateCall> calls = new ArrayList<>(total.getAggCallList());
    calls.add(
        AggregateCall.create(
            SqlParserPos.ZERO,
            SqlStdOperatorTable.COUNT,
            false,
            false,
            false,
            List.of(),
            List.of(),
            -1,
            null,
            RelCollations.EMPTY,
            total.getCluster().getTypeFactory().createSqlType(SqlTypeName.BIGINT),
            null));
    RelNode counted =
        total.copy(total.getTraitSet(), total.getInput(), ImmutableBitSet.of(), null, calls);
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < total.getRowType().getFieldCount(); i++) {
      fields.add(total.getCluster().getRexBuilder().makeInputRef(counted, i));
    }
    return LogicalProject.create(
        counted, List.of(), fields, total.getRowType().getFieldNames(), Set.of());
  }
}
