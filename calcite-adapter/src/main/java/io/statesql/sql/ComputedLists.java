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
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Looks in a validated statement for lists of values that are no literals. */
final class ComputedLists extends SqlBasicVisitor<@Nullable Void> {
  private int longest;

  private ComputedLists() {}

  /** The most expressions, parameters and literals to convert that one IN list has. */
  static int longest(SqlNode statement) {
    ComputedLists lists = new ComputedLists();
    statement.accept(lists);
    return lists.longest;
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call.getKind().belongsTo(SqlKind.QUERY) || !(call instanceof SqlBasicCall)) {
      return super.visit(call);
    }
    if (call.operandCount() == 2 && call.operand(1) instanceof SqlNodeList list) {
      longest = Math.max(longest, (int) list.stream().filter(value -> !isLiteral(value)).count());
    }
    return super.visit(call);
  }

  private static boolean isLiteral(SqlNode value) {
    return value instanceof SqlLiteral
        || isConvertedNumber(value)
        || (value.getKind() == SqlKind.ROW
            && ((SqlCall) value).getOperandList().stream().allMatch(SqlLiteral.class::isInstance));
  }

  /** The validator gives a number the type of what it is compared with; that is a literal again. */
  private static boolean isConvertedNumber(SqlNode value) {
    return value.getKind() == SqlKind.CAST
        && ((SqlCall) value).operand(0) instanceof SqlNumericLiteral;
  }
}
