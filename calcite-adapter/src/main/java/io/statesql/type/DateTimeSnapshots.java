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
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoField;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Dates and times: package {@code api.common.typeutils.base} of flink-core 2.3, in the forms of
 * {@link DateTimeValues}.
 *
 * <p>{@code java.sql.Date} and {@code java.sql.Time} are TIMESTAMP, as {@code java.util.Date} is:
 * they store milliseconds since the epoch, of midnight (or of a time on 1970-01-01) in the zone of
 * the JVM that wrote them. That zone is not stored, so a DATE or TIME would be a guess.
 */
final class DateTimeSnapshots {
  private static final String PACKAGE = "org.apache.flink.api.common.typeutils.base.";
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
        DateTimeValues.NANO_TIMESTAMP,
        Long.BYTES + Integer.BYTES,
        DateTimeSnapshots::readSqlTimestamp);
    put(
        parsers,
        "Instant",
        "Instant",
        DateTimeValues.NANO_TIMESTAMP,
        Long.BYTES + Integer.BYTES,
        DateTimeSnapshots::readInstant);
    put(parsers, "LocalDate", "LocalDate", DATE, DATE_LENGTH, DateTimeSnapshots::readDate);
    put(
        parsers,
        "LocalTime",
        "LocalTime",
        DateTimeValues.NANO_TIME,
        TIME_LENGTH,
        DateTimeSnapshots::readTime);
    put(
        parsers,
        "LocalDateTime",
        "LocalDateTime",
        DateTimeValues.NANO_TIMESTAMP,
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

  private static Function<StateInput, Object> millis(String javaType) {
    return in -> {
      long millis = in.readLong();
      if (millis == Long.MIN_VALUE) {
        return null;
      }
      return DateTimeValues.millis(Instant.ofEpochMilli(millis), javaType);
    };
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
        || Math.floorMod(millis, MILLIS_PER_SECOND) != nanos / DateTimeValues.NANOS_PER_MILLI) {
      throw new MalformedValueException(
          offset, nanos + " nanoseconds do not belong to a timestamp of " + millis + " ms");
    }
    Instant instant = Instant.ofEpochMilli(millis).with(ChronoField.NANO_OF_SECOND, nanos);
    return DateTimeValues.timestamp(instant, "java.sql.Timestamp");
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
    return DateTimeValues.timestamp(instant, "Instant");
  }

  private static Object readDate(StateInput in) {
    LocalDate date = readLocalDate(in);
    return date == null ? null : DateTimeValues.date(date);
  }

  private static Object readTime(StateInput in) {
    LocalTime time = readLocalTime(in);
    return time == null ? null : DateTimeValues.time(time);
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
    return DateTimeValues.timestamp(LocalDateTime.of(date, time));
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
