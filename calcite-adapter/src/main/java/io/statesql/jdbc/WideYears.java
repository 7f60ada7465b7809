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
package io.statesql.jdbc;

import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Reads DATE and TIMESTAMP literals of years outside of 1 to 9999, which Calcite's literals cannot
 * hold, as conversions of their text.
 */
final class WideYears {
  private static final Pattern OUTSIDE =
      Pattern.compile("\\s*(-\\d+|0000|\\d{5,})-.*", Pattern.DOTALL);

  private WideYears() {}

  /** The same node, or what stands for it if it is such a literal. */
  static SqlNode convert(SqlNode node) {
    if (!(node instanceof SqlUnknownLiteral unknown)
        || !OUTSIDE.matcher(unknown.getValue()).matches()) {
      return node;
    }
    return switch (unknown.tag) {
      case "DATE" -> cast(unknown, SqlTypeName.DATE);
      case "TIMESTAMP" -> cast(unknown, SqlTypeName.TIMESTAMP);
      default -> node;
    };
  }

  private static SqlNode cast(SqlUnknownLiteral literal, SqlTypeName type) {
    SqlParserPos pos = literal.getParserPosition();
    return SqlStdOperatorTable.CAST.createCall(
        pos,
        SqlLiteral.createCharString(literal.getValue(), pos),
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(type, pos), pos));
  }
}
