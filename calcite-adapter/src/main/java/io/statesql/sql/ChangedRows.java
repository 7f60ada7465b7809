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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.ModifiableState;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.jspecify.annotations.Nullable;

/** The rows that a statement changes, and what it may assign, in the terms of the validator. */
final class ChangedRows {
  private ChangedRows() {}

  /** The rows of the table that meet a condition, with what is stored for them. */
  static SqlSelect select(
      SqlNodeList columns,
      SqlNode table,
      @Nullable SqlIdentifier alias,
      @Nullable SqlNode condition) {
    SqlNode rows = table instanceof SqlIdentifier name ? withStored(name) : table;
    if (alias != null) {
      rows = SqlValidatorUtil.addAlias(rows, alias.getSimple());
    }
    SqlParserPos pos = SqlParserPos.ZERO;
    return new SqlSelect(
        pos, null, columns, rows, condition, null, null, null, null, null, null, null, null);
  }

  private static SqlNode withStored(SqlIdentifier table) {
    SqlParserPos pos = table.getParserPosition();
    SqlNodeList stored =
        SqlNodeList.of(
            new SqlIdentifier(ModifiableState.STORED, pos),
            new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.ANY, pos), pos));
    return SqlStdOperatorTable.EXTEND.createCall(pos, table, stored);
  }

  /** The columns that a statement without a list of columns assigns. */
  static SqlNodeList assignable(
      ModifiableState table, ChangeKind kind, RelDataTypeFactory typeFactory) {
    SqlNodeList columns = new SqlNodeList(SqlParserPos.ZERO);
    for (RelDataTypeField field : table.getRowType(typeFactory).getFieldList()) {
      if (table.readOnlyReason(kind, field.getIndex()) == null) {
        columns.add(new SqlIdentifier(field.getName(), SqlParserPos.ZERO));
      }
    }
    return columns;
  }

  /** Whether values of a type may be stored in a column, if they fit; names of fields are free. */
  static boolean isAssignable(RelDataType column, RelDataType value) {
    SqlTypeName target = column.getSqlTypeName();
    SqlTypeName source = value.getSqlTypeName();
    if (target == SqlTypeName.ANY || source == SqlTypeName.NULL) {
      return true;
    }
    if (target == SqlTypeName.ARRAY) {
      return source == SqlTypeName.ARRAY
          && isAssignable(column.getComponentType(), value.getComponentType());
    }
    if (target == SqlTypeName.MAP) {
      return source == SqlTypeName.MAP
          && isAssignable(column.getKeyType(), value.getKeyType())
          && isAssignable(column.getValueType(), value.getValueType());
    }
    if (target == SqlTypeName.ROW) {
      return value.isStruct() && isAssignable(column.getFieldList(), value.getFieldList());
    }
    return !value.isStruct() && SqlTypeUtil.canAssignFrom(column, value);
  }

  private static boolean isAssignable(List<RelDataTypeField> column, List<RelDataTypeField> value) {
    return column.size() == value.size()
        && IntStream.range(0, column.size())
            .allMatch(i -> isAssignable(column.get(i).getType(), value.get(i).getType()));
  }

  /** The place to name for the value at a position of the source row. */
  static SqlNode assignment(SqlNode statement, int position) {
    if (statement instanceof SqlInsert insert) {
      SqlNode column = insert.getTargetColumnList().get(position);
      return column.getParserPosition().equals(SqlParserPos.ZERO) ? statement : column;
    }
    // What is stored stands before the values of an UPDATE.
    return statement instanceof SqlUpdate update && position > 0
        ? update.getSourceExpressionList().get(position - 1)
        : statement;
  }

  /** There are no defaults but NULL, so DEFAULT could mean only that. */
  static void refuseDefaults(SqlNode source) {
    source.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (call.getKind() == SqlKind.DEFAULT) {
              throw new StateSqlException(
                  ErrorCode.UNSUPPORTED_STATEMENT,
                  "Columns of state have no DEFAULT; write NULL or leave the column out.");
            }
            return super.visit(call);
          }
        });
  }

  /** Whether the columns that a table is given are the one that it is given here. */
  static boolean isStored(SqlNodeList columns) {
    return columns.get(0) instanceof SqlIdentifier name
        && name.isSimple()
        && name.getSimple().equals(ModifiableState.STORED);
  }
}
