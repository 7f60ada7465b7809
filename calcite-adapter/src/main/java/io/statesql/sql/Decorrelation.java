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

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql2rel.RelDecorrelator;

/**
 * Makes joins of what is computed for each row of another table, where Calcite's decorrelator gives
 * the same rows; see {@link RowByRow}. What it would give other rows of stays as it was written,
 * and is computed for one row after the other.
 */
public final class Decorrelation {
  private final CorrelatedNames names = new CorrelatedNames();
  private final RowByRow rowByRow = new RowByRow(names);

  private Decorrelation() {}

  /** The query, in which subqueries have become correlates, with as few of these as may be. */
  public static RelNode of(RelNode query) {
    Decorrelation decorrelation = new Decorrelation();
    decorrelation.names.check(query);
    return decorrelation.joined(query);
  }

  /** Of a query that refers to no row outside of it. */
  private RelNode joined(RelNode query) {
    if (!CorrelatedNames.hasCorrelate(query)) {
      return query;
    }
    RelNode joined =
        RelDecorrelator.decorrelateQuery(
            prepared(query), RelFactories.LOGICAL_BUILDER.create(query.getCluster(), null));
    return joined.accept(new Unsealing());
  }

  /** With each correlate as the decorrelator does it right, or hidden from it. */
  private RelNode prepared(RelNode query) {
    if (!CorrelatedNames.hasCorrelate(query)) {
      return sealed(query);
    }
    if (!(query instanceof Correlate correlate)) {
      return withInputs(query, this::prepared);
    }
    if (rowByRow.canBeJoined(correlate)) {
      Correlate counted = rowByRow.withCounts(correlate);
      return withInputs(
          counted, input -> input == counted.getLeft() ? prepared(input) : withSealedParts(input));
    }
    return new Sealed(withInputs(correlate, this::withSealedParts));
  }

  /** What refers to no row outside of it is hidden, so that no condition moves into it. */
  private RelNode withSealedParts(RelNode query) {
    return names.free(query).isEmpty()
        ? sealed(joined(query))
        : withInputs(query, this::withSealedParts);
  }

  private static RelNode sealed(RelNode query) {
    return query.getInputs().isEmpty() ? query : new Sealed(query);
  }

  private static RelNode withInputs(RelNode query, UnaryOperator<RelNode> change) {
    List<RelNode> inputs = query.getInputs().stream().map(change).toList();
    return inputs.equals(query.getInputs()) ? query : query.copy(query.getTraitSet(), inputs);
  }

  /** Gives back what was hidden. */
  private static final class Unsealing extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(RelNode other) {
      return other instanceof Sealed sealed ? sealed.query.accept(this) : super.visit(other);
    }
  }

  /** A query that the decorrelator takes for a table. */
  private static final class Sealed extends AbstractRelNode {
    private final RelNode query;

    Sealed(RelNode query) {
      super(query.getCluster(), query.getCluster().traitSetOf(Convention.NONE));
      this.query = query;
    }

    @Override
    protected RelDataType deriveRowType() {
      return query.getRowType();
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
      return super.explainTerms(writer).item("query", query.getId());
    }
  }
}
