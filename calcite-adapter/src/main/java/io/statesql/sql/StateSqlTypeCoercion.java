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

import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/**
 * Calcite's implicit casts, for ANY, SOME and ALL as for IN. Without them values of two types are
 * compared as Java objects, of which none is equal to one of another class.
 */
public final class StateSqlTypeCoercion extends TypeCoercionImpl {
  public StateSqlTypeCoercion(RelDataTypeFactory typeFactory, SqlValidator validator) {
    super(typeFactory, validator);
  }

  @Override
  public boolean inOperationCoercion(SqlCallBinding binding) {
    SqlCall call = binding.getCall();
    if (call.getKind() != SqlKind.SOME && call.getKind() != SqlKind.ALL) {
      return super.inOperationCoercion(binding);
    }
    SqlCall in =
        new SqlBasicCall(SqlStdOperatorTable.IN, call.getOperandList(), call.getParserPosition());
    boolean coerced =
        super.inOperationCoercion(
            new SqlCallBinding(binding.getValidator(), binding.getScope(), in));
    for (int i = 0; i < in.operandCount(); i++) {
      call.setOperand(i, in.operand(i));
    }
    return coerced;
  }
}
