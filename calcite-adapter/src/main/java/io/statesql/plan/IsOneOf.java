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

import java.util.Collections;
import org.apache.calcite.adapter.enumerable.CallImplementor;
import org.apache.calcite.adapter.enumerable.NullPolicy;
import org.apache.calcite.adapter.enumerable.RexImpTable;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.FunctionParameter;
import org.apache.calcite.schema.ImplementableFunction;
import org.apache.calcite.schema.ScalarFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.apache.calcite.util.BuiltInMethod;

/**
 * An operator that is true of a row of expressions that is equal to one of a list, in place of an
 * OR of as many equalities. One operator for each list of a statement; SQL text cannot name it.
 */
public final class IsOneOf extends SqlUserDefinedFunction {
  private final LiteralList list;

  /**
   * An operator.
   *
   * @param number tells the lists of a statement apart
   * @param columns how many expressions a row has
   */
  public IsOneOf(LiteralList list, int number, int columns) {
    super(
        new SqlIdentifier("IS_ONE_OF_" + list.size() + "_IN_LIST_" + number, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.BOOLEAN_NULLABLE,
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(
            Collections.nCopies(columns, SqlTypeFamily.ANY),
            factory -> Collections.nCopies(columns, factory.createSqlType(SqlTypeName.ANY)),
            i -> "value" + i,
            i -> false),
        new Contains(parameter(number)));
    this.list = list;
  }

  /** Under which name a statement that runs finds the list of a number in its data context. */
  public static String parameter(int number) {
    return "list" + number;
  }

  LiteralList list() {
    return list;
  }

  /** So that the planner does not compute a call before there is a data context. */
  @Override
  public boolean isDynamicFunction() {
    return true;
  }

  /** The code of a call. */
  private record Contains(String parameter) implements ScalarFunction, ImplementableFunction {
    @Override
    public RelDataType getReturnType(RelDataTypeFactory typeFactory) {
      return typeFactory.createSqlType(SqlTypeName.BOOLEAN);
    }

    @Override
    public java.util.List<FunctionParameter> getParameters() {
      return java.util.List.of();
    }

    @Override
    public CallImplementor getImplementor() {
      return RexImpTable.createImplementor(
          (translator, call, operands) -> {
            Expression list =
                Expressions.convert_(
                    Expressions.call(
                        translator.getRoot(),
                        BuiltInMethod.DATA_CONTEXT_GET.method,
                        Expressions.constant(parameter)),
                    LiteralList.class);
            return Expressions.call(
                list,
                "contains",
                Expressions.newArrayInit(
                    Object.class, operands.stream().map(Expressions::box).toList()));
          },
          NullPolicy.NONE,
          false);
    }
  }
}
