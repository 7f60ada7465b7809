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

import io.statesql.type.DateTimeRange;
import io.statesql.type.DateTimeText;
import io.statesql.value.DateTimeParser;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Conversions between text and dates and times for {@code CAST}: Calcite's own drop milliseconds,
 * finer digits and the first digit of years beyond 9999.
 */
public final class DateTimeFunctions {
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private static final SqlOperator DATE_TEXT = text("DATE_TEXT", "dateText");
  private static final SqlOperator TIME_TEXT = text("TIME_TEXT", "timeText");
  private static final SqlOperator TIMESTAMP_TEXT = text("TIMESTAMP_TEXT", "timestampText");

  private static final SqlOperator PARSE_DATE = parse("PARSE_DATE", "parseDate", SqlTypeName.DATE);
  private static final SqlOperator PARSE_TIME = parse("PARSE_TIME", "parseTime", SqlTypeName.TIME);
  private static final SqlOperator PARSE_TIMESTAMP =
      parse("PARSE_TIMESTAMP", "parseTimestamp", SqlTypeName.TIMESTAMP);

  private DateTimeFunctions() {}

  private static SqlOperator parse(String name, String method, SqlTypeName result) {
    return EngineFunction.of(name, DateTimeFunctions.class, method, result);
  }

  private static SqlOperator text(String name, String method) {
    return EngineFunction.of(name, DateTimeFunctions.class, method, SqlTypeName.VARCHAR);
  }

  /**
   * The operator that gives the text of values of a type, or null when the type is no date or time.
   */
  public static SqlOperator textOf(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case DATE -> DATE_TEXT;
      case TIME -> TIME_TEXT;
      case TIMESTAMP -> TIMESTAMP_TEXT;
      default -> null;
    };
  }

  /**
   * The operator that reads values of a type from text, or null when the type is no date or time.
   */
  public static SqlOperator parserOf(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case DATE -> PARSE_DATE;
      case TIME -> PARSE_TIME;
      case TIMESTAMP -> PARSE_TIMESTAMP;
      default -> null;
    };
  }

  /**
   * The text of a DATE or TIMESTAMP that is outside of the years 1 to 9999, or null for any other
   * value.
   */
  public static String textBeyondLiterals(Object value, RelDataType type) {
    if (value instanceof Integer days
        && type.getSqlTypeName() == SqlTypeName.DATE
        && !DateTimeRange.holdsTimestamp(days * MILLIS_PER_DAY)) {
      return DateTimeText.date(days);
    }
    if (value instanceof Long millis
        && type.getSqlTypeName() == SqlTypeName.TIMESTAMP
        && !DateTimeRange.holdsTimestamp(millis)) {
      return DateTimeText.timestamp(millis);
    }
    return null;
  }

  /** Called by generated code. */
  public static Integer parseDate(String text) {
    return text == null ? null : DateTimeParser.parseDate(text);
  }

  /** Called by generated code. */
  public static Integer parseTime(String text) {
    return text == null ? null : DateTimeParser.parseTime(text);
  }

  /** Called by generated code. */
  public static Long parseTimestamp(String text) {
    return text == null ? null : DateTimeParser.parseTimestamp(text);
  }

  /** Called by generated code. */
  public static String dateText(Integer days) {
    return days == null ? null : DateTimeText.date(days);
  }

  /** Called by generated code. */
  public static String timeText(Integer millis) {
    return millis == null ? null : DateTimeText.time(millis);
  }

  /** Called by generated code. */
  public static String timestampText(Long millis) {
    return millis == null ? null : DateTimeText.timestamp(millis);
  }
}
