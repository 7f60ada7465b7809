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
package io.statesql.type.serializer;

import static io.statesql.type.SqlType.Scalar.DATE;
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;

import io.statesql.type.Codec;
import io.statesql.type.DateTimeValues;
import io.statesql.type.FixedCodec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import io.statesql.type.ValueWriter;
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
public final class DateTimeSnapshots {
  private static final String PACKAGE = "org.apache.flink.api.common.typeutils.base.";
  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final int MILLIS_PER_SECOND = 1_000;
  private static final int DATE_LENGTH = Integer.BYTES + 2;
  private static final int TIME_LENGTH = 3 + Integer.BYTES;

  private DateTimeSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    put(parsers, "Date", "java.util.Date", millis("java.util.Date"));
    put(parsers, "SqlDate", "java.sql.Date", millis("java.sql.Date"));
    put(parsers, "SqlTime", "java.sql.Time", millis("java.sql.Time"));
    put(
        parsers,
        "SqlTimestamp",
        "java.sql.Timestamp",
        new FixedCodec(
                DateTimeValues.NANO_TIMESTAMP,
                Long.BYTES + Integer.BYTES,
                DateTimeSnapshots::readSqlTimestamp,
                DateTimeValues.writer(
                    out -> writeSqlTimestamp(Long.MIN_VALUE, 0, out),
                    (value, out) ->
                        writeSqlTimestamp(
                            (long) value[0],
                            DateTimeValues.instant(value).get(ChronoField.NANO_OF_SECOND),
                            out)))
            .hashedBy(value -> ((Object[]) value)[0].hashCode()));
    put(
        parsers,
        "Instant",
        "Instant",
        new FixedCodec(
                DateTimeValues.NANO_TIMESTAMP,
                Long.BYTES + Integer.BYTES,
                DateTimeSnapshots::readInstant,
                DateTimeValues.writer(
                    out -> writeInstant(Long.MIN_VALUE, Integer.MIN_VALUE, out),
                    (value, out) -> {
                      Instant instant = DateTimeValues.instant(value);
                      writeInstant(instant.getEpochSecond(), instant.getNano(), out);
                    }))
            .hashedBy(value -> DateTimeValues.instant((Object[]) value).hashCode()));
    put(
        parsers,
        "LocalDate",
        "LocalDate",
        new FixedCodec(
                DATE,
                DATE_LENGTH,
                DateTimeSnapshots::readDate,
                ValueWriter.nullable(
                    Integer.class,
                    DateTimeSnapshots::writeNullDate,
                    (value, out) -> writeDate(DateTimeValues.localDate(value), out)))
            .hashedBy(value -> DateTimeValues.localDate((int) value).hashCode()));
    put(
        parsers,
        "LocalTime",
        "LocalTime",
        new FixedCodec(
                DateTimeValues.NANO_TIME,
                TIME_LENGTH,
                DateTimeSnapshots::readTime,
                DateTimeValues.writer(
                    DateTimeSnapshots::writeNullTime,
                    (value, out) -> writeTime(DateTimeValues.localTime(value), out)))
            .hashedBy(value -> DateTimeValues.localTime((Object[]) value).hashCode()));
    put(
        parsers,
        "LocalDateTime",
        "LocalDateTime",
        new FixedCodec(
                DateTimeValues.NANO_TIMESTAMP,
                DATE_LENGTH + TIME_LENGTH,
                DateTimeSnapshots::readDateTime,
                DateTimeValues.writer(
                    out -> {
                      writeNullDate(out);
                      writeNullTime(out);
                    },
                    (value, out) -> {
                      LocalDateTime dateTime = DateTimeValues.localDateTime(value);
                      writeDate(dateTime.toLocalDate(), out);
                      writeTime(dateTime.toLocalTime(), out);
                    }))
            .hashedBy(value -> DateTimeValues.localDateTime((Object[]) value).hashCode()));
  }

  private static void put(
      Map<String, SnapshotParser> parsers, String name, String description, Codec codec) {
    String simpleName = name + "Serializer";
    parsers.put(
        PACKAGE + simpleName + "$" + simpleName + "Snapshot",
        SnapshotParser.simple(description, codec));
  }

  /** {@code java.util.Date} and those of its subclasses that have no finer digits. */
  private static Codec millis(String javaType) {
    return new FixedCodec(
            TIMESTAMP,
            Long.BYTES,
            millisReader(javaType),
            ValueWriter.nullable(
                Long.class,
                out -> out.writeLong(Long.MIN_VALUE),
                (value, out) -> writeMillis(value, out)))
        .hashedBy(Object::hashCode);
  }

  private static void writeMillis(long millis, StateOutput out) {
    if (millis == Long.MIN_VALUE) {
      throw new UnwritableValueException("the stored form of " + millis + " ms means null");
    }
    out.writeLong(millis);
  }

  private static void writeSqlTimestamp(long millis, int nanos, StateOutput out) {
    out.writeLong(millis);
    out.writeInt(nanos);
  }

  private static void writeInstant(long seconds, int nanos, StateOutput out) {
    out.writeLong(seconds);
    out.writeInt(nanos);
  }

  private static void writeNullDate(StateOutput out) {
    out.writeInt(Integer.MIN_VALUE);
    out.writeShort(Short.MIN_VALUE);
  }

  private static void writeDate(LocalDate date, StateOutput out) {
    out.writeInt(date.getYear());
    out.writeByte(date.getMonthValue());
    out.writeByte(date.getDayOfMonth());
  }

  private static void writeNullTime(StateOutput out) {
    out.writeByte(Byte.MIN_VALUE);
    out.writeShort(Short.MIN_VALUE);
    out.writeInt(Integer.MIN_VALUE);
  }

  private static void writeTime(LocalTime time, StateOutput out) {
    out.writeByte(time.getHour());
    out.writeByte(time.getMinute());
    out.writeByte(time.getSecond());
    out.writeInt(time.getNano());
  }

  private static Function<StateInput, Object> millisReader(String javaType) {
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
