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
package io.statesql.examples.keys;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.apache.flink.formats.avro.typeutils.GenericRecordAvroTypeInfo;
import org.apache.flink.types.Row;

/**
 * A type of keys.
 *
 * @param name of the operator that has such keys
 * @param ofNumber the key for a number from 0 to 127
 */
record KeyType<K>(String name, TypeInformation<K> type, Selector<K> ofNumber)
    implements Serializable {

  /** From this number on, a boolean key is true. */
  private static final long TRUE_FROM = 100;

  private static final long MILLIS = 1_000_000_007L;

  /** A function that Flink can send along. */
  interface Selector<K> extends KeySelector<Long, K> {
    @Override
    K getKey(Long number);
  }

  /** All types that Flink's own serializers write, Avro's records, and what Kryo writes. */
  static List<KeyType<?>> all() {
    return List.of(
        new KeyType<>("string", Types.STRING, n -> "key-" + n + "é"),
        new KeyType<>("int", Types.INT, n -> (int) (n * 1_000_003 - 50_000_000)),
        new KeyType<>("long", Types.LONG, n -> n * 1_000_000_000_039L - 50_000_000_000_000L),
        new KeyType<>("short", Types.SHORT, n -> (short) (n * 251 - 16_000)),
        new KeyType<>("byte", Types.BYTE, n -> (byte) (n - 100)),
        new KeyType<>("float", Types.FLOAT, n -> n / 4f - 20),
        new KeyType<>("double", Types.DOUBLE, n -> n / 4d - 20),
        new KeyType<>("char", Types.CHAR, n -> (char) ('A' + n)),
        new KeyType<>("boolean", Types.BOOLEAN, n -> n >= TRUE_FROM),
        new KeyType<>("decimal", Types.BIG_DEC, n -> BigDecimal.valueOf(n * 10 - 1000, 1)),
        new KeyType<>(
            "integer",
            Types.BIG_INT,
            n -> BigInteger.valueOf(n - 110).multiply(BigInteger.TEN.pow(20))),
        new KeyType<>("date", Types.LOCAL_DATE, n -> LocalDate.of(1969, 10, 1).plusDays(n)),
        new KeyType<>("time", Types.LOCAL_TIME, n -> LocalTime.of(10, 0).plusSeconds(n * 11)),
        new KeyType<>(
            "timestamp",
            Types.LOCAL_DATE_TIME,
            n -> LocalDateTime.of(1969, 12, 31, 23, 0).plusMinutes(n)),
        new KeyType<>("instant", Types.INSTANT, n -> Instant.ofEpochMilli((n - 110) * MILLIS)),
        new KeyType<>("sql-date", Types.SQL_DATE, n -> new Date(midnight(n))),
        new KeyType<>("sql-time", Types.SQL_TIME, n -> new Time(n * 60_000)),
        new KeyType<>("sql-timestamp", Types.SQL_TIMESTAMP, n -> new Timestamp((n - 110) * MILLIS)),
        new KeyType<>(
            "tuple",
            Types.TUPLE(Types.STRING, Types.INT),
            n -> Tuple2.of("t" + n, n.intValue() - 110)),
        new KeyType<>("row", Types.ROW(Types.STRING, Types.LONG), n -> Row.of("r" + n, n * MILLIS)),
        new KeyType<>(
            "avro-generic", new GenericRecordAvroTypeInfo(Sensor.SCHEMA$), Sensor::generic),
        new KeyType<>("avro-specific", new AvroTypeInfo<>(Sensor.class), Sensor::ofNumber),
        new KeyType<>("kryo", new GenericTypeInfo<>(Ticket.class), Ticket::ofNumber),
        new KeyType<>("kryo-uuid", new GenericTypeInfo<>(UUID.class), n -> new UUID(n, 1)));
  }

  private static long midnight(long days) {
    return LocalDate.of(1970, 1, 1)
        .plusDays(days)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant()
        .toEpochMilli();
  }
}
