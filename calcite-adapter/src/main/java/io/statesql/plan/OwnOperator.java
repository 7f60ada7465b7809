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

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableAggregate;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableHashJoin;
import org.apache.calcite.adapter.enumerable.EnumerableNestedLoopJoin;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.JoinType;
import org.apache.calcite.linq4j.function.EqualityComparer;
import org.apache.calcite.linq4j.function.Function0;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.linq4j.function.Function2;
import org.apache.calcite.linq4j.function.Predicate2;
import org.apache.calcite.linq4j.tree.BlockStatement;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.FunctionExpression;
import org.apache.calcite.linq4j.tree.MethodCallExpression;
import org.apache.calcite.linq4j.tree.Shuttle;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.util.BuiltInMethod;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * A step of a plan whose generated code calls a method of ours in place of one of Calcite's runtime
 * that gives wrong rows. The method gets the context of the statement and what Calcite's would.
 */
public final class OwnOperator extends SingleRel implements EnumerableRel {
  private static final Method NESTED_LOOP =
      Types.lookupMethod(
          OuterJoins.class,
          "nestedLoop",
          DataContext.class,
          Enumerable.class,
          Enumerable.class,
          Predicate2.class,
          Function2.class,
          JoinType.class);

  private static final Method HASH =
      Types.lookupMethod(
          OuterJoins.class,
          "hash",
          DataContext.class,
          Enumerable.class,
          Enumerable.class,
          Function1.class,
          Function1.class,
          Function2.class,
          EqualityComparer.class,
          boolean.class,
          boolean.class,
          Predicate2.class);

  private static final Method GROUP_BY =
      Types.lookupMethod(
          GroupingSets.class,
          "groupBy",
          DataContext.class,
          Enumerable.class,
          List.class,
          Function0.class,
          Function2.class,
          Function2.class,
          int.class);

  private final Method replaced;
  private final Method own;
  private final List<Expression> extraArguments;

  private OwnOperator(RelNode step, Method replaced, Method own, List<Expression> extraArguments) {
    super(step.getCluster(), step.getCluster().traitSetOf(EnumerableConvention.INSTANCE), step);
    this.replaced = replaced;
    this.own = own;
    this.extraArguments = extraArguments;
  }

  /** The same plan with operators of ours where Calcite's are wrong. */
  public static RelNode addTo(RelNode plan) {
    return plan.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            return repaired(super.visit(node));
          }
        });
  }

  private static RelNode repaired(RelNode step) {
    if (step instanceof EnumerableNestedLoopJoin join
        && join.getJoinType().generatesNullsOnLeft()) {
      return new OwnOperator(step, BuiltInMethod.NESTED_LOOP_JOIN.method, NESTED_LOOP, List.of());
    }
    if (step instanceof EnumerableHashJoin join
        && join.getJoinType().generatesNullsOnLeft()
        && !join.analyzeCondition().isEqui()) {
      return new OwnOperator(step, BuiltInMethod.HASH_JOIN.method, HASH, List.of());
    }
    if (step instanceof EnumerableAggregate aggregate && aggregate.getGroupCount() > 0) {
      int total = aggregate.getGroupSets().indexOf(ImmutableBitSet.of());
      if (total >= 0) {
        return new OwnOperator(
            step,
            BuiltInMethod.GROUP_BY_MULTIPLE.method,
            GROUP_BY,
            List.of(Expressions.constant(total)));
      }
    }
    return step;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new OwnOperator(inputs.get(0), replaced, own, extraArguments);
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    Result rows = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
    Replacement counting = new Replacement(0);
    rows.block.accept(counting);
    return implementor.result(rows.physType, rows.block.accept(new Replacement(counting.calls)));
  }

  /**
   * Looks at the code of this step. Functions in it are left as they are: what they call belongs to
   * other steps. The code of the steps below stands in that of this one: of the calls it is the
   * last, for what it takes is computed first.
   */
  @SuppressWarnings("rawtypes") // Calcite's signatures
  private final class Replacement extends Shuttle {
    private final int last;
    private int calls;

    /**
     * @param last which of the calls is replaced, counted from 1
     */
    Replacement(int last) {
      this.last = last;
    }

    @Override
    public Shuttle preVisit(FunctionExpression function) {
      return new Shuttle();
    }

    @Override
    public Expression visit(FunctionExpression function, @Nullable BlockStatement body) {
      return function;
    }

    @Override
    public Expression visit(
        MethodCallExpression call, @Nullable Expression target, List<Expression> arguments) {
      if (!call.method.equals(replaced) || ++calls != last) {
        return super.visit(call, target, arguments);
      }
      List<Expression> all = new ArrayList<>();
      all.add(DataContext.ROOT);
      if (target != null) {
        all.add(target);
      }
      all.addAll(arguments);
      all.addAll(extraArguments);
      return Expressions.call(own, all);
    }
  }
}
