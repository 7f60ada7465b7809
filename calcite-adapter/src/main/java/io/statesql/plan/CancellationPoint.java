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
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableInterpreter;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Calc;

/**
 * A place in a finished plan where a statement may end. Scans of state look for themselves whether
 * it has to; but a plan may work for hours on few rows of state, or on none, in joins, recursion
 * and the like.
 */
public final class CancellationPoint extends SingleRel implements EnumerableRel {
  private CancellationPoint(RelNode input) {
    super(input.getCluster(), input.getTraitSet(), input);
  }

  /** A plan that looks after each of its steps, but for those that pass rows on one by one. */
  public static RelNode addTo(RelNode plan) {
    return plan.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            if (node instanceof EnumerableInterpreter) {
              // What it interprets has no generated code.
              return new CancellationPoint(node);
            }
            RelNode withPoints = super.visit(node);
            boolean passesRowsOn =
                node instanceof Calc
                    || node instanceof StateScan
                    || node instanceof StateModify
                    || node instanceof OwnOperator;
            return passesRowsOn ? withPoints : new CancellationPoint(withPoints);
          }
        });
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new CancellationPoint(inputs.get(0));
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    BlockBuilder builder = new BlockBuilder();
    // Set operations of one column prefer objects for what is below, which joins cannot make.
    Result rows = implementor.visitChild(this, 0, (EnumerableRel) getInput(), Prefer.ARRAY);
    builder.add(
        Expressions.return_(
            null,
            Expressions.call(
                StatementCancellation.class,
                "checked",
                DataContext.ROOT,
                builder.append("rows", rows.block))));
    return implementor.result(rows.physType, builder.toBlock());
  }
}
