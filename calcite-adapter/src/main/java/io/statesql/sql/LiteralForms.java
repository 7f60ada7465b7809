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

import java.math.BigInteger;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;

/**
 * Literals that Calcite would not read as they are meant: DATE and TIMESTAMP of years outside of 1
 * to 9999, which its literals cannot hold, and before 1583, which it reads by the Julian calendar,
 * become conversions of their text; intervals of weeks and quarters become days and months, for
 * Calcite prints no others; text with a character set of its own becomes plain text, for all text
 * is UTF-8.
 */
final class LiteralForms {
  private static final Pattern OTHER_YEARS =
      Pattern.compile(
          "\\s*(?:-\\d+|0\\d{3}|1[0-4]\\d\\d|15[0-7]\\d|158[0-2]|\\d{5,})-.*", Pattern.DOTALL);

  private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?\\d{1,9}\\s*");

  /** The most that an INTERVAL has. */
  private static final int DIGITS = 10;

  private LiteralForms() {}

  /** The same node, or what stands for it if it is such a literal. */
  static SqlNode convert(SqlNode node) {
    if (node instanceof SqlCharStringLiteral text) {
      return text.getValueAs(NlsString.class).getCharsetName() == null
          ? node
          : SqlLiteral.createCharString(text.getValueAs(String.class), text.getParserPosition());
    }
    if (node instanceof SqlIntervalLiteral interval) {
      return inKnownUnit(interval);
    }
    if (!(node instanceof SqlUnknownLiteral unknown)
        || !OTHER_YEARS.matcher(unknown.getValue()).matches()) {
      return node;
    }
    return switch (unknown.tag) {
      case "DATE" -> cast(unknown, SqlTypeName.DATE);
      case "TIMESTAMP" -> cast(unknown, SqlTypeName.TIMESTAMP);
      default -> node;
    };
  }

  private static SqlNode inKnownUnit(SqlIntervalLiteral literal) {
    SqlIntervalLiteral.IntervalValue value =
        literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
    SqlIntervalQualifier unit = value.getIntervalQualifier();
    return switch (unit.getUnit()) {
      case WEEK -> times(literal, value, 7, TimeUnit.DAY);
      case QUARTER -> times(literal, value, 3, TimeUnit.MONTH);
      default -> literal;
    };
  }

  private static SqlNode times(
      SqlIntervalLiteral literal,
      SqlIntervalLiteral.IntervalValue value,
      int factor,
      TimeUnit unit) {
    SqlParserPos pos = literal.getParserPosition();
    if (!NUMBER.matcher(value.getIntervalLiteral()).matches()) {
      return literal;
    }
    String number =
        new BigInteger(value.getIntervalLiteral().strip())
            .multiply(BigInteger.valueOf(factor))
            .toString();
    return SqlLiteral.createInterval(
        value.getSign(), number, new SqlIntervalQualifier(unit, DIGITS, null, -1, pos), pos);
  }

  private static SqlNode cast(SqlUnknownLiteral literal, SqlTypeName type) {
    SqlParserPos pos = literal.getParserPosition();
    return SqlStdOperatorTable.CAST.createCall(
        pos,
        SqlLiteral.createCharString(literal.getValue(), pos),
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(type, pos), pos));
  }
}
