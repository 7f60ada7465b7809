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

import static java.time.temporal.ChronoField.NANO_OF_SECOND;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * Dates and times of java.time in the forms that {@link SqlType} states. SQL's years are 1 to 9999,
 * and outside of 0 to 9999 {@code org.apache.calcite.avatica.util.DateTimeUtils} 1.28 prints
 * another year than the right one, so a value beyond them is refused.
 */
final class KryoTemporals {
  private static final LocalDate FIRST_DATE = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST_DATE = LocalDate.of(9999, 12, 31);
  private static final Instant FIRST_INSTANT = FIRST_DATE.atStartOfDay().toInstant(ZoneOffset.UTC);
  private static final Instant END = LAST_DATE.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
  private static final int NANOS_PER_MILLI = 1_000_000;

  private KryoTemporals() {}

  /** Days since 1970-01-01. */
  static Integer date(LocalDate value) {
    if (value.isBefore(FIRST_DATE) || value.isAfter(LAST_DATE)) {
      throw overflow(value, "DATE");
    }
    return Math.toIntExact(value.toEpochDay());
  }

  /** Milliseconds of the day, and the nanoseconds beyond them. */
  static Object[] time(LocalTime value) {
    int millis = Math.toIntExact(value.toNanoOfDay() / NANOS_PER_MILLI);
    return new Object[] {millis, value.get(NANO_OF_SECOND) % NANOS_PER_MILLI};
  }

  /** Milliseconds since the epoch, rounded down, and the nanoseconds beyond them. */
  static Object[] timestamp(Instant value) {
    requireTimestamp(value);
    return new Object[] {value.toEpochMilli(), value.get(NANO_OF_SECOND) % NANOS_PER_MILLI};
  }

  /** A time of no zone, counted as if it were one of UTC. */
  static Object[] timestamp(LocalDateTime value) {
    LocalDate date = value.toLocalDate();
    if (date.isBefore(FIRST_DATE) || date.isAfter(LAST_DATE)) {
      throw overflow(value, "TIMESTAMP");
    }
    return timestamp(value.toInstant(ZoneOffset.UTC));
  }

  /** Milliseconds since the epoch; a value that has finer digits is refused. */
  static Long millis(Instant value) {
    requireTimestamp(value);
    if (value.get(NANO_OF_SECOND) % NANOS_PER_MILLI != 0) {
      throw new StateSqlException(
          ErrorCode.DATETIME_OVERFLOW,
          value + " has digits finer than the milliseconds of its declared class");
    }
    return value.toEpochMilli();
  }

  private static void requireTimestamp(Instant value) {
    if (value.isBefore(FIRST_INSTANT) || !value.isBefore(END)) {
      throw overflow(value, "TIMESTAMP");
    }
  }

  private static StateSqlException overflow(Object value, String type) {
    return new StateSqlException(
        ErrorCode.DATETIME_OVERFLOW,
        value + " is beyond the years 1 to 9999 that SQL's " + type + " can hold");
  }
}
