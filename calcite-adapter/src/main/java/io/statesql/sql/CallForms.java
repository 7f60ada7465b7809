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

import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/**
 * Calls that Calcite would understand in another way than they are meant, as calls that it
 * understands.
 *
 * <ul>
 *   <li>LISTAGG has the type of its argument to Calcite: the list of CHAR(1) would have one
 *       character, and never be NULL, where over no rows it is. It gets a VARCHAR that may be NULL.
 *   <li>IS DISTINCT FROM of rows would hold where all columns are distinct, and not where one is.
 *       It becomes what it is the opposite of.
 * </ul>
 */
final class CallForms {
  private static final String LISTAGG = "LISTAGG";

  private CallForms() {}

  /** The same node, or what stands for it if it is such a call. */
  static SqlNode convert(SqlNode node) {
    if (!(node instanceof SqlBasicCall call)) {
      return node;
    }
    if (call.getKind() == SqlKind.IS_DISTINCT_FROM) {
      SqlParserPos pos = call.getParserPosition();
      return SqlStdOperatorTable.NOT.createCall(
          pos, SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(pos, call.getOperandList()));
    }
    if (call.getKind() == SqlKind.WITHIN_GROUP && isListOfDistinct(call.operand(0))) {
      // The order is that of the values.
      SqlNode value = ((SqlCall) call.operand(0)).operand(0);
      call.setOperand(1, call.operand(1).accept(new Replacement(value)));
    }
    if (isList(call) && !isTextOrNull(call.operand(0))) {
      call.setOperand(0, textOrNull(call.operand(0)));
    }
    return call;
  }

  private static boolean isList(SqlCall call) {
    return LISTAGG.equalsIgnoreCase(call.getOperator().getName()) && call.operandCount() > 0;
  }

  private static boolean isListOfDistinct(SqlNode node) {
    return node instanceof SqlCall call
        && isList(call)
        && !isTextOrNull(call.operand(0))
        && call.getFunctionQuantifier() != null
        && call.getFunctionQuantifier().getValue() == SqlSelectKeyword.DISTINCT;
  }

  /** Statements are rewritten more than once. */
  private static boolean isTextOrNull(SqlNode value) {
    return value instanceof SqlCase choice
        && choice.getValueOperand() == null
        && choice.getWhenOperands().size() == 1
        && SqlUtil.isLiteral(choice.getWhenOperands().get(0));
  }

  /** The value that a converted call of LISTAGG was given, or null. */
  static @Nullable SqlNode listedValue(SqlCall list) {
    return isTextOrNull(list.operand(0))
            && ((SqlCase) list.operand(0)).getThenOperands().get(0) instanceof SqlCall text
        ? text.operand(0)
        : null;
  }

  private static SqlNode textOrNull(SqlNode value) {
    SqlParserPos pos = value.getParserPosition();
    SqlNode text =
        SqlStdOperatorTable.CAST.createCall(
            pos,
            value,
            new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, pos), pos));
    return SqlCase.createSwitched(
        pos,
        null,
        SqlNodeList.of(SqlLiteral.createBoolean(true, pos)),
        SqlNodeList.of(text),
        SqlLiteral.createNull(pos));
  }

  /** Writes the value of a list as the list has it. */
  private static final class Replacement extends SqlShuttle {
    private final SqlNode value;

    Replacement(SqlNode value) {
      this.value = value;
    }

    @Override
    public SqlNode visit(SqlIdentifier id) {
      return id.equalsDeep(value, Litmus.IGNORE) ? textOrNull(id) : id;
    }

    @Override
    public SqlNode visit(SqlLiteral literal) {
      return literal.equalsDeep(value, Litmus.IGNORE) ? textOrNull(literal) : literal;
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
      return call.equalsDeep(value, Litmus.IGNORE) ? textOrNull(call) : super.visit(call);
    }
  }
}
