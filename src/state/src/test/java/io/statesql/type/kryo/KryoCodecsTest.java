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

import static io.statesql.type.kryo.KryoTestData.registrations;
import static io.statesql.type.kryo.KryoTestData.roundTrip;
import static io.statesql.type.kryo.KryoTestData.unspecified;
import static io.statesql.type.kryo.KryoTestData.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.serializer.KryoVersion;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.java.typeutils.runtime.kryo.JavaSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

// Legacy classes are what states hold.
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "UnnecessaryStringBuilder"})
class KryoCodecsTest {

  static Stream<Arguments> scalars() {
    UUID uuid = new UUID(0x0123456789abcdefL, -2);
    return Stream.of(
        Arguments.of(Boolean.class, true, true),
        Arguments.of(Byte.class, (byte) -7, (byte) -7),
        Arguments.of(Short.class, Short.MIN_VALUE, Short.MIN_VALUE),
        Arguments.of(Integer.class, Integer.MIN_VALUE, Integer.MIN_VALUE),
        Arguments.of(Long.class, Long.MIN_VALUE, Long.MIN_VALUE),
        Arguments.of(Float.class, -0.0f, -0.0f),
        Arguments.of(Double.class, Double.NaN, Double.NaN),
        Arguments.of(Character.class, 'ß', "ß"),
        Arguments.of(String.class, "", ""),
        Arguments.of(String.class, "a", "a"),
        Arguments.of(String.class, "plain ASCII", "plain ASCII"),
        Arguments.of(String.class, "x".repeat(500), "x".repeat(500)),
        Arguments.of(String.class, "日本 😀 ß\u0000\ud800", "日本 😀 ß\u0000\ud800"),
        Arguments.of(StringBuilder.class, new StringBuilder("built"), "built"),
        Arguments.of(StringBuffer.class, new StringBuffer("büffer"), "büffer"),
        Arguments.of(BigInteger.class, new BigInteger("-9".repeat(1) + "1".repeat(60)), null),
        Arguments.of(BigInteger.class, BigInteger.ZERO, BigDecimal.ZERO),
        Arguments.of(BigDecimal.class, new BigDecimal("1.00"), new BigDecimal("1.00")),
        Arguments.of(BigDecimal.class, new BigDecimal("-1E+50"), new BigDecimal("-1E+50")),
        Arguments.of(BigDecimal.class, new BigDecimal("7".repeat(40) + ".5"), null),
        Arguments.of(BigDecimal.class, BigDecimal.ONE, BigDecimal.ONE),
        Arguments.of(byte[].class, new byte[] {1, 2, -1}, Binary.of(new byte[] {1, 2, -1})),
        Arguments.of(UUID.class, uuid, uuid.toString()),
        Arguments.of(java.net.URI.class, java.net.URI.create("a:b?c#d"), "a:b?c#d"),
        Arguments.of(Locale.class, Locale.GERMANY, "de_DE"),
        Arguments.of(Locale.class, new Locale("en", "US", "POSIX"), "en_US_POSIX"),
        Arguments.of(Locale.class, Locale.ROOT, ""),
        Arguments.of(java.util.Currency.class, java.util.Currency.getInstance("EUR"), "EUR"),
        Arguments.of(
            java.nio.charset.Charset.class, java.nio.charset.StandardCharsets.UTF_8, "UTF-8"),
        Arguments.of(
            java.util.TimeZone.class,
            java.util.TimeZone.getTimeZone("Europe/Paris"),
            "Europe/Paris"),
        Arguments.of(
            java.util.regex.Pattern.class, java.util.regex.Pattern.compile("a+(b)"), "a+(b)"),
        Arguments.of(
            java.util.regex.Pattern.class,
            java.util.regex.Pattern.compile("a", 10),
            "(?flags=10)a"),
        Arguments.of(
            java.net.InetSocketAddress.class,
            java.net.InetSocketAddress.createUnresolved("db.example", 5432),
            "db.example:5432"),
        Arguments.of(DayOfWeek.class, DayOfWeek.SUNDAY, "SUNDAY"),
        Arguments.of(
            java.util.concurrent.TimeUnit.class, java.util.concurrent.TimeUnit.DAYS, "DAYS"));
  }

  static Stream<Arguments> times() throws Exception {
    LocalDateTime local = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_999);
    ZonedDateTime zoned = ZonedDateTime.of(local, ZoneId.of("Europe/Paris"));
    OffsetDateTime offset = local.atOffset(ZoneOffset.ofHoursMinutesSeconds(1, 2, 3));
    return Stream.of(
        Arguments.of(LocalDate.class, LocalDate.of(1, 1, 1), -719_162),
        Arguments.of(LocalDate.class, LocalDate.of(9999, 12, 31), 2_932_896),
        Arguments.of(LocalTime.class, LocalTime.MIDNIGHT, row(0, 0)),
        Arguments.of(LocalTime.class, LocalTime.of(5, 0), row(18_000_000, 0)),
        Arguments.of(LocalTime.class, LocalTime.of(0, 7), row(420_000, 0)),
        Arguments.of(LocalTime.class, LocalTime.of(0, 0, 9), row(9_000, 0)),
        Arguments.of(LocalTime.class, LocalTime.MAX, row(86_399_999, 999_999)),
        Arguments.of(LocalDateTime.class, local, row(-1L, 999_999)),
        Arguments.of(Instant.class, Instant.ofEpochSecond(-1, 1), row(-1000L, 1)),
        Arguments.of(Instant.class, Instant.ofEpochMilli(1234), row(1234L, 0)),
        Arguments.of(
            java.sql.Timestamp.class,
            java.sql.Timestamp.from(Instant.ofEpochSecond(-5, 123_456_789)),
            row(-4877L, 456_789)),
        Arguments.of(java.util.Date.class, new java.util.Date(-5), -5L),
        Arguments.of(java.util.Date.class, new java.sql.Timestamp(77), 77L),
        Arguments.of(java.sql.Date.class, new java.sql.Date(86_400_000), 86_400_000L),
        Arguments.of(java.sql.Time.class, new java.sql.Time(3_600_000), 3_600_000L),
        Arguments.of(OffsetDateTime.class, offset, offset.toString()),
        Arguments.of(ZonedDateTime.class, zoned, zoned.toString()),
        Arguments.of(
            java.time.OffsetTime.class, offset.toOffsetTime(), offset.toOffsetTime().toString()),
        Arguments.of(
            java.time.Duration.class, java.time.Duration.ofSeconds(-1, 5), "PT-0.999999995S"),
        Arguments.of(java.time.Period.class, java.time.Period.of(-1, 2, 300), "P-1Y2M300D"),
        Arguments.of(java.time.Year.class, java.time.Year.of(-44), "-44"),
        Arguments.of(java.time.YearMonth.class, java.time.YearMonth.of(2026, 2), "2026-02"),
        Arguments.of(java.time.MonthDay.class, java.time.MonthDay.of(2, 29), "--02-29"),
        Arguments.of(ZoneId.class, ZoneId.of("Asia/Tokyo"), "Asia/Tokyo"),
        Arguments.of(ZoneId.class, ZoneOffset.ofHours(-3), "-03:00"),
        Arguments.of(ZoneOffset.class, ZoneOffset.UTC, "Z"),
        Arguments.of(java.util.Calendar.class, calendar(), "1970-01-01T00:00:01Z[Asia/Tokyo]"));
  }

  private static java.util.Calendar calendar() {
    java.util.Calendar calendar =
        java.util.Calendar.getInstance(java.util.TimeZone.getTimeZone("Asia/Tokyo"), Locale.ROOT);
    calendar.setTimeInMillis(1000);
    return calendar;
  }

  static Stream<Arguments> arrays() {
    return Stream.of(
        Arguments.of(boolean[].class, new boolean[] {true, false}, List.of(true, false)),
        Arguments.of(char[].class, new char[] {'x'}, List.of("x")),
        Arguments.of(short[].class, new short[] {-1}, List.of((short) -1)),
        Arguments.of(int[].class, new int[] {1, -2, 300_000}, List.of(1, -2, 300_000)),
        Arguments.of(long[].class, new long[] {Long.MAX_VALUE}, List.of(Long.MAX_VALUE)),
        Arguments.of(float[].class, new float[] {Float.NaN}, List.of(Float.NaN)),
        Arguments.of(double[].class, new double[] {-0.0}, List.of(-0.0)),
        Arguments.of(int[].class, new int[0], List.of()),
        Arguments.of(String[].class, new String[] {"a", null, "a"}, Arrays.asList("a", null, "a")),
        Arguments.of(Integer[].class, new Integer[] {1, null}, Arrays.asList(1, null)),
        Arguments.of(
            LocalDate[].class, new LocalDate[] {LocalDate.EPOCH, null}, Arrays.asList(0, null)),
        Arguments.of(
            DayOfWeek[].class,
            new DayOfWeek[] {DayOfWeek.MONDAY, null},
            Arrays.asList("MONDAY", null)),
        Arguments.of(
            BigDecimal[].class,
            new BigDecimal[] {BigDecimal.TEN, null},
            Arrays.asList(BigDecimal.TEN, null)));
  }

  static Stream<Arguments> json() {
    LocalDate day = LocalDate.of(2026, 3, 1);
    Map<String, Object> nested = new LinkedHashMap<>();
    nested.put("a", 1);
    nested.put("b", new ArrayList<>(Arrays.asList(1.5, Double.NaN, null, -0.0f)));
    nested.put("c", new TreeMap<>(Map.of(2, "zwei", 1, "eins")));
    Map<Object, Object> clash = new LinkedHashMap<>();
    clash.put(1, "number");
    clash.put("1", "text");
    Map<Object, Object> composite = new HashMap<>();
    composite.put(null, List.of(1));
    List<Object> shared = new ArrayList<>(List.of(day, day, List.of(day)));
    shared.add(shared.get(2));
    return Stream.of(
        Arguments.of(List.class, new ArrayList<>(List.of(1, 2, 3)), "[1,2,3]"),
        Arguments.of(List.class, new ArrayList<>(), "[]"),
        Arguments.of(List.class, new ArrayList<>(Arrays.asList(1, null)), "[1,null]"),
        Arguments.of(List.class, new ArrayList<>(Arrays.asList(1, "x", null)), "[1,\"x\",null]"),
        Arguments.of(List.class, new ArrayList<>(Collections.nCopies(3, null)), "[null,null,null]"),
        Arguments.of(
            List.class,
            shared,
            "[\"2026-03-01\",\"2026-03-01\",[\"2026-03-01\"],[\"2026-03-01\"]]"),
        Arguments.of(List.class, List.of(), "[]"),
        Arguments.of(List.class, List.of(1), "[1]"),
        Arguments.of(List.class, List.of(1, "2", 3L), "[1,\"2\",3]"),
        Arguments.of(List.class, List.of("a", "b", "c").subList(1, 3), "[\"b\",\"c\"]"),
        Arguments.of(List.class, Arrays.asList("a", null), "[\"a\",null]"),
        Arguments.of(List.class, Collections.emptyList(), "[]"),
        Arguments.of(List.class, Collections.singletonList(null), "[null]"),
        Arguments.of(
            List.class, Collections.unmodifiableList(new ArrayList<>(List.of(1, 2))), "[1,2]"),
        Arguments.of(
            List.class, Collections.synchronizedList(new ArrayList<>(List.of(1, 2))), "[1,2]"),
        Arguments.of(java.util.Collection.class, new HashMap<>(Map.of(1, 2)).keySet(), "[1]"),
        Arguments.of(Set.class, Set.of(7), "[7]"),
        Arguments.of(Set.class, Collections.singleton("s"), "[\"s\"]"),
        Arguments.of(Set.class, Collections.emptySet(), "[]"),
        Arguments.of(
            Set.class, EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), "[\"MONDAY\",\"FRIDAY\"]"),
        Arguments.of(EnumSet.class, EnumSet.of(DayOfWeek.MONDAY), "[\"MONDAY\"]"),
        Arguments.of(EnumSet.class, EnumSet.noneOf(DayOfWeek.class), "[]"),
        Arguments.of(TreeSet.class, new TreeSet<>(List.of("b", "a")), "[\"a\",\"b\"]"),
        Arguments.of(TreeSet.class, descending(), "[3,2,1]"),
        Arguments.of(TreeSet.class, caseless(), "[\"a\",\"B\"]"),
        Arguments.of(
            java.util.PriorityQueue.class, new java.util.PriorityQueue<>(List.of(3, 1)), "[1,3]"),
        Arguments.of(java.util.Deque.class, new java.util.ArrayDeque<>(List.of(1L)), "[1]"),
        Arguments.of(
            Map.class,
            nested,
            "{\"a\":1,\"b\":[1.5,\"NaN\",null,-0.0],\"c\":{\"1\":\"eins\",\"2\":\"zwei\"}}"),
        Arguments.of(
            Map.class,
            clash,
            "[{\"key\":1,\"value\":\"number\"},{\"key\":\"1\",\"value\":\"text\"}]"),
        Arguments.of(Map.class, composite, "[{\"key\":null,\"value\":[1]}]"),
        Arguments.of(Map.class, new HashMap<>(), "{}"),
        Arguments.of(Map.class, Map.of(), "{}"),
        Arguments.of(Map.class, Map.of("k", day), "{\"k\":\"2026-03-01\"}"),
        Arguments.of(
            Map.class,
            new TreeMap<>(Map.of(1, Map.of(2, 3), 4, Map.of(5, 6))),
            "{\"1\":{\"2\":3},\"4\":{\"5\":6}}"),
        Arguments.of(Map.class, Collections.emptyMap(), "{}"),
        Arguments.of(Map.class, Collections.singletonMap("k", null), "{\"k\":null}"),
        Arguments.of(
            Map.class, Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))), "{\"1\":2}"),
        Arguments.of(
            Map.class, new java.util.EnumMap<>(Map.of(DayOfWeek.MONDAY, 1)), "{\"MONDAY\":1}"),
        Arguments.of(
            java.util.concurrent.ConcurrentMap.class,
            new java.util.concurrent.ConcurrentHashMap<>(Map.of(day, day)),
            "{\"2026-03-01\":\"2026-03-01\"}"),
        Arguments.of(
            java.util.concurrent.ConcurrentSkipListMap.class,
            new java.util.concurrent.ConcurrentSkipListMap<>(Map.of(1, 2)),
            "{\"1\":2}"),
        Arguments.of(Optional.class, Optional.of(day), "\"2026-03-01\""),
        Arguments.of(Optional.class, Optional.empty(), "null"),
        Arguments.of(java.util.OptionalInt.class, java.util.OptionalInt.of(-3), "-3"),
        Arguments.of(java.util.OptionalLong.class, java.util.OptionalLong.of(-3), "-3"),
        Arguments.of(java.util.OptionalDouble.class, java.util.OptionalDouble.empty(), "null"),
        Arguments.of(
            java.util.BitSet.class, java.util.BitSet.valueOf(new long[] {5, 1}), "[0,2,64]"),
        Arguments.of(Object.class, day, "\"2026-03-01\""),
        Arguments.of(Object.class, new byte[] {1, 2, 3}, "\"AQID\""),
        Arguments.of(Object.class, new java.sql.Date(0), "\"1970-01-01T00:00:00Z\""),
        Arguments.of(Number.class, new BigDecimal("1E+3"), "1E+3"),
        Arguments.of(Object[].class, new Object[] {1, "x", null}, "[1,\"x\",null]"),
        Arguments.of(Number[].class, new Number[] {1, 2.5}, "[1,2.5]"),
        Arguments.of(int[][].class, new int[][] {{1}, {}, null}, "[[1],[],null]"),
        Arguments.of(String[][].class, new String[][] {{"a", null}}, "[[\"a\",null]]"),
        Arguments.of(Object.class, new List<?>[] {List.of(1)}, "[[1]]"));
  }

  private static Set<Integer> descending() {
    TreeSet<Integer> set = new TreeSet<>(Collections.reverseOrder());
    set.addAll(List.of(1, 2, 3));
    return set;
  }

  private static Set<String> caseless() {
    TreeSet<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(List.of("B", "a"));
    return set;
  }

  private static Object[] row(Object... fields) {
    return fields;
  }

  @ParameterizedTest
  @MethodSource({"scalars", "times", "arrays"})
  void readsValuesByTheirDeclaredClass(Class<?> declared, Object value, Object expected) {
    Object wanted = expected != null ? expected : new BigDecimal(value.toString());

    assertThat(roundTrip(declared, value)).isEqualTo(wanted);
    assertThat(roundTrip(declared, null)).isNull();
  }

  @ParameterizedTest
  @MethodSource("json")
  void readsContentThatOnlyTheValueTellsAsJson(Class<?> declared, Object value, String expected) {
    assertThat(KryoTestData.codec(declared).type()).isEqualTo(SqlType.Scalar.VARCHAR);
    assertThat(roundTrip(declared, value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource({"scalars", "times", "arrays", "json"})
  void readsEveryValueWithinACollection(Class<?> declared, Object value) {
    List<Object> twice = new ArrayList<>(Arrays.asList(value, value, null));
    List<Object> mixed = new ArrayList<>(Arrays.asList(value, 1, twice, value));

    Object alone = roundTrip(Object.class, value);

    assertThat(roundTrip(List.class, twice)).isEqualTo("[" + alone + "," + alone + ",null]");
    assertThat(roundTrip(ArrayList.class, mixed))
        .isEqualTo("[" + alone + ",1,[" + alone + "," + alone + ",null]," + alone + "]");
    assertThat(roundTrip(Optional.class, Optional.of(value))).isEqualTo(alone);
  }

  @Test
  void followsTheIdentifiersOfRegisteredClasses() {
    Class<?>[] registered = {UUID.class, Instant.class, Custom.class, LocalDate.class};
    List<Object> value = new ArrayList<>(List.of(new UUID(1, 2), Instant.EPOCH, LocalDate.EPOCH));

    assertThat(roundTrip(ArrayList.class, value, registered))
        .isEqualTo(
            "[\"00000000-0000-0001-0000-000000000002\",\"1970-01-01T00:00:00Z\",\"1970-01-01\"]");
  }

  @Test
  void numbersClassesAsFlinkDoes() {
    assertThat(write(LocalDate.class, LocalDate.of(2026, 3, 1)))
        .as("class 85, new object, year, month, day")
        .isEqualTo(new byte[] {87, 1, (byte) 0xEA, 0x0F, 3, 1});
  }

  @Test
  void namesTheJobsClassWithinAGeneralValue() {
    List<Object> value = new ArrayList<>(List.of(LocalDate.EPOCH, new Custom()));

    for (Class<?>[] registered : new Class<?>[][] {{}, {Custom.class}}) {
      Codec codec = KryoTestData.codec(List.class, registered);
      assertThatThrownBy(() -> codec.read(new StateInput(write(List.class, value, registered))))
          .isInstanceOf(StateSqlException.class)
          .hasMessageContaining(Custom.class.getName())
          .extracting(e -> ((StateSqlException) e).code())
          .isEqualTo(ErrorCode.UNDECODABLE_STATE);
    }
  }

  @Test
  void leavesDataOfTheJobsClassesOpaque() {
    Codec codec = KryoTestData.codec(Custom.class);
    StateInput in = new StateInput(new byte[] {1, 2, 3});

    assertThat(codec.type())
        .isInstanceOfSatisfying(
            SqlType.Opaque.class, t -> assertThat(t.reason()).contains(Custom.class.getName()));
    assertThat(codec.isDelimited()).isFalse();
    assertThat(codec.declaredLength()).isEqualTo(-1);
    assertThat(codec.read(in)).isEqualTo(Binary.of(new byte[] {1, 2, 3}));
    in.requireEnd();
  }

  @Test
  void leavesDataOfTheJobsSerializersOpaque() {
    List<KryoRegistration> registrations =
        List.of(
            new KryoRegistration(
                "java.time.LocalDate", KryoRegistration.Kind.CLASS, "com.shop.DateSerializer"));

    assertThat(KryoTestData.codec("java.time.LocalDate", registrations).type())
        .isInstanceOfSatisfying(
            SqlType.Opaque.class, t -> assertThat(t.reason()).contains("com.shop.DateSerializer"));
  }

  @Test
  void refusesContentOfTheJobsSerializers() {
    SerializerConfigImpl config = new SerializerConfigImpl();
    config.registerTypeWithKryoSerializer(LocalDate.class, JavaSerializer.class);
    byte[] bytes = write(List.class, new ArrayList<>(List.of(LocalDate.EPOCH)), config);
    List<KryoRegistration> registrations =
        List.of(
            unspecified("java.util.List"),
            new KryoRegistration(
                "java.time.LocalDate",
                KryoRegistration.Kind.CLASS,
                JavaSerializer.class.getName()));
    Codec codec = KryoTestData.codec("java.util.List", registrations);

    assertThatThrownBy(() -> codec.read(new StateInput(bytes)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("java.time.LocalDate")
        .hasMessageContaining("serializer of its own");
  }

  @Test
  void defaultSerializersOfTheJobHoldForSubclasses() {
    Set<String> defaults = Set.of("java.time.temporal.Temporal", "com.shop.Message");
    List<KryoRegistration> none = List.of();

    assertThat(
            KryoCodecs.of("java.time.LocalDate", none, defaults, KryoVersion.KRYO_5).codec().type())
        .isInstanceOf(SqlType.Opaque.class);
    assertThat(
            KryoCodecs.of("java.time.Duration", none, defaults, KryoVersion.KRYO_5).codec().type())
        .isEqualTo(SqlType.Scalar.VARCHAR);
    assertThat(
            KryoCodecs.of(
                    "[Ljava.time.LocalDate;",
                    none,
                    Set.of("[Ljava.lang.Object;"),
                    KryoVersion.KRYO_5)
                .codec()
                .type())
        .isInstanceOf(SqlType.Opaque.class);
  }

  @Test
  void refusesTimesThatSqlCannotHold() {
    overflows(LocalDate.class, LocalDate.MAX);
    overflows(LocalDate.class, LocalDate.MIN);
    overflows(LocalDateTime.class, LocalDateTime.MAX);
    overflows(Instant.class, Instant.MAX);
    overflows(Instant.class, Instant.MIN);
    overflows(LocalDateTime.class, LocalDateTime.MIN);
    overflows(java.util.Date.class, java.sql.Timestamp.from(Instant.ofEpochSecond(0, 1)));
  }

  @Test
  void showsTimesOfAnyYear() {
    LocalDate late = LocalDate.of(10_000, 1, 1);
    LocalDate early = LocalDate.of(-44, 3, 15);
    assertThat(roundTrip(LocalDate.class, late)).isEqualTo((int) late.toEpochDay());
    assertThat(roundTrip(LocalDate.class, early)).isEqualTo((int) early.toEpochDay());
    assertThat(roundTrip(java.util.Date.class, new java.util.Date(Long.MAX_VALUE)))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(
            (Object[]) roundTrip(Instant.class, Instant.parse("-0044-03-15T00:00:00.000000001Z")))
        .containsExactly(early.toEpochDay() * 86_400_000L, 1);
  }

  private static void overflows(Class<?> declared, Object value) {
    Codec codec = KryoTestData.codec(declared);
    StateInput skipped = new StateInput(write(declared, value));

    codec.skip(skipped);

    skipped.requireEnd();
    assertThatThrownBy(() -> codec.read(new StateInput(write(declared, value))))
        .isInstanceOf(StateSqlException.class)
        .extracting(e -> ((StateSqlException) e).code())
        .isEqualTo(ErrorCode.DATETIME_OVERFLOW);
  }

  /** A class of the job. */
  static final class Custom {
    int number = 7;
  }
}
