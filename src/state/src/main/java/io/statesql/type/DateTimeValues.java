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
import io.statesql.type.SqlType.Scalar;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Dates and times of java.time in the forms that {@link SqlType} states, whoever serialized them.
 * Types finer than a millisecond are an inline row of the value rounded down to the millisecond and
 * the nanoseconds beyond it, 0 to 999999, so that nothing is lost. Only a value whose days or
 * milliseconds do not fit into the Java form is refused, such as {@code LocalDate.MAX}.
 */
public final class DateTimeValues {
  /** A TIMESTAMP and the nanoseconds beyond it. */
  public static final SqlType.Row NANO_TIMESTAMP = withNanos(Scalar.TIMESTAMP);

  /** A TIME and the nanoseconds beyond it. */
  public static final SqlType.Row NANO_TIME = withNanos(Scalar.TIME);

  public static final int NANOS_PER_MILLI = 1_000_000;

  private static final int MILLIS_PER_DAY = 24 * 60 * 60 * 1_000;

  private DateTimeValues() {}

  private static SqlType.Row withNanos(Scalar type) {
    return new SqlType.Row(
        List.of(new SqlType.Field("", type), new SqlType.Field("_nanos", Scalar.INTEGER)), true);
  }

  /** Days since 1970-01-01. */
  public static Integer date(LocalDate value) {
    long epochDay = value.toEpochDay();
    if ((int) epochDay != epochDay) {
      throw overflow(value, "LocalDate", Scalar.DATE, null);
    }
    return (int) epochDay;
  }

  /** A value of {@link #NANO_TIME}. */
  public static Object[] time(LocalTime value) {
    int millis = Math.toIntExact(value.toNanoOfDay() / NANOS_PER_MILLI);
    return new Object[] {millis, value.get(NANO_OF_SECOND) % NANOS_PER_MILLI};
  }

  /**
   * A value of {@link #NANO_TIMESTAMP}.
   *
   * @param javaType what was stored, for an error message
   */
  public static Object[] timestamp(Instant value, String javaType) {
    return timestamp(value, value, javaType);
  }

  /** A time of no zone, counted as if it were one of UTC. */
  public static Object[] timestamp(LocalDateTime value) {
    return timestamp(value.toInstant(ZoneOffset.UTC), value, "LocalDateTime");
  }

  private static Object[] timestamp(Instant value, Object stored, String javaType) {
    return new Object[] {
      epochMillis(value, stored, javaType), value.get(NANO_OF_SECOND) % NANOS_PER_MILLI
    };
  }

  /** Milliseconds since the epoch; a value that has finer digits is refused. */
  public static Long millis(Instant value, String javaType) {
    long millis = epochMillis(value, value, javaType);
    if (value.get(NANO_OF_SECOND) % NANOS_PER_MILLI != 0) {
      throw new StateSqlException(
          ErrorCode.DATETIME_OVERFLOW,
          "The stored "
              + javaType
              + " "
              + value
              + " has digits finer than the milliseconds of its declared class; leave its column"
              + " out of the select list.");
    }
    return millis;
  }

  /** The date of a number of days since 1970-01-01. */
  public static LocalDate localDate(int epochDay) {
    return LocalDate.ofEpochDay(epochDay);
  }

  /** The time that a value of {@link #NANO_TIME} shows, whose nanoseconds may be null for none. */
  public static LocalTime localTime(Object[] value) {
    int millis = (int) value[0];
    if (millis < 0 || millis >= MILLIS_PER_DAY) {
      throw new UnwritableValueException(millis + " ms is not a time of day");
    }
    return LocalTime.ofNanoOfDay((long) millis * NANOS_PER_MILLI + nanos(value));
  }

  /** The time that a value of {@link #NANO_TIMESTAMP} shows, likewise. */
  public static Instant instant(Object[] value) {
    return Instant.ofEpochMilli((long) value[0]).plusNanos(nanos(value));
  }

  /** As {@link #instant}, of no zone. */
  public static LocalDateTime localDateTime(Object[] value) {
    return LocalDateTime.ofInstant(instant(value), ZoneOffset.UTC);
  }

  /** The nanoseconds beyond the millisecond. */
  public static int nanos(Object[] value) {
    int nanos = value[1] == null ? 0 : (int) value[1];
    if (nanos < 0 || nanos >= NANOS_PER_MILLI) {
      throw new UnwritableValueException(
          nanos + " is not a number of nanoseconds within a millisecond");
    }
    return nanos;
  }

  /** Writes rows of a time and its nanoseconds; a row whose time is null is null. */
  public static ValueWriter writer(
      Consumer<StateOutput> nullForm, BiConsumer<Object[], StateOutput> writer) {
    return (value, out) -> {
      if (value == null || ((Object[]) value)[0] == null) {
        nullForm.accept(out);
      } else {
        writer.accept((Object[]) value, out);
      }
    };
  }

  private static long epochMillis(Instant value, Object stored, String javaType) {
    try {
      return value.toEpochMilli();
    } catch (ArithmeticException e) {
      throw overflow(stored, javaType, Scalar.TIMESTAMP, e);
    }
  }

  private static StateSqlException overflow(
      Object stored, String javaType, Scalar type, Throwable cause) {
    return new StateSqlException(
        ErrorCode.DATETIME_OVERFLOW,
        "The stored "
            + javaType
            + " "
            + stored
            + " is beyond what "
            + type
            + " can hold; leave its column out of the select list.",
        cause);
  }
}
