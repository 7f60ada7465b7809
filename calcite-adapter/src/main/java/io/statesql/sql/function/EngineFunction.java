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

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;

/** Makes operators that plans use and SQL text cannot name. */
public final class EngineFunction {
  private EngineFunction() {}

  /**
   * Makes an operator.
   *
   * @param owner the public class of the method
   * @param methodName a public static method whose parameters may be null and whose result may be
   *     null
   * @param result the type of the result, but for NULL, where the maker of a call gives none
   */
  public static SqlOperator of(String name, Class<?> owner, String methodName, SqlTypeName result) {
    Method method =
        Arrays.stream(owner.getMethods())
            .filter(candidate -> candidate.getName().equals(methodName))
            .findFirst()
            .orElseThrow();
    return new SqlUserDefinedFunction(
        new SqlIdentifier(name, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(result).andThen(SqlTypeTransforms.FORCE_NULLABLE),
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(
            Collections.nCopies(method.getParameterCount(), SqlTypeFamily.ANY),
            factory ->
                Collections.nCopies(
                    method.getParameterCount(), factory.createSqlType(SqlTypeName.ANY)),
            i -> "value" + i,
            i -> false),
        ScalarFunctionImpl.create(method));
  }
}
