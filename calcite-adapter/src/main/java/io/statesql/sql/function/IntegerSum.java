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
package io.statesql.sql.function;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableAggregate;
import org.apache.calcite.adapter.enumerable.EnumerableCalc;
import org.apache.calcite.rel.InvalidRelException;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexProgram;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.schema.impl.AggregateFunctionImpl;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlUserDefinedAggFunction;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.Optionality;

/**
 * The unbounded sum of integers, added as such for as long as they fit. Calcite makes a decimal of
 * each integer and of each sum on the way.
 */
public final class IntegerSum {
  private static final SqlAggFunction INTEGER_SUM =
      new SqlUserDefinedAggFunction(
          new SqlIdentifier("INTEGER_SUM", SqlParserPos.ZERO),
          SqlKind.SUM,
          binding ->
              binding
                  .getTypeFactory()
                  .getTypeSystem()
                  .deriveSumType(
                      binding.getTypeFactory(),
                      binding
                          .getTypeFactory()
                          .createTypeWithNullability(
                              binding.getTypeFactory().createSqlType(SqlTypeName.BIGINT),
                              binding.hasEmptyGroup()
                                  || binding.hasFilter()
                                  || binding.getOperandType(0).isNullable())),
          null,
          OperandTypes.operandMetadata(
              List.of(SqlTypeFamily.INTEGER), typeFactory -> List.of(), i -> "value", i -> false),
          AggregateFunctionImpl.create(IntegerSum.class),
          false,
          false,
          Optionality.FORBIDDEN);

  private long sum;

  /** The sum of what was there when {@link #sum} would have overflowed. */
  private BigDecimal beyond = BigDecimal.ZERO;

  private IntegerSum() {}

  /** Called by generated code. */
  public static IntegerSum init() {
    return new IntegerSum();
  }

  /** Called by generated code. */
  public static IntegerSum add(IntegerSum sum, Number value) {
    long added = value.longValue();
    long result = sum.sum + added;
    if (((sum.sum ^ result) & (added ^ result)) < 0) {
      sum.beyond = sum.beyond.add(BigDecimal.valueOf(sum.sum));
      result = added;
    }
    sum.sum = result;
    return sum;
  }

  /** Called by generated code. */
  public static BigDecimal result(IntegerSum sum) {
    return sum.beyond.add(BigDecimal.valueOf(sum.sum));
  }

  /** A finished plan that sums integers as such. */
  public static RelNode addTo(RelNode plan) {
    return plan.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            RelNode visited = super.visit(node);
            return visited instanceof EnumerableAggregate aggregate
                    && aggregate.getInput() instanceof EnumerableCalc calc
                ? withIntegerSums(aggregate, calc)
                : visited;
          }
        });
  }

  private static RelNode withIntegerSums(EnumerableAggregate aggregate, EnumerableCalc calc) {
    RexProgram program = calc.getProgram();
    List<RexNode> columns =
        new ArrayList<>(program.getProjectList().stream().map(program::expandLocalRef).toList());
    ImmutableBitSet integers = summedIntegers(aggregate, columns);
    if (integers.isEmpty()) {
      return aggregate;
    }
    integers.forEachInt(column -> columns.set(column, integer(columns.get(column))));
    RexNode condition =
        program.getCondition() == null ? null : program.expandLocalRef(program.getCondition());
    RexProgram narrower =
        RexProgram.create(
            program.getInputRowType(),
            columns,
            condition,
            program.getOutputRowType().getFieldNames(),
            calc.getCluster().getRexBuilder());
    List<AggregateCall> calls =
        aggregate.getAggCallList().stream()
            .map(call -> isSumOf(call, integers) ? integerSum(call) : call)
            .toList();
    try {
      return new EnumerableAggregate(
          aggregate.getCluster(),
          aggregate.getTraitSet(),
          EnumerableCalc.create(calc.getInput(), narrower),
          aggregate.getGroupSet(),
          aggregate.getGroupSets(),
          calls);
    } catch (InvalidRelException e) {
      throw new IllegalStateException("the aggregation was valid before", e);
    }
  }

  /** The columns that are integers made decimals to be summed, and are used for nothing else. */
  private static ImmutableBitSet summedIntegers(
      EnumerableAggregate aggregate, List<RexNode> columns) {
    ImmutableBitSet.Builder integers = ImmutableBitSet.builder();
    for (int i = 0; i < columns.size(); i++) {
      if (isDecimalOfInteger(columns.get(i))) {
        integers.set(i);
      }
    }
    ImmutableBitSet candidates = integers.build().except(aggregate.getGroupSet());
    ImmutableBitSet.Builder others = ImmutableBitSet.builder();
    ImmutableBitSet.Builder summed = ImmutableBitSet.builder();
    for (AggregateCall call : aggregate.getAggCallList()) {
      (isSumOf(call, candidates) ? summed : others).addAll(call.getArgList());
    }
    return summed.build().except(others.build());
  }

  private static boolean isSumOf(AggregateCall call, ImmutableBitSet columns) {
    return call.getAggregation().getKind() == SqlKind.SUM
        && !call.isDistinct()
        && call.distinctKeys == null
        && columns.get(call.getArgList().get(0));
  }

  private static AggregateCall integerSum(AggregateCall call) {
    return AggregateCall.create(
        call.getParserPosition(),
        INTEGER_SUM,
        false,
        false,
        false,
        call.rexList,
        call.getArgList(),
        call.filterArg,
        null,
        call.getCollation(),
        call.getType(),
        call.getName());
  }

  private static boolean isDecimalOfInteger(RexNode expression) {
    return expression instanceof RexCall call
        && call.getOperator().equals(ExactDecimals.EXACT_DECIMAL)
        && SqlTypeUtil.isIntType(call.getOperands().get(0).getType());
  }

  /** The integer of which an expression makes a decimal. */
  private static RexNode integer(RexNode decimal) {
    return unwidened(((RexCall) decimal).getOperands().get(0));
  }

  private static RexNode unwidened(RexNode expression) {
    return expression.isA(SqlKind.CAST)
            && RexUtil.isLosslessCast(expression)
            && SqlTypeUtil.isIntType(((RexCall) expression).getOperands().get(0).getType())
        ? unwidened(((RexCall) expression).getOperands().get(0))
        : expression;
  }
}
