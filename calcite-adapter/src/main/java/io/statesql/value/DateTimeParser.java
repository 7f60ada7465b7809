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
package io.statesql.value;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the texts of dates and times that {@link io.statesql.type.DateTimeText} writes, and shorter
 * ones (a time without seconds), and turns dates and times into the objects of {@code java.time}.
 */
public final class DateTimeParser {
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?<year>-?\\d{4,9})-(?<month>\\d{1,2})-(?<day>\\d{1,2}))?(?:(?:^|[ T])"
              + "(?<hour>\\d{1,2}):(?<minute>\\d{1,2})(?::(?<second>\\d{1,2})(?:\\.(?<fraction>\\d+))?)?)?");

  private DateTimeParser() {}

  /**
   * Reads the text of a DATE.
   *
   * @return days since 1970-01-01
   * @throws StateSqlException when the text is no date
   */
  public static int parseDate(String text) {
    Matcher matcher = match(text, "DATE");
    require(matcher.group("year") != null && matcher.group("hour") == null, text, "DATE");
    return Math.toIntExact(epochDay(matcher, text, "DATE"));
  }

  /**
   * Reads the text of a TIME.
   *
   * @return milliseconds of the day
   * @throws StateSqlException when the text is no time, or finer than a millisecond
   */
  public static int parseTime(String text) {
    Matcher matcher = match(text, "TIME");
    require(matcher.group("year") == null && matcher.group("hour") != null, text, "TIME");
    return millisOfDay(matcher, text, "TIME");
  }

  /**
   * Reads the text of a TIMESTAMP; a date alone means its midnight.
   *
   * @return milliseconds since 1970-01-01T00:00:00 UTC
   * @throws StateSqlException when the text is no timestamp, or finer than a millisecond
   */
  public static long parseTimestamp(String text) {
    Matcher matcher = match(text, "TIMESTAMP");
    require(matcher.group("year") != null, text, "TIMESTAMP");
    int millis = matcher.group("hour") == null ? 0 : millisOfDay(matcher, text, "TIMESTAMP");
    return Math.addExact(
        Math.multiplyExact(epochDay(matcher, text, "TIMESTAMP"), MILLIS_PER_DAY), millis);
  }

  private static Matcher match(String text, String type) {
    Matcher matcher = FORM.matcher(text.strip());
    require(matcher.matches(), text, type);
    return matcher;
  }

  private static long epochDay(Matcher matcher, String text, String type) {
    try {
      return LocalDate.of(
              Integer.parseInt(matcher.group("year")),
              Integer.parseInt(matcher.group("month")),
              Integer.parseInt(matcher.group("day")))
          .toEpochDay();
    } catch (DateTimeException | NumberFormatException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_VALUE, "The text '%s' is not a %s.".formatted(text, type), e);
    }
  }

  private static int millisOfDay(Matcher matcher, String text, String type) {
    int hour = Integer.parseInt(matcher.group("hour"));
    int minute = Integer.parseInt(matcher.group("minute"));
    int second = matcher.group("second") == null ? 0 : Integer.parseInt(matcher.group("second"));
    require(hour < 24 && minute < 60 && second < 60, text, type);
    String fraction = matcher.group("fraction") == null ? "" : matcher.group("fraction");
    if (fraction.length() > 3 && !fraction.substring(3).matches("0*")) {
      throw new StateSqlException(
          ErrorCode.DATETIME_OVERFLOW,
          "The time '%s' is finer than a millisecond.".formatted(text));
    }
    int millis = Integer.parseInt((fraction + "000").substring(0, 3));
    return ((hour * 60 + minute) * 60 + second) * 1000 + millis;
  }

  private static void require(boolean valid, String text, String type) {
    if (!valid) {
      throw new StateSqlException(
          ErrorCode.INVALID_VALUE, "The text '%s' is not a %s.".formatted(text, type));
    }
  }

  public static LocalTime time(int millis, int nanos) {
    return LocalTime.ofNanoOfDay(Math.floorMod(millis, MILLIS_PER_DAY) * 1_000_000L + nanos);
  }

  public static LocalDateTime dateTime(long millis) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(millis, 1000L),
        (int) Math.floorMod(millis, 1000L) * 1_000_000,
        ZoneOffset.UTC);
  }
}
