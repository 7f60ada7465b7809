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
package io.statesql.type;

import java.time.LocalDate;

/**
 * The one text of a DATE, TIME or TIMESTAMP, for any value of its Java form (see {@link SqlType}),
 * in the proleptic Gregorian calendar and UTC. Years 0 to 9999 have four digits; later ones have
 * all their digits and no plus sign; earlier ones have a minus sign and at least four digits, as in
 * ISO 8601, where {@code -0044} is 45 BC.
 *
 * <p>{@code org.apache.calcite.avatica.util.DateTimeUtils} 1.28 prints the last four digits of a
 * late year and no sign of an early one.
 */
public final class DateTimeText {
  private static final int MILLIS_PER_SECOND = 1_000;
  private static final int MILLIS_PER_MINUTE = 60 * MILLIS_PER_SECOND;
  private static final int MILLIS_PER_HOUR = 60 * MILLIS_PER_MINUTE;
  private static final int MILLIS_PER_DAY = 24 * MILLIS_PER_HOUR;
  private static final int LONGEST = "-292275055-05-16 16:47:04.192".length();

  private DateTimeText() {}

  /** {@code yyyy-MM-dd} of a number of days since 1970-01-01. */
  public static String date(int epochDay) {
    StringBuilder text = new StringBuilder(LONGEST);
    appendDate(text, epochDay);
    return text.toString();
  }

  /**
   * {@code HH:mm:ss.SSS} of a number of milliseconds since midnight.
   *
   * @throws IllegalArgumentException if it is negative or not less than a day
   */
  public static String time(int millisOfDay) {
    if (millisOfDay < 0 || millisOfDay >= MILLIS_PER_DAY) {
      throw new IllegalArgumentException(millisOfDay + " ms is not a time of day");
    }
    StringBuilder text = new StringBuilder(LONGEST);
    appendTime(text, millisOfDay);
    return text.toString();
  }

  /** {@code yyyy-MM-dd HH:mm:ss.SSS} of a number of milliseconds since 1970-01-01 00:00:00. */
  public static String timestamp(long epochMillis) {
    StringBuilder text = new StringBuilder(LONGEST);
    appendDate(text, Math.floorDiv(epochMillis, (long) MILLIS_PER_DAY));
    text.append(' ');
    appendTime(text, Math.floorMod(epochMillis, MILLIS_PER_DAY));
    return text.toString();
  }

  private static void appendDate(StringBuilder text, long epochDay) {
    LocalDate date = LocalDate.ofEpochDay(epochDay);
    if (date.getYear() < 0) {
      text.append('-');
    }
    appendPadded(text, Math.abs(date.getYear()), 4);
    text.append('-');
    appendPadded(text, date.getMonthValue(), 2);
    text.append('-');
    appendPadded(text, date.getDayOfMonth(), 2);
  }

  private static void appendTime(StringBuilder text, int millisOfDay) {
    appendPadded(text, millisOfDay / MILLIS_PER_HOUR, 2);
    text.append(':');
    appendPadded(text, millisOfDay % MILLIS_PER_HOUR / MILLIS_PER_MINUTE, 2);
    text.append(':');
    appendPadded(text, millisOfDay % MILLIS_PER_MINUTE / MILLIS_PER_SECOND, 2);
    text.append('.');
    appendPadded(text, millisOfDay % MILLIS_PER_SECOND, 3);
  }

  private static void appendPadded(StringBuilder text, int number, int digits) {
    String written = Integer.toString(number);
    for (int i = written.length(); i < digits; i++) {
      text.append('0');
    }
    text.append(written);
  }
}
