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

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableAggregate;
import org.apache.calcite.adapter.enumerable.EnumerableCalc;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.ParameterExpression;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.BuiltInMethod;

/**
 * Aggregates a table of state piece by piece, on the threads that read the pieces, so that no row
 * is handed from thread to thread. What is above it sees one row, as of the aggregation below it.
 */
public final class StateFold extends SingleRel implements EnumerableRel {
  private final StateScan scan;
  private final List<PartialResult> results;

  private StateFold(RelNode aggregate, StateScan scan, List<PartialResult> results) {
    super(aggregate.getCluster(), aggregate.getTraitSet(), aggregate);
    this.scan = scan;
    this.results = results;
  }

  /** A finished plan in which pieces are aggregated where that gives the same. */
  public static RelNode addTo(RelNode plan) {
    return plan.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            if (node instanceof EnumerableAggregate aggregate) {
              Optional<RelNode> fold = of(aggregate);
              if (fold.isPresent()) {
                return fold.get();
              }
            }
            return super.visit(node);
          }
        });
  }

  private static Optional<RelNode> of(EnumerableAggregate aggregate) {
    StateScan scan = scanBelow(aggregate.getInput());
    if (scan == null
        || aggregate.getGroupType() != Aggregate.Group.SIMPLE
        || !aggregate.getGroupSet().isEmpty()
        || aggregate.getAggCallList().isEmpty()) {
      return Optional.empty();
    }
    List<PartialResult> results = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      Optional<PartialResult> result = PartialResult.of(call, aggregate.getInput().getRowType());
      if (result.isEmpty()) {
        return Optional.empty();
      }
      results.add(result.get());
    }
    return Optional.of(new StateFold(aggregate, scan, results));
  }

  /** The scan whose rows come here one by one, changed by nothing but themselves; or null. */
  private static StateScan scanBelow(RelNode node) {
    if (node instanceof StateScan scan) {
      return scan.source() instanceof PartedSource ? scan : null;
    }
    return node instanceof EnumerableCalc calc
            && calc.getProgram().getExprList().stream().allMatch(RexUtil::isDeterministic)
            && calc.getVariablesSet().isEmpty()
        ? scanBelow(calc.getInput())
        : null;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new StateFold(inputs.get(0), scan, results);
  }

  @SuppressWarnings("unchecked") // the lambda's class is given without its types
  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer pref) {
    ParameterExpression piece = Expressions.parameter(Modifier.FINAL, Enumerable.class, "piece");
    Result folded = ((EnumerableRel) overPiece(piece)).implement(implementor, Prefer.ARRAY);
    PhysType physType =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
    Expression rows =
        Expressions.call(
            scan.rows(implementor, false),
            "folded",
            DataContext.ROOT,
            implementor.stash(results, List.class),
            Expressions.lambda(Function1.class, folded.block, piece));
    return implementor.result(
        physType,
        Blocks.toBlock(
            physType.getFormat() == JavaRowFormat.SCALAR
                ? Expressions.call(BuiltInMethod.SLICE0.method, rows)
                : rows));
  }

  /** The aggregation, of the rows of one piece. */
  private RelNode overPiece(ParameterExpression piece) {
    return getInput()
        .accept(
            new RelHomogeneousShuttle() {
              @Override
              public RelNode visit(RelNode node) {
                return node == scan ? new Piece(scan, piece) : super.visit(node);
              }
            });
  }

  /** The rows of a piece, as a parameter of generated code gives them. */
  private static final class Piece extends AbstractRelNode implements EnumerableRel {
    private final ParameterExpression rows;

    Piece(StateScan scan, ParameterExpression rows) {
      super(scan.getCluster(), scan.getTraitSet());
      this.rowType = scan.getRowType();
      this.rows = rows;
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer pref) {
      PhysType physType =
          PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
      return implementor.result(
          physType,
          Blocks.toBlock(
              physType.getFormat() == JavaRowFormat.SCALAR
                  ? Expressions.call(BuiltInMethod.SLICE0.method, rows)
                  : rows));
    }
  }
}
