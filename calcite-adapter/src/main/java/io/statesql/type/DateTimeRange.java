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
import java.time.ZoneOffset;

/**
 * The dates and times that SQL can show: years 0001 to 9999 of the proleptic Gregorian calendar,
 * which is SQL's range and the one in which Avatica's {@code DateTimeUtils} prints what is stored
 * (it prints the last four digits of a later year, and no sign of an earlier one).
 */
public final class DateTimeRange {
  private static final LocalDate FIRST = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);

  /** 0001-01-01 in days since 1970-01-01. */
  public static final int MIN_DATE = (int) FIRST.toEpochDay();

  /** 9999-12-31 in days since 1970-01-01. */
  public static final int MAX_DATE = (int) LAST.toEpochDay();

  /** 0001-01-01 00:00:00.000 UTC in milliseconds since the epoch. */
  public static final long MIN_TIMESTAMP =
      FIRST.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();

  /** 9999-12-31 23:59:59.999 UTC in milliseconds since the epoch. */
  public static final long MAX_TIMESTAMP =
      LAST.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli() - 1;

  private DateTimeRange() {}

  /** Whether a TIMESTAMP can show these milliseconds since the epoch. */
  public static boolean holdsTimestamp(long epochMillis) {
    return epochMillis >= MIN_TIMESTAMP && epochMillis <= MAX_TIMESTAMP;
  }

  /** Whether a DATE can show this number of days since the epoch. */
  public static boolean holdsDate(long epochDay) {
    return epochDay >= MIN_DATE && epochDay <= MAX_DATE;
  }
}
