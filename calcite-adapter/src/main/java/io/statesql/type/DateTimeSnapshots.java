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

import static io.statesql.type.SqlType.Scalar.DATE;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.TIME;
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Dates and times: package {@code api.common.typeutils.base} of flink-core 2.3. See {@link
 * DateTimeRange} for what SQL can show; a sound value outside of it is an error when it is read.
 *
 * <p>Types finer than a millisecond are an inline row of the value floored to the millisecond and
 * the nanoseconds beyond it, 0 to 999999, so that nothing is lost.
 *
 * <p>{@code java.sql.Date} and {@code java.sql.Time} are TIMESTAMP, as {@code java.util.Date} is:
 * they store milliseconds since the epoch, of midnight (or of a time on 1970-01-01) in the zone of
 * the JVM that wrote them. That zone is not stored, so a DATE or TIME would be a guess.
 */
final class DateTimeSnapshots {
  /** A TIMESTAMP and the nanoseconds beyond it. */
  static final SqlType.Row NANO_TIMESTAMP = withNanos(TIMESTAMP);

  /** A TIME and the nanoseconds beyond it. */
  static final SqlType.Row NANO_TIME = withNanos(TIME);

  private static final String PACKAGE = "org.apache.flink.api.common.typeutils.base.";
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final int MILLIS_PER_SECOND = 1_000;
  private static final int DATE_LENGTH = Integer.BYTES + 2;
  private static final int TIME_LENGTH = 3 + Integer.BYTES;

  private DateTimeSnapshots() {}

  static void register(Map<String, SnapshotParser> parsers) {
    put(parsers, "Date", "java.util.Date", TIMESTAMP, Long.BYTES, millis("java.util.Date"));
    put(parsers, "SqlDate", "java.sql.Date", TIMESTAMP, Long.BYTES, millis("java.sql.Date"));
    put(parsers, "SqlTime", "java.sql.Time", TIMESTAMP, Long.BYTES, millis("java.sql.Time"));
    put(
        parsers,
        "SqlTimestamp",
        "java.sql.Timestamp",
        NANO_TIMESTAMP,
        Long.BYTES + Integer.BYTES,
        DateTimeSnapshots::readSqlTimestamp);
    put(
        parsers,
        "Instant",
        "Instant",
        NANO_TIMESTAMP,
        Long.BYTES + Integer.BYTES,
        DateTimeSnapshots::readInstant);
    put(parsers, "LocalDate", "LocalDate", DATE, DATE_LENGTH, DateTimeSnapshots::readDate);
    put(parsers, "LocalTime", "LocalTime", NANO_TIME, TIME_LENGTH, DateTimeSnapshots::readTime);
    put(
        parsers,
        "LocalDateTime",
        "LocalDateTime",
        NANO_TIMESTAMP,
        DATE_LENGTH + TIME_LENGTH,
        DateTimeSnapshots::readDateTime);
  }

  private static void put(
      Map<String, SnapshotParser> parsers,
      String name,
      String description,
      SqlType type,
      int length,
      Function<StateInput, Object> reader) {
    String simpleName = name + "Serializer";
    parsers.put(
        PACKAGE + simpleName + "$" + simpleName + "Snapshot",
        BasicSnapshots.simple(description, new FixedCodec(type, length, reader)));
  }

  private static SqlType.Row withNanos(SqlType.Scalar type) {
    return new SqlType.Row(
        List.of(new SqlType.Field("", type), new SqlType.Field("_nanos", INTEGER)), true);
  }

  private static Function<StateInput, Object> millis(String javaType) {
    return in -> {
      long millis = in.readLong();
      if (millis == Long.MIN_VALUE) {
        return null;
      }
      return requireTimestamp(millis, javaType);
    };
  }

  private static long requireTimestamp(long millis, String javaType) {
    if (!DateTimeRange.holdsTimestamp(millis)) {
      throw DateTimeRange.overflow(TIMESTAMP, javaType, Instant.ofEpochMilli(millis));
    }
    return millis;
  }

  private static Object readSqlTimestamp(StateInput in) {
    long offset = in.offset();
    long millis = in.readLong();
    int nanos = in.readInt();
    if (millis == Long.MIN_VALUE && nanos == 0) {
      return null;
    }
    if (nanos < 0
        || nanos >= NANOS_PER_SECOND
        || Math.floorMod(millis, MILLIS_PER_SECOND) != nanos / NANOS_PER_MILLI) {
      throw new MalformedValueException(
          offset, nanos + " nanoseconds do not belong to a timestamp of " + millis + " ms");
    }
    return split(requireTimestamp(millis, "java.sql.Timestamp"), nanos);
  }

  private static Object readInstant(StateInput in) {
    long offset = in.offset();
    long seconds = in.readLong();
    int nanos = in.readInt();
    if (seconds == Long.MIN_VALUE && nanos == Integer.MIN_VALUE) {
      return null;
    }
    if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
      throw new MalformedValueException(offset, nanos + " is not a number of nanoseconds");
    }
    Instant instant = sound(offset, () -> Instant.ofEpochSecond(seconds, nanos));
    return toTimestamp(instant, "Instant", instant);
  }

  private static Object readDate(StateInput in) {
    LocalDate date = readLocalDate(in);
    if (date == null) {
      return null;
    }
    if (!DateTimeRange.holdsDate(date.toEpochDay())) {
      throw DateTimeRange.overflow(DATE, "LocalDate", date);
    }
    return (int) date.toEpochDay();
  }

  private static Object readTime(StateInput in) {
    LocalTime time = readLocalTime(in);
    if (time == null) {
      return null;
    }
    long nanos = time.toNanoOfDay();
    return new Object[] {(int) (nanos / NANOS_PER_MILLI), (int) (nanos % NANOS_PER_MILLI)};
  }

  private static Object readDateTime(StateInput in) {
    long offset = in.offset();
    LocalDate date = readLocalDate(in);
    LocalTime time = readLocalTime(in);
    if (date == null && time == null) {
      return null;
    }
    if (date == null || time == null) {
      throw new MalformedValueException(offset, "only one half of a date and time is null");
    }
    LocalDateTime value = LocalDateTime.of(date, time);
    return toTimestamp(value.toInstant(ZoneOffset.UTC), "LocalDateTime", value);
  }

  private static Object toTimestamp(Instant instant, String javaType, Object stored) {
    if (instant.getEpochSecond() < DateTimeRange.MIN_TIMESTAMP / MILLIS_PER_SECOND
        || instant.getEpochSecond() > DateTimeRange.MAX_TIMESTAMP / MILLIS_PER_SECOND) {
      throw DateTimeRange.overflow(TIMESTAMP, javaType, stored);
    }
    return split(instant.toEpochMilli(), instant.getNano());
  }

  private static Object[] split(long millis, int nanosOfSecond) {
    return new Object[] {millis, nanosOfSecond % NANOS_PER_MILLI};
  }

  private static LocalDate readLocalDate(StateInput in) {
    long offset = in.offset();
    int year = in.readInt();
    if (year == Integer.MIN_VALUE) {
      requireNull(offset, in.readShort() == Short.MIN_VALUE);
      return null;
    }
    int month = in.readByte();
    int day = in.readByte();
    return sound(offset, () -> LocalDate.of(year, month, day));
  }

  private static LocalTime readLocalTime(StateInput in) {
    long offset = in.offset();
    int hour = in.readByte();
    if (hour == Byte.MIN_VALUE) {
      boolean minutesAndSeconds = in.readShort() == Short.MIN_VALUE;
      requireNull(offset, in.readInt() == Integer.MIN_VALUE && minutesAndSeconds);
      return null;
    }
    int minute = in.readByte();
    int second = in.readByte();
    int nanos = in.readInt();
    return sound(offset, () -> LocalTime.of(hour, minute, second, nanos));
  }

  private static void requireNull(long offset, boolean isNull) {
    if (!isNull) {
      throw new MalformedValueException(offset, "a date or time begins like null but is not null");
    }
  }

  private static <T> T sound(long offset, Supplier<T> value) {
    try {
      return value.get();
    } catch (DateTimeException e) {
      throw new MalformedValueException(offset, "no such date or time: " + e.getMessage(), e);
    }
  }
}
