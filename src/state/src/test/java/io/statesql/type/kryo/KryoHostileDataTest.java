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

import static io.statesql.type.kryo.KryoTestData.codec;
import static io.statesql.type.kryo.KryoTestData.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.io.Output;
import com.sun.management.ThreadMXBean;
import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class KryoHostileDataTest {
  private static final int FLIPS = 20_000;
  private static final long MEGABYTE = 1 << 20;

  private static volatile boolean initialized;

  /** Tells when something loads it by the name that the data holds. */
  static final class Trap {
    static {
      initialized = true;
    }
  }

  private static List<Object> everything() {
    Map<Object, Object> map = new HashMap<>();
    map.put("day", LocalDate.of(2026, 3, 1));
    map.put(2, new TreeMap<>(Map.of("x", new byte[] {1, 2, 3})));
    map.put("zone", ZonedDateTime.of(2026, 3, 1, 1, 2, 3, 4, ZoneId.of("Europe/Paris")));
    List<Object> inner = new ArrayList<>(List.of(Instant.EPOCH, Instant.ofEpochSecond(7, 8)));
    return new ArrayList<>(
        Arrays.asList(
            1,
            "text",
            "längerer Text mit Umlauten",
            new BigDecimal("123456789012345678901234567890.5"),
            BigInteger.TWO.pow(99),
            new UUID(1, 2),
            Locale.CANADA_FRENCH,
            Optional.of(inner),
            inner,
            map,
            new int[] {1, 2, 3},
            new boolean[] {true},
            new double[] {1.5},
            new String[] {"a", null},
            new Object[] {1, "x", List.of(1, 2)},
            java.util.EnumSet.of(java.time.DayOfWeek.MONDAY),
            new java.util.BitSet(),
            java.util.regex.Pattern.compile("a*"),
            new java.util.PriorityQueue<>(List.of(3, 2, 1)),
            new java.sql.Timestamp(5)));
  }

  @Test
  void refusesEveryTruncation() {
    byte[] bytes = write(List.class, everything());
    Codec codec = codec(List.class);

    for (int length = 0; length < bytes.length; length++) {
      StateInput in = new StateInput().reset(bytes, 0, length, 0);
      assertThatThrownBy(() -> codec.read(in))
          .as("the first %d bytes", length)
          .isInstanceOf(MalformedValueException.class);
      assertThat(in.position()).isZero();
    }
  }

  @Test
  void survivesFlippedBits() {
    byte[] sound = write(List.class, everything());
    byte[] before = sound.clone();
    Codec codec = codec(List.class);
    Random random = new Random(20260301);
    int values = 0;

    for (int i = 0; i < FLIPS; i++) {
      byte[] bytes = sound.clone();
      int flips = 1 + random.nextInt(3);
      for (int j = 0; j < flips; j++) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      long allocated = allocated();
      try {
        assertThat(codec.read(new StateInput(bytes)))
            .as("JSON text, or null when the first byte says so")
            .satisfiesAnyOf(
                v -> assertThat(v).isInstanceOf(String.class), v -> assertThat(bytes[0]).isZero());
        values++;
      } catch (MalformedValueException e) {
        assertThat(e.offset()).isBetween(0L, (long) bytes.length);
      } catch (StateSqlException e) {
        assertThat(e).hasMessageContaining(" ");
      }
      assertThat(allocated() - allocated).isLessThan(8 * MEGABYTE);
    }

    assertThat(values).as("flips that make another sound value").isBetween(1, FLIPS - 1);
    assertThat(codec.read(new StateInput(sound))).as("after all errors").isInstanceOf(String.class);
    assertThat(sound).as("reading changes no bytes").isEqualTo(before);
  }

  @Test
  void survivesRandomBytes() {
    Codec codec = codec(Object.class);
    Random random = new Random(7);
    int errors = 0;

    for (int i = 0; i < FLIPS; i++) {
      byte[] bytes = new byte[1 + random.nextInt(40)];
      random.nextBytes(bytes);
      // Lead to a class: one of Kryo's, or of the registrar's.
      bytes[0] = (byte) (random.nextBoolean() ? 2 + random.nextInt(9) : 75 + random.nextInt(12));
      try {
        codec.read(new StateInput(bytes));
      } catch (MalformedValueException | StateSqlException e) {
        errors++;
      }
    }

    assertThat(errors).isBetween(1, FLIPS - 1);
  }

  @Test
  void refusesSizesBeforeAllocating() {
    for (Class<?> type :
        List.of(
            ArrayList.class,
            HashMap.class,
            TreeMap.class,
            java.util.HashSet.class,
            java.util.PriorityQueue.class,
            java.util.BitSet.class,
            boolean[].class,
            byte[].class,
            char[].class,
            int[].class,
            long[].class,
            double[].class,
            String[].class,
            Object[].class,
            BigInteger.class,
            BigDecimal.class)) {
      for (int size : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 1 << 30, -1, 1 << 20}) {
        for (boolean flag : new boolean[] {false, true}) {
          refuses(type, size, flag);
        }
      }
    }
    refuses(String.class, Integer.MAX_VALUE, true);
    refuses(StringBuilder.class, 1 << 30, true);
  }

  private static void refuses(Class<?> type, int size, boolean flag) {
    Output out = objectOf(type.getName());
    boolean flagged =
        java.util.Collection.class.isAssignableFrom(type)
            || CharSequence.class.isAssignableFrom(type);
    if (flagged) {
      out.writeVarIntFlag(flag, size, true);
    } else {
      out.writeVarInt(size, true);
    }
    out.writeBytes(new byte[] {4, 4, 0, 2, 2, 2, 2, 2});
    Codec codec = codec(Object.class);
    byte[] bytes = out.toBytes();
    catchError(codec, write(Object.class, 1));

    long before = allocated();
    RuntimeException error = catchError(codec, bytes);

    assertThat(allocated() - before).as("%s of %d", type, size).isLessThan(MEGABYTE);
    assertThat(error)
        .as("%s of %d, flag %s", type, size, flag)
        .isInstanceOf(MalformedValueException.class);
  }

  /** The begin of an object whose class is spelt out and that is met for the first time. */
  private static Output objectOf(String className) {
    Output out = new Output(64, -1);
    out.writeVarInt(1, true);
    out.writeVarInt(0, true);
    out.writeString(className);
    out.writeByte(1);
    return out;
  }

  @Test
  void refusesMoreNullsThanTextCanShow() {
    Output out = objectOf("java.util.ArrayList");
    out.writeVarIntFlag(true, Integer.MAX_VALUE, true);
    out.writeByte(0);
    StateInput skipped = new StateInput(out.toBytes());
    long before = allocated();

    codec(Object.class).skip(skipped);
    RuntimeException error = catchError(codec(Object.class), out.toBytes());

    assertThat(allocated() - before).isLessThan(MEGABYTE);
    skipped.requireEnd();
    assertThat(error).isInstanceOf(StateSqlException.class).hasMessageContaining("longer than");
  }

  private static RuntimeException catchError(Codec codec, byte[] bytes) {
    try {
      codec.read(new StateInput(bytes));
      return null;
    } catch (MalformedValueException | StateSqlException e) {
      return e;
    }
  }

  @Test
  void refusesDeepNesting() {
    Output out = new Output(64, -1);
    for (int i = 0; i < 1_000_000; i++) {
      out.writeByte(1);
      out.writeVarInt(0, true);
      if (i == 0) {
        out.writeString("java.util.Optional");
      }
      out.writeByte(1);
    }

    assertThatThrownBy(() -> codec(Object.class).read(new StateInput(out.toBytes())))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("depth");
  }

  @Test
  void readsSoundNesting() {
    List<Object> nested = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      nested = new ArrayList<>(Arrays.asList(nested, i));
    }

    assertThat((String) KryoTestData.roundTrip(List.class, nested)).startsWith("[[[").endsWith("]");
  }

  @Test
  void refusesAListThatHoldsItself() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    byte[] bytes = write(Object.class, list);
    StateInput skipped = new StateInput(bytes);

    codec(Object.class).skip(skipped);

    skipped.requireEnd();
    assertThatThrownBy(() -> codec(Object.class).read(new StateInput(bytes)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("contains itself");
  }

  @Test
  void refusesTextThatReferencesMultiply() {
    List<Object> list = new ArrayList<>(List.of(1));
    for (int i = 0; i < 60; i++) {
      list = new ArrayList<>(Arrays.asList(list, list));
    }
    byte[] bytes = write(Object.class, list);

    assertThatThrownBy(() -> codec(Object.class).read(new StateInput(bytes)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("longer than");
  }

  @Test
  void refusesReferencesToNothing() {
    assertThatThrownBy(() -> codec(Object.class).read(new StateInput(new byte[] {3, 9})))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("reference");
  }

  @Test
  void refusesAnotherClassThanTheDeclaredOne() {
    assertThatThrownBy(
            () -> codec(LocalDate.class).read(new StateInput(write(Object.class, "text"))))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("java.lang.String")
        .hasMessageContaining("java.time.LocalDate");
  }

  @Test
  void loadsNoClassByName() {
    for (String name :
        List.of(Trap.class.getName(), "[L" + Trap.class.getName() + ";", "java.lang.Class")) {
      Output out = objectOf(name);
      assertThatThrownBy(() -> codec(Object.class).read(new StateInput(out.toBytes())))
          .isInstanceOf(StateSqlException.class)
          .hasMessageContaining(name);
    }
    assertThat(initialized).as("the class was initialized").isFalse();
  }

  @Test
  void readsInManyThreadsAtOnce() {
    byte[] bytes = write(List.class, everything());
    Codec codec = codec(List.class);
    Object expected = codec.read(new StateInput(bytes));

    boolean same =
        IntStream.range(0, 2_000)
            .parallel()
            .allMatch(i -> expected.equals(codec.read(new StateInput(bytes))));

    assertThat(same).isTrue();
  }

  @Test
  void readsRandomValues() {
    Random random = new Random(42);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder json = new StringBuilder();
      Object value = randomValue(random, 4, json);
      assertThat(KryoTestData.roundTrip(Object.class, value)).isEqualTo(json.toString());
    }
  }

  /** A value, and the JSON text that is expected of it. */
  private static Object randomValue(Random random, int depth, StringBuilder json) {
    return switch (random.nextInt(depth == 0 ? 6 : 9)) {
      case 0 -> shown(random.nextInt() >> random.nextInt(32), json, "");
      case 1 -> shown(random.nextLong() >> random.nextInt(64), json, "");
      case 2 -> shown(randomText(random), json, "\"");
      case 3 -> shown(LocalDate.ofEpochDay(random.nextInt(4_000_000) - 1_000_000), json, "\"");
      case 4 ->
          shown(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)), json, "\"");
      case 5 ->
          shown(new BigDecimal(new BigInteger(200, random), random.nextInt(40) - 20), json, "");
      case 6 -> randomList(random, depth, json);
      case 7 -> randomMap(random, depth, json);
      default -> Optional.of(randomValue(random, depth - 1, json));
    };
  }

  private static Object shown(Object value, StringBuilder json, String quote) {
    json.append(quote).append(value).append(quote);
    return value;
  }

  private static Object randomList(Random random, int depth, StringBuilder json) {
    List<Object> list = new ArrayList<>();
    json.append('[');
    for (int i = random.nextInt(5); i > 0; i--) {
      list.add(randomValue(random, depth - 1, json));
      json.append(i == 1 ? "" : ",");
    }
    json.append(']');
    return random.nextBoolean() ? list : List.copyOf(list);
  }

  private static Object randomMap(Random random, int depth, StringBuilder json) {
    Map<Object, Object> map = new java.util.LinkedHashMap<>();
    json.append('{');
    for (int i = random.nextInt(4); i > 0; i--) {
      String key = i + randomText(random);
      json.append('"').append(key).append("\":");
      map.put(key, randomValue(random, depth - 1, json));
      json.append(i == 1 ? "" : ",");
    }
    json.append('}');
    return map;
  }

  private static String randomText(Random random) {
    return random
        .ints(random.nextInt(50), 0, random.nextBoolean() ? 26 : 400)
        .map(c -> 'a' + c)
        .filter(c -> c < 0x7F || c > 0xA0)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static long allocated() {
    return ManagementFactory.getPlatformMXBean(ThreadMXBean.class)
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
