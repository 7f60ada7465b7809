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
package io.statesql.type.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.Shop;
import io.statesql.type.StateInput;
import io.statesql.type.Stored;
import io.statesql.type.serializer.UnknownSerializerException;
import io.statesql.type.table.TableRows;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;

/**
 * Damaged bytes give a value or a refusal: no other exception, no hang, no memory without bound.
 */
class HostileBytesTest {
  private static final int ROUNDS = 4_000;
  private static final int RANDOM_LENGTH = 64;

  private record Sample<T>(TypeSerializer<T> serializer, T value) {
    static <T> Sample<T> of(TypeInformation<T> type, T value) {
      SerializerConfigImpl config = new SerializerConfigImpl();
      config.registerPojoType(Shop.Dog.class);
      return new Sample<>(type.createSerializer(config), value);
    }

    byte[] bytes() {
      return Stored.value(serializer, value);
    }
  }

  private static List<Sample<?>> samples() {
    Shop.Dog dog = new Shop.Dog();
    dog.name = "Rex";
    dog.born = Instant.EPOCH;
    Shop.Customer customer = new Shop.Customer();
    customer.tags = new ArrayList<>(List.of("a", "b"));
    customer.address = new Shop.Address();
    return List.of(
        Sample.of(Types.STRING, "some text ä漢"),
        Sample.of(Types.BIG_DEC, new BigDecimal("12345678901234567890.12345")),
        Sample.of(Types.LOCAL_DATE_TIME, LocalDateTime.of(2024, 2, 29, 1, 2, 3, 4)),
        Sample.of(TypeInformation.of(Shop.Animal.class), dog),
        Sample.of(TypeInformation.of(Shop.Customer.class), customer),
        Sample.of(Types.LIST(Types.LIST(Types.STRING)), List.of(List.of("a"), List.of())),
        Sample.of(Types.MAP(Types.STRING, Types.INSTANT), Map.of("k", Instant.EPOCH)),
        Sample.of(Types.TUPLE(Types.INT, Types.STRING, Types.BOOLEAN), Tuple3.of(1, "x", true)),
        Sample.of(
            Types.ROW(Types.INT, Types.STRING, Types.OBJECT_ARRAY(Types.LONG)),
            Row.of(1, null, new Long[] {1L, null})),
        new Sample<>(new RowDataSerializer(TableRows.each()), TableRows.shortValues()),
        new Sample<>(new RowDataSerializer(TableRows.each()), TableRows.longValues()));
  }

  @Test
  void damagedValuesAreReadOrRefused() {
    Random random = new Random(8);
    int refused = 0;
    for (Sample<?> sample : samples()) {
      Codec codec = Stored.codec(sample.serializer());
      byte[] original = sample.bytes();
      for (int round = 0; round < ROUNDS; round++) {
        byte[] bytes = damage(original, random);
        refused += isRefused(() -> codec.read(new StateInput(bytes))) ? 1 : 0;
        isRefused(() -> codec.skip(new StateInput(bytes)));
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void randomValuesAreReadOrRefused() {
    Random random = new Random(9);
    int refused = 0;
    for (Sample<?> sample : samples()) {
      Codec codec = Stored.codec(sample.serializer());
      for (int round = 0; round < ROUNDS; round++) {
        byte[] bytes = new byte[random.nextInt(RANDOM_LENGTH)];
        random.nextBytes(bytes);
        refused += isRefused(() -> codec.read(new StateInput(bytes))) ? 1 : 0;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void damagedSnapshotsAreReadOrRefused() {
    Random random = new Random(10);
    int refused = 0;
    for (Sample<?> sample : samples()) {
      byte[] original = Stored.snapshot(sample.serializer());
      byte[] value = sample.bytes();
      for (int round = 0; round < ROUNDS; round++) {
        byte[] bytes = damage(original, random);
        refused +=
            isRefused(
                    () ->
                        StoredSerializers.read(new StateInput(bytes), Stored.FLINK_2)
                            .codec()
                            .read(new StateInput(value)))
                ? 1
                : 0;
      }
    }
    assertThat(refused).isPositive();
  }

  /** Flips bits, overwrites an int, or cuts the end off. */
  private static byte[] damage(byte[] original, Random random) {
    byte[] bytes = original.clone();
    switch (random.nextInt(3)) {
      case 0 -> {
        for (int i = random.nextInt(3); i >= 0; i--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
      }
      case 1 -> {
        int from = random.nextInt(bytes.length);
        for (int i = from; i < Math.min(bytes.length, from + Integer.BYTES); i++) {
          bytes[i] = (byte) random.nextInt();
        }
      }
      default -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }
    return bytes;
  }

  private static boolean isRefused(Runnable reading) {
    try {
      reading.run();
      return false;
    } catch (MalformedValueException | UnknownSerializerException | StateSqlException e) {
      return true;
    }
  }
}
