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

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Text of dates and times: {@code 2024-02-29}, {@code 23:59:59.999}, {@code 2024-02-29
 * 23:59:59.999}, in the proleptic Gregorian calendar and UTC. Years beyond 9999 have as many digits
 * as they need, years before 1 a minus sign (the year before 1 is 0000).
 */
public final class DateTimeText {
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private DateTimeText() {}

  /** The text of a DATE, given in days since 1970-01-01. */
  public static String date(long days) {
    return date(LocalDate.ofEpochDay(days));
  }

  /** The text of a TIME, given in milliseconds of the day. */
  public static String time(int millis) {
    LocalTime time = time(millis, 0);
    return String.format(
        Locale.ROOT,
        "%02d:%02d:%02d.%03d",
        time.getHour(),
        time.getMinute(),
        time.getSecond(),
        Math.floorMod(millis, 1000));
  }

  /** The text of a TIMESTAMP, given in milliseconds since 1970-01-01T00:00:00 UTC. */
  public static String timestamp(long millis) {
    return date(Math.floorDiv(millis, MILLIS_PER_DAY))
        + ' '
        + time((int) Math.floorMod(millis, MILLIS_PER_DAY));
  }

  static LocalTime time(int millis, int nanos) {
    return LocalTime.ofNanoOfDay(Math.floorMod(millis, MILLIS_PER_DAY) * 1_000_000L + nanos);
  }

  static LocalDateTime dateTime(long millis) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(millis, 1000L),
        (int) Math.floorMod(millis, 1000L) * 1_000_000,
        ZoneOffset.UTC);
  }

  private static String date(LocalDate date) {
    int year = date.getYear();
    return String.format(
        Locale.ROOT,
        "%s%04d-%02d-%02d",
        year < 0 ? "-" : "",
        Math.abs((long) year),
        date.getMonthValue(),
        date.getDayOfMonth());
  }
}
