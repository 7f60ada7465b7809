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
 * The dates and times of the SQL standard: years 0001 to 9999 of the proleptic Gregorian calendar.
 * Columns that are computed from stored milliseconds, such as the bounds of a window and the time
 * at which a timer fires, are null outside of it, for jobs use extreme numbers there to say
 * "never". A DATE or TIMESTAMP that is stored as such is shown whatever its year.
 */
public final class DateTimeRange {
  private static final LocalDate FIRST = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);

  /** 0001-01-01 00:00:00.000 UTC in milliseconds since the epoch. */
  public static final long MIN_TIMESTAMP =
      FIRST.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();

  /** 9999-12-31 23:59:59.999 UTC in milliseconds since the epoch. */
  public static final long MAX_TIMESTAMP =
      LAST.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli() - 1;

  private DateTimeRange() {}

  /** Whether these milliseconds since the epoch are within the range. */
  public static boolean holdsTimestamp(long epochMillis) {
    return epochMillis >= MIN_TIMESTAMP && epochMillis <= MAX_TIMESTAMP;
  }
}
