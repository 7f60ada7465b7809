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

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.EnumSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.formats.avro.typeutils.AvroSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.types.Either;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

/** Keys of every type whose hash code needs no class are found where Flink would put them. */
class KeyGroupsTest {
  private static final int[] MAX_PARALLELISMS = {1, 128, 4096, 32768};
  private static final int SAMPLES = 50;

  private static <T> void check(TypeInformation<T> type, Function<Random, T> keys) {
    check(type.createSerializer(new SerializerConfigImpl()), keys);
  }

  private static <T> void check(TypeSerializer<T> serializer, Function<Random, T> keys) {
    Codec codec = Stored.codec(serializer);
    Random random = new Random(7);
    for (int i = 0; i < SAMPLES; i++) {
      T key = keys.apply(random);
      byte[] bytes = Stored.value(serializer, key);
      Object read = codec.read(new StateInput(bytes));
      for (int maxParallelism : MAX_PARALLELISMS) {
        assertThat(KeyGroups.of(codec.keyHash().of(read), maxParallelism))
            .as("key group of %s of %d", key, maxParallelism)
            .isEqualTo(KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism));
      }
      assertThat(Stored.written(codec, read)).as("bytes of %s", key).isEqualTo(bytes);
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(1 << 16)));
    }
    return text.toString();
  }

  @Test
  void textsAndNumbers() {
    check(Types.STRING, KeyGroupsTest::text);
    check(Types.BOOLEAN, Random::nextBoolean);
    check(Types.BYTE, random -> (byte) random.nextInt());
    check(Types.SHORT, random -> (short) random.nextInt());
    check(Types.CHAR, random -> (char) random.nextInt());
    check(Types.INT, Random::nextInt);
    check(Types.LONG, Random::nextLong);
    check(Types.FLOAT, random -> Float.intBitsToFloat(random.nextInt() & 0x7F7F_FFFF));
    check(Types.DOUBLE, random -> random.nextGaussian() * 1e9);
    check(Types.BIG_INT, random -> new BigInteger(random.nextInt(100), random));
    check(
        Types.BIG_DEC,
        random -> new BigDecimal(new BigInteger(random.nextInt(100), random), random.nextInt(9)));
  }

  @SuppressWarnings("JavaUtilDate") // Flink has a serializer for it
  @Test
  void datesAndTimes() {
    check(Types.LOCAL_DATE, random -> LocalDate.ofEpochDay(random.nextInt(40_000)));
    check(
        Types.LOCAL_TIME,
        random -> LocalTime.ofNanoOfDay((random.nextLong() >>> 1) % 86_400_000_000_000L));
    check(
        Types.LOCAL_DATE_TIME,
        random ->
            LocalDateTime.of(2020, 1, 1, 0, 0)
                .plusSeconds(random.nextInt())
                .plusNanos(random.nextInt(1_000_000_000)));
    check(
        Types.INSTANT,
        random -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
    check(TypeInformation.of(Date.class), random -> new Date(random.nextLong() >> 10));
    check(Types.SQL_DATE, random -> new java.sql.Date(random.nextLong() >> 10));
    check(Types.SQL_TIME, random -> new java.sql.Time(random.nextInt(86_400_000)));
    check(
        Types.SQL_TIMESTAMP,
        random -> {
          java.sql.Timestamp time = new java.sql.Timestamp(random.nextLong() >> 10);
          time.setNanos(random.nextInt(1_000_000_000));
          return time;
        });
  }

  @Test
  void tuplesRowsAndEithers() {
    check(
        Types.TUPLE(Types.STRING, Types.LONG, Types.TUPLE(Types.INT, Types.INSTANT)),
        random ->
            Tuple3.of(
                text(random),
                random.nextLong(),
                Tuple2.of(random.nextInt(), Instant.ofEpochMilli(random.nextInt()))));
    check(
        Types.ROW(Types.STRING, Types.LONG, Types.LOCAL_DATE_TIME, Types.ROW(Types.INT)),
        random -> {
          RowKind kind = RowKind.fromByteValue((byte) random.nextInt(4));
          return Row.ofKind(
              kind,
              random.nextInt(4) == 0 ? null : text(random),
              random.nextLong(),
              LocalDateTime.of(2020, 1, 1, 0, 0).plusSeconds(random.nextInt()),
              Row.of(random.nextInt()));
        });
    check(
        Types.EITHER(Types.STRING, Types.LONG),
        random ->
            random.nextBoolean() ? Either.Left(text(random)) : Either.Right(random.nextLong()));
  }

  @Test
  void genericAvroRecords() {
    Schema schema =
        SchemaBuilder.record("Key")
            .fields()
            .requiredString("name")
            .optionalLong("number")
            .name("kind")
            .type()
            .enumeration("Kind")
            .symbols("A", "B")
            .noDefault()
            .name("tags")
            .type()
            .array()
            .items()
            .stringType()
            .noDefault()
            .endRecord();
    TypeSerializer<GenericRecord> serializer = new AvroSerializer<>(GenericRecord.class, schema);
    check(
        serializer,
        random -> {
          GenericRecord key = new GenericData.Record(schema);
          key.put("name", "n" + random.nextInt());
          key.put("number", random.nextBoolean() ? null : random.nextLong());
          key.put(
              "kind",
              new GenericData.EnumSymbol(
                  schema.getField("kind").schema(), random.nextBoolean() ? "A" : "B"));
          key.put("tags", List.of("x", "y" + random.nextInt(3)));
          return key;
        });
  }

  @Test
  void isUnknownWhereItNeedsTheClass() {
    assertThat(
            Stored.codec(
                    TypeInformation.of(Shop.Customer.class)
                        .createSerializer(new SerializerConfigImpl()))
                .keyHash())
        .isNull();
    assertThat(Stored.codec(new EnumSerializer<>(RowKind.class)).keyHash()).isNull();
    assertThat(
            Stored.codec(
                    Types.TUPLE(Types.STRING, Types.ENUM(RowKind.class))
                        .createSerializer(new SerializerConfigImpl()))
                .keyHash())
        .isNull();
  }
}
