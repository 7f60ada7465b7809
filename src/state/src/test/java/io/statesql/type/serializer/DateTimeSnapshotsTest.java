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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.DateTimeValues;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.kryo.KryoTestData;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Date;
import java.util.Random;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.DateSerializer;
import org.apache.flink.api.common.typeutils.base.InstantSerializer;
import org.apache.flink.api.common.typeutils.base.LocalDateSerializer;
import org.apache.flink.api.common.typeutils.base.LocalDateTimeSerializer;
import org.apache.flink.api.common.typeutils.base.LocalTimeSerializer;
import org.apache.flink.api.common.typeutils.base.SqlDateSerializer;
import org.apache.flink.api.common.typeutils.base.SqlTimeSerializer;
import org.apache.flink.api.common.typeutils.base.SqlTimestampSerializer;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JavaUtilDate") // it is one of the stored types
class DateTimeSnapshotsTest {
  private static final LocalDate FIRST = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);
  private static final int SAMPLES = 300;

  private final Random random = new Random(4);

  @Test
  void readsDates() {
    LocalDate[] known = {
      FIRST,
      LAST,
      LocalDate.EPOCH,
      LocalDate.of(1582, 10, 4),
      LocalDate.of(1582, 10, 10),
      LocalDate.of(1582, 10, 15),
      LocalDate.of(1969, 12, 31),
      LocalDate.of(2024, 2, 29),
      LAST.plusDays(1),
      FIRST.minusDays(1),
      LocalDate.of(-44, 3, 15),
      LocalDate.ofEpochDay(Integer.MAX_VALUE),
      LocalDate.ofEpochDay(Integer.MIN_VALUE)
    };
    for (LocalDate date : known) {
      checkDate(date);
    }
    for (int i = 0; i < SAMPLES; i++) {
      checkDate(randomDate());
    }
    Stored.check(LocalDateSerializer.INSTANCE, null, null);
  }

  private static void checkDate(LocalDate date) {
    Stored.check(LocalDateSerializer.INSTANCE, date, (int) date.toEpochDay());
  }

  @Test
  void splitsTimesIntoMillisecondsAndNanoseconds() {
    checkTime(LocalTime.MIN);
    checkTime(LocalTime.MAX);
    checkTime(LocalTime.of(12, 34, 56, 789_012_345));
    for (int i = 0; i < SAMPLES; i++) {
      checkTime(randomTime());
    }
    Stored.check(LocalTimeSerializer.INSTANCE, null, null);
    assertThat(Stored.codec(LocalTimeSerializer.INSTANCE).type())
        .isEqualTo(DateTimeValues.NANO_TIME);
  }

  private static void checkTime(LocalTime time) {
    long nanos = time.toNanoOfDay();
    Stored.check(
        LocalTimeSerializer.INSTANCE,
        time,
        Stored.row((int) (nanos / 1_000_000), (int) (nanos % 1_000_000)));
  }

  @Test
  void splitsDateTimesInstantsAndSqlTimestamps() {
    checkMoment(LocalDateTime.of(FIRST, LocalTime.MIN));
    checkMoment(LocalDateTime.of(LAST, LocalTime.MAX));
    checkMoment(LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_999));
    checkMoment(LocalDateTime.of(1970, 1, 1, 0, 0, 0, 1));
    checkMoment(LocalDateTime.of(-44, 3, 15, 1, 2, 3, 4_999_999));
    checkMoment(LocalDateTime.of(292_278_993, 12, 31, 23, 59, 59, 999_999_999));
    checkMoment(LocalDateTime.of(-292_275_054, 1, 1, 0, 0, 0, 1));
    for (int i = 0; i < SAMPLES; i++) {
      checkMoment(LocalDateTime.of(randomDate(), randomTime()));
    }
    Stored.check(LocalDateTimeSerializer.INSTANCE, null, null);
    Stored.check(InstantSerializer.INSTANCE, null, null);
    Stored.check(SqlTimestampSerializer.INSTANCE, null, null);
  }

  private static void checkMoment(LocalDateTime moment) {
    Instant instant = moment.toInstant(ZoneOffset.UTC);
    int nanosOfSecond = moment.get(ChronoField.NANO_OF_SECOND);
    long millis =
        Math.addExact(
            Math.multiplyExact(moment.toEpochSecond(ZoneOffset.UTC), 1000L),
            nanosOfSecond / 1_000_000);
    Object expected = Stored.row(millis, nanosOfSecond % 1_000_000);
    Stored.check(LocalDateTimeSerializer.INSTANCE, moment, expected);
    Stored.check(InstantSerializer.INSTANCE, instant, expected);
    Timestamp timestamp = new Timestamp(instant.toEpochMilli());
    timestamp.setNanos(nanosOfSecond);
    Stored.check(SqlTimestampSerializer.INSTANCE, timestamp, expected);
  }

  @Test
  void showsLegacyDatesAsTheMillisecondsTheyStore() {
    long[] values = {0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE + 1, 1_700_000_000_123L};
    for (long millis : values) {
      Stored.check(DateSerializer.INSTANCE, new Date(millis), millis);
      Stored.check(SqlDateSerializer.INSTANCE, new java.sql.Date(millis), millis);
      Stored.check(SqlTimeSerializer.INSTANCE, new Time(millis), millis);
    }
    Stored.check(DateSerializer.INSTANCE, null, null);
    Stored.check(SqlDateSerializer.INSTANCE, null, null);
    Stored.check(SqlTimeSerializer.INSTANCE, null, null);
  }

  @Test
  void namesTheStoredValueThatDoesNotFit() {
    assertOverflow(LocalDateSerializer.INSTANCE, LocalDate.MAX, "+999999999-12-31");
    assertOverflow(LocalDateSerializer.INSTANCE, LocalDate.MIN, "-999999999-01-01");
    LocalDate last = LocalDate.ofEpochDay(Integer.MAX_VALUE);
    LocalDate first = LocalDate.ofEpochDay(Integer.MIN_VALUE);
    assertOverflow(LocalDateSerializer.INSTANCE, last.plusDays(1), "+5881580-07-12");
    assertOverflow(LocalDateSerializer.INSTANCE, first.minusDays(1), "-5877641-06-22");
    assertOverflow(
        LocalDateTimeSerializer.INSTANCE, LocalDateTime.MAX, "+999999999-12-31T23:59:59.999999999");
    assertOverflow(LocalDateTimeSerializer.INSTANCE, LocalDateTime.MIN, "-999999999-01-01T00:00");
    assertOverflow(
        InstantSerializer.INSTANCE, Instant.MAX, "+1000000000-12-31T23:59:59.999999999Z");
    assertOverflow(InstantSerializer.INSTANCE, Instant.MIN, "-1000000000-01-01T00:00:00Z");
    assertOverflow(
        InstantSerializer.INSTANCE,
        Instant.ofEpochMilli(Long.MAX_VALUE).plusMillis(1),
        "+292278994-08-17T07:12:55.808Z");
    assertOverflow(
        InstantSerializer.INSTANCE,
        Instant.ofEpochMilli(Long.MIN_VALUE).minusNanos(1),
        "-292275055-05-16T16:47:04.191999999Z");
  }

  private static <T> void assertOverflow(TypeSerializer<T> serializer, T value, String stored) {
    Codec codec = Stored.codec(serializer);
    StateInput in = new StateInput(Stored.value(serializer, value));
    assertThatThrownBy(() -> codec.read(in))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DATETIME_OVERFLOW))
        .hasMessageContaining(" " + stored + " ")
        .hasMessageContaining("out of the select list");
    in.position(0);
    codec.skip(in);
    in.requireEnd();
  }

  @Test
  void refusesDatesAndTimesThatDoNotExist() {
    byte[][] dates = {{0, 0, 7, -24, 13, 1}, {0, 0, 7, -24, 1, 32}, {0, 0, 7, -25, 2, 29}};
    for (byte[] bytes : dates) {
      assertMalformed(LocalDateSerializer.INSTANCE, bytes);
    }
    assertMalformed(LocalDateSerializer.INSTANCE, new byte[] {-128, 0, 0, 0, 0, 0});
    assertMalformed(LocalDateSerializer.INSTANCE, new byte[] {127, 0, 0, 0, 1, 1});
    assertMalformed(LocalTimeSerializer.INSTANCE, new byte[] {24, 0, 0, 0, 0, 0, 0});
    assertMalformed(LocalTimeSerializer.INSTANCE, new byte[] {0, 60, 0, 0, 0, 0, 0});
    assertMalformed(LocalTimeSerializer.INSTANCE, new byte[] {0, 0, 0, 127, 0, 0, 0});
    assertMalformed(LocalTimeSerializer.INSTANCE, new byte[] {-128, 0, 0, 0, 0, 0, 0});
    assertMalformed(InstantSerializer.INSTANCE, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 0});
    assertMalformed(InstantSerializer.INSTANCE, new byte[] {127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    assertMalformed(
        SqlTimestampSerializer.INSTANCE, new byte[] {0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 7});
    byte[] halfNull = Stored.value(LocalDateTimeSerializer.INSTANCE, null);
    halfNull[0] = 0;
    halfNull[4] = 1;
    halfNull[5] = 1;
    assertMalformed(LocalDateTimeSerializer.INSTANCE, halfNull);
  }

  private static void assertMalformed(TypeSerializer<?> serializer, byte[] bytes) {
    assertThatThrownBy(() -> Stored.codec(serializer).read(new StateInput(bytes)))
        .isInstanceOf(MalformedValueException.class);
  }

  private LocalDate randomDate() {
    return LocalDate.ofEpochDay(random.nextLong(FIRST.toEpochDay(), LAST.toEpochDay() + 1));
  }

  private LocalTime randomTime() {
    return LocalTime.ofNanoOfDay(random.nextLong(LocalTime.MAX.toNanoOfDay() + 1));
  }

  @Test
  void readsLegacyDatesAsKryoDoes() {
    long[] values = {0, -1, 1_700_000_000_123L, -62_000_000_000_000L, 300_000_000_000_000L};
    for (long millis : values) {
      assertAgrees(DateSerializer.INSTANCE, Date.class, new Date(millis));
      assertAgrees(SqlDateSerializer.INSTANCE, java.sql.Date.class, new java.sql.Date(millis));
      assertAgrees(SqlTimeSerializer.INSTANCE, Time.class, new Time(millis));
      assertAgrees(SqlTimestampSerializer.INSTANCE, Timestamp.class, new Timestamp(millis));
    }
  }

  private static <T> void assertAgrees(TypeSerializer<T> serializer, Class<T> type, T value) {
    assertThat(KryoTestData.codec(type).type()).isEqualTo(Stored.codec(serializer).type());
    assertThat(Stored.comparable(KryoTestData.roundTrip(type, value)))
        .isEqualTo(Stored.read(serializer, value));
  }
}
