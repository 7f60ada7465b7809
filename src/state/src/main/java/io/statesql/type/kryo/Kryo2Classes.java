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
package io.statesql.type.kryo;

import io.statesql.type.serializer.KryoVersion;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What Flink 1 wrote otherwise than Flink 2, which has serializers of their own for these classes:
 * with Kryo 2.24's FieldSerializer, which writes the fields of a class in the order of their names,
 * or with one of chill-java 0.7.6. The fields are those of Java 8 to 21, on which Flink 1 runs.
 */
final class Kryo2Classes {
  private final Map<String, KryoClasses.Allowed> values;

  private Kryo2Classes(Map<String, KryoClasses.Allowed> values) {
    this.values = values;
  }

  /**
   * Makes the classes of Kryo 2 of those of Kryo 5.
   *
   * @param values by binary names
   */
  static void replaceIn(Map<String, KryoClasses.Allowed> values) {
    Kryo2Classes classes = new Kryo2Classes(values);
    classes.dates();
    classes.zoned();
    classes.others();
    classes.absent();
  }

  /** Reads the fields of an object. */
  @FunctionalInterface
  private interface Fields<T> {
    T read(Kryo2Fields in);
  }

  private <T> void add(Class<? extends T> type, Fields<T> fields) {
    values.put(
        type.getName(),
        new KryoClasses.Allowed(
            type, () -> KryoReader.of((kryo, in, read) -> fields.read(new Kryo2Fields(kryo, in)))));
  }

  private void dates() {
    add(
        LocalDate.class,
        in -> {
          int day = in.shortNumber();
          int month = in.shortNumber();
          return LocalDate.of(in.number(), month, day);
        });
    add(
        LocalTime.class,
        in -> {
          int hour = in.byteNumber();
          int minute = in.byteNumber();
          int nano = in.number();
          return LocalTime.of(hour, minute, in.byteNumber(), nano);
        });
    add(
        LocalDateTime.class,
        in -> LocalDateTime.of(in.object(LocalDate.class), in.object(LocalTime.class)));
    add(
        Instant.class,
        in -> {
          int nanos = in.number();
          return Instant.ofEpochSecond(in.longNumber(), nanos);
        });
    add(
        Duration.class,
        in -> {
          int nanos = in.number();
          return Duration.ofSeconds(in.longNumber(), nanos);
        });
    add(
        Period.class,
        in -> {
          int days = in.number();
          int months = in.number();
          return Period.of(in.number(), months, days);
        });
    add(Year.class, in -> Year.of(in.number()));
    add(
        YearMonth.class,
        in -> {
          int month = in.number();
          return YearMonth.of(in.number(), month);
        });
    add(
        MonthDay.class,
        in -> {
          int day = in.number();
          return MonthDay.of(in.number(), day);
        });
  }

  private void zoned() {
    add(ZoneOffset.class, in -> ZoneOffset.ofTotalSeconds(in.number()));
    add(ZoneId.of("Europe/Paris").getClass(), in -> ZoneId.of(in.object(String.class)));
    add(
        OffsetTime.class,
        in -> {
          ZoneOffset offset = in.object(ZoneOffset.class);
          return OffsetTime.of(in.object(LocalTime.class), offset);
        });
    add(
        OffsetDateTime.class,
        in -> OffsetDateTime.of(in.object(LocalDateTime.class), in.object(ZoneOffset.class)));
    add(
        ZonedDateTime.class,
        in -> {
          LocalDateTime time = in.object(LocalDateTime.class);
          ZoneOffset offset = in.object(ZoneOffset.class);
          // Not as the zone's rules of this JVM would have it.
          return ZonedDateTime.ofStrict(time, offset, in.any(ZoneId.class));
        });
  }

  private void others() {
    add(Optional.class, in -> Optional.ofNullable(in.anyOrNull()));
    add(
        OptionalInt.class,
        in -> {
          boolean isPresent = in.flag();
          int value = in.number();
          return isPresent ? OptionalInt.of(value) : OptionalInt.empty();
        });
    add(
        OptionalLong.class,
        in -> {
          boolean isPresent = in.flag();
          long value = in.longNumber();
          return isPresent ? OptionalLong.of(value) : OptionalLong.empty();
        });
    add(
        OptionalDouble.class,
        in -> {
          boolean isPresent = in.flag();
          double value = in.doubleNumber();
          return isPresent ? OptionalDouble.of(value) : OptionalDouble.empty();
        });
    // Those of chill-java.
    add(
        UUID.class,
        in -> {
          long most = in.longNumber();
          return new UUID(most, in.longNumber());
        });
    values.put(
        java.util.regex.Pattern.class.getName(),
        new KryoClasses.Allowed(
            java.util.regex.Pattern.class, () -> KryoReader.text(KryoInput::readText)));
    Class<?> arrayAsList = java.util.Arrays.asList().getClass();
    values.put(
        arrayAsList.getName(), new KryoClasses.Allowed(arrayAsList, KryoReader::arrayAsList));
    // Its own serializer of maps with a comparator is one of Kryo 5.
    Class<?> skipListMap = java.util.concurrent.ConcurrentSkipListMap.class;
    values.put(
        skipListMap.getName(),
        new KryoClasses.Allowed(skipListMap, () -> KryoReader.map(KryoVersion.KRYO_2)));
  }

  /** Written as the JDK's own fields, or Java-serialized, which nothing here reads. */
  private void absent() {
    values.remove(java.net.URL.class.getName());
    values.remove(java.util.Locale.class.getName());
    values
        .values()
        .removeIf(allowed -> java.nio.charset.Charset.class.isAssignableFrom(allowed.type()));
  }
}
