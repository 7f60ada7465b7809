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

import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.adapter.enumerable.CallImplementor;
import org.apache.calcite.adapter.enumerable.NullPolicy;
import org.apache.calcite.adapter.enumerable.RexImpTable;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.FunctionParameter;
import org.apache.calcite.schema.ImplementableFunction;
import org.apache.calcite.schema.ScalarFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;

/** MOD of integers, one of them a BIGINT. Calcite makes decimals of both to find the remainder. */
public final class IntegerRemainder {
  private static final int OPERANDS = 2;

  private static final SqlOperator INTEGER_MOD =
      new SqlUserDefinedFunction(
          new SqlIdentifier("MOD", SqlParserPos.ZERO),
          SqlKind.MOD,
          ReturnTypes.NULLABLE_MOD,
          InferTypes.FIRST_KNOWN,
          OperandTypes.operandMetadata(
              List.of(SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER),
              factory ->
                  IntStream.range(0, OPERANDS)
                      .mapToObj(i -> factory.createSqlType(SqlTypeName.BIGINT))
                      .toList(),
              i -> "value" + i,
              i -> false),
          new Remainder());

  private IntegerRemainder() {}

  /** The same call in whole numbers, if it is one of them. */
  public static RexNode of(RexCall call, RexBuilder rexBuilder) {
    List<RexNode> operands = call.getOperands();
    boolean wanted =
        call.getKind() == SqlKind.MOD
            && operands.stream().allMatch(operand -> SqlTypeUtil.isIntType(operand.getType()))
            && operands.stream().anyMatch(IntegerRemainder::isBigint);
    return wanted
        ? rexBuilder.makeCall(call.getParserPosition(), call.getType(), INTEGER_MOD, operands)
        : call;
  }

  private static boolean isBigint(RexNode operand) {
    return operand.getType().getSqlTypeName() == SqlTypeName.BIGINT;
  }

  /** The code of a call. */
  private static final class Remainder implements ScalarFunction, ImplementableFunction {
    @Override
    public RelDataType getReturnType(RelDataTypeFactory typeFactory) {
      return typeFactory.createSqlType(SqlTypeName.BIGINT);
    }

    @Override
    public List<FunctionParameter> getParameters() {
      return List.of();
    }

    @Override
    public CallImplementor getImplementor() {
      return RexImpTable.createImplementor(
          (translator, call, operands) -> {
            Expression remainder =
                Expressions.modulo(
                    Expressions.convert_(operands.get(0), long.class),
                    Expressions.convert_(operands.get(1), long.class));
            // Less than the divisor, of whose type the result is.
            return Expressions.convert_(remainder, javaClass(call.getType()));
          },
          NullPolicy.STRICT,
          false);
    }

    private static Class<?> javaClass(RelDataType integer) {
      return switch (integer.getSqlTypeName()) {
        case TINYINT -> byte.class;
        case SMALLINT -> short.class;
        case INTEGER -> int.class;
        default -> long.class;
      };
    }
  }
}
