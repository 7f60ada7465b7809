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
package io.statesql.kryo2;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.Timestamp;
import java.time.DayOfWeek;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Prints what Flink's KryoSerializer writes of values: the declared class, the bytes in hex, and the
 * text by which the value must show.
 */
public final class KryoValues {
  private KryoValues() {}

  public static void main(String[] args) throws IOException {
    numbersAndTexts();
    arrays();
    times();
    others();
    containers();
    declared();
  }

  /** As an object of any class, which shows as JSON. */
  private static void any(Object value, String json) throws IOException {
    print(Object.class, value, json);
  }

  private static void print(Class<?> declared, Object value, String text) throws IOException {
    @SuppressWarnings("unchecked")
    KryoSerializer<Object> serializer =
        new KryoSerializer<>((Class<Object>) declared, new SerializerConfigImpl());
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    System.out.println(
        declared.getName()
            + "\t"
            + HexFormat.of().formatHex(out.getCopyOfBuffer())
            + "\t"
            + text);
  }

  private static void numbersAndTexts() throws IOException {
    any(null, "null");
    any(true, "true");
    any((byte) -3, "-3");
    any((short) 258, "258");
    any(-70000, "-70000");
    any(1L << 40, "1099511627776");
    any(1.5f, "1.5");
    any(-0.1, "-0.1");
    any('ü', "\"ü\"");
    any("", "\"\"");
    any("x", "\"x\"");
    any("plain", "\"plain\"");
    any("Zoë 😀", "\"Zoë 😀\"");
    any("x".repeat(63), "\"" + "x".repeat(63) + "\"");
    any("x".repeat(200), "\"" + "x".repeat(200) + "\"");
    any(new StringBuilder("ab"), "\"ab\"");
    any(new StringBuffer("ab"), "\"ab\"");
    any(new BigDecimal("-12.50"), "-12.50");
    any(new BigInteger("123456789012345678901"), "123456789012345678901");
  }

  private static void arrays() throws IOException {
    any(new byte[] {1, 2}, "\"AQI=\"");
    any(new int[] {1, -2, 1 << 30}, "[1,-2,1073741824]");
    any(new long[] {1, Long.MIN_VALUE}, "[1,-9223372036854775808]");
    any(new short[] {1, -2}, "[1,-2]");
    any(new float[] {1, -2.5f}, "[1.0,-2.5]");
    any(new double[] {1, -2.5}, "[1.0,-2.5]");
    any(new boolean[] {true, false}, "[true,false]");
    any(new char[] {'a', 'ü'}, "[\"a\",\"ü\"]");
    any(new String[] {"a", null, "a"}, "[\"a\",null,\"a\"]");
    any(new Integer[] {1, null}, "[1,null]");
    any(new Object[] {"a", null, 1, List.of(2)}, "[\"a\",null,1,[2]]");
    any(new int[][] {{1}, {2, 3}}, "[[1],[2,3]]");
    any(
        new LocalDate[] {LocalDate.of(2026, 3, 1), null, LocalDate.of(-44, 3, 15)},
        "[\"2026-03-01\",null,\"-0044-03-15\"]");
  }

  private static void times() throws IOException {
    LocalDateTime time = LocalDateTime.of(2026, 3, 1, 1, 2, 3, 4);
    ZoneOffset offset = ZoneOffset.ofHours(2);
    any(time.toLocalDate(), "\"2026-03-01\"");
    any(time.toLocalTime(), "\"01:02:03.000000004\"");
    any(time, "\"2026-03-01T01:02:03.000000004\"");
    any(Instant.ofEpochSecond(-5, 6), "\"1969-12-31T23:59:55.000000006Z\"");
    any(Duration.ofMillis(-1500), "\"PT-1.5S\"");
    any(Period.of(1, -2, 3), "\"P1Y-2M3D\"");
    any(Year.of(2026), "\"2026\"");
    any(YearMonth.of(2026, 3), "\"2026-03\"");
    any(MonthDay.of(3, 1), "\"--03-01\"");
    any(offset, "\"+02:00\"");
    any(ZoneId.of("Europe/Paris"), "\"Europe/Paris\"");
    any(OffsetTime.of(time.toLocalTime(), offset), "\"01:02:03.000000004+02:00\"");
    any(OffsetDateTime.of(time, offset), "\"2026-03-01T01:02:03.000000004+02:00\"");
    any(
        ZonedDateTime.of(time, ZoneId.of("Europe/Paris")),
        "\"2026-03-01T01:02:03.000000004+01:00[Europe/Paris]\"");
    any(ZonedDateTime.of(time, offset), "\"2026-03-01T01:02:03.000000004+02:00\"");
    Timestamp timestamp = new Timestamp(-1500);
    timestamp.setNanos(123_456_789);
    any(timestamp, "\"1969-12-31T23:59:58.123456789Z\"");
    any(new Date(-1500), "\"1969-12-31T23:59:58.500Z\"");
    any(new java.sql.Date(86_400_000), "\"1970-01-02T00:00:00Z\"");
    any(new java.sql.Time(1500), "\"1970-01-01T00:00:01.500Z\"");
    GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone("Europe/Paris"));
    calendar.setTimeInMillis(1500);
    any(calendar, "\"1970-01-01T00:00:01.500Z[Europe/Paris]\"");
    any(TimeZone.getTimeZone("Europe/Paris"), "\"Europe/Paris\"");
  }

  private static void others() throws IOException {
    any(Optional.of("x"), "\"x\"");
    any(Optional.of(Optional.of(List.of(1))), "[1]");
    any(Optional.empty(), "null");
    any(OptionalInt.of(-3), "-3");
    any(OptionalInt.empty(), "null");
    any(OptionalLong.of(1L << 40), "1099511627776");
    any(OptionalDouble.of(2.5), "2.5");
    any(new UUID(1, -2), "\"00000000-0000-0001-ffff-fffffffffffe\"");
    BitSet bits = new BitSet();
    bits.set(1);
    bits.set(70);
    any(bits, "[1,70]");
    any(Pattern.compile("a.b", Pattern.CASE_INSENSITIVE), "\"a.b\"");
    any(URI.create("http://x/y"), "\"http://x/y\"");
    any(Currency.getInstance("EUR"), "\"EUR\"");
    any(InetSocketAddress.createUnresolved("h", 8080), "\"h:8080\"");
    any(DayOfWeek.MONDAY, "\"MONDAY\"");
  }

  private static void containers() throws IOException {
    List<Integer> list = List.of(1, 2, 3);
    for (Collection<Integer> collection :
        List.<Collection<Integer>>of(
            list,
            new ArrayList<>(list),
            new LinkedList<>(list),
            new ArrayDeque<>(list),
            new TreeSet<>(list),
            new ConcurrentSkipListSet<>(list),
            new PriorityQueue<>(list),
            Arrays.asList(1, 2, 3),
            Collections.unmodifiableList(new ArrayList<>(list)))) {
      any(collection, "[1,2,3]");
    }
    any(new ArrayList<>(), "[]");
    any(Arrays.asList("a", null, "a"), "[\"a\",null,\"a\"]");
    any(Arrays.asList(1, "x", LocalDate.EPOCH), "[1,\"x\",\"1970-01-01\"]");
    any(Arrays.asList(LocalDate.EPOCH, LocalDate.EPOCH), "[\"1970-01-01\",\"1970-01-01\"]");
    any(Collections.emptyList(), "[]");
    any(Collections.singletonList("a"), "[\"a\"]");
    any(Collections.singleton("a"), "[\"a\"]");
    any(Collections.nCopies(2, "a"), "[\"a\",\"a\"]");
    any(EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), "[\"MONDAY\",\"FRIDAY\"]");
    TreeSet<String> backwards = new TreeSet<>(Comparator.reverseOrder());
    backwards.addAll(List.of("a", "b"));
    any(backwards, "[\"b\",\"a\"]");
    // Objects that are there twice are references, those of enums too.
    any(
        new ArrayList<>(
            List.of(DayOfWeek.MONDAY, DayOfWeek.MONDAY, "s", "s", LocalDate.EPOCH, LocalDate.EPOCH)),
        "[\"MONDAY\",\"MONDAY\",\"s\",\"s\",\"1970-01-01\",\"1970-01-01\"]");
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("b", 2);
    map.put("a", 1);
    any(map, "{\"b\":2,\"a\":1}");
    any(new TreeMap<>(map), "{\"a\":1,\"b\":2}");
    any(new ConcurrentSkipListMap<>(map), "{\"a\":1,\"b\":2}");
    TreeMap<String, Integer> ignoringCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    ignoringCase.putAll(map);
    any(ignoringCase, "{\"a\":1,\"b\":2}");
    any(new EnumMap<>(Map.of(DayOfWeek.MONDAY, 1)), "{\"MONDAY\":1}");
    any(Map.of("a", 1), "{\"a\":1}");
    any(Collections.emptyMap(), "{}");
    any(Collections.singletonMap("a", null), "{\"a\":null}");
    any(Collections.unmodifiableMap(map), "{\"b\":2,\"a\":1}");
    any(new HashMap<>(Map.of(List.of(1), Set.of())), "[{\"key\":[1],\"value\":[]}]");
  }

  /** As columns show them that are declared as their own class or as what that implements. */
  private static void declared() throws IOException {
    print(LocalDate.class, LocalDate.of(1970, 1, 11), "10");
    print(BigDecimal.class, new BigDecimal("-12.50"), "-12.50");
    print(Duration.class, Duration.ofMinutes(3), "PT3M");
    print(UUID.class, new UUID(1, -2), "00000000-0000-0001-ffff-fffffffffffe");
    print(byte[].class, new byte[] {1, 2}, "0102");
    print(double[].class, new double[] {1.5}, "[1.5]");
    print(Map.class, new HashMap<>(Map.of("a", 1)), "{\"a\":1}");
    print(HashMap.class, new HashMap<>(Map.of("a", 1)), "{\"a\":1}");
    print(List.class, new ArrayList<>(List.of(1, 2)), "[1,2]");
    print(Collection.class, Arrays.asList("a", "b"), "[\"a\",\"b\"]");
    print(Number.class, 5L, "5");
    print(CharSequence.class, "text", "text");
  }
}
