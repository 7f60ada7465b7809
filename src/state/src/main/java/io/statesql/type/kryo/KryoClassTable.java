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

import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.OptionalSerializers;
import com.esotericsoftware.kryo.serializers.TimeSerializers;
import io.statesql.type.serializer.KryoVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The classes of objects that the data of one Kryo may hold, see {@link KryoClasses}. Most are
 * written alike by Kryo 2.24 and 5.6.
 */
final class KryoClassTable {
  private final Map<String, KryoClasses.Allowed> values = new HashMap<>();

  private final KryoVersion version;

  private KryoClassTable(KryoVersion version) {
    this.version = version;
    scalars();
    times();
    arrays();
    texts();
    enums();
    collections();
    maps();
    if (version == KryoVersion.KRYO_2) {
      Kryo2Classes.replaceIn(values);
    }
  }

  /** By their binary names. */
  static Map<String, KryoClasses.Allowed> of(KryoVersion version) {
    return Map.copyOf(new KryoClassTable(version).values);
  }

  private void add(Supplier<? extends Serializer<?>> serializer, Class<?>... types) {
    for (Class<?> type : types) {
      values.put(type.getName(), new KryoClasses.Allowed(type, serializer));
    }
  }

  private void scalars() {
    add(DefaultSerializers.IntSerializer::new, Integer.class);
    add(DefaultSerializers.StringSerializer::new, String.class);
    add(DefaultSerializers.FloatSerializer::new, Float.class);
    add(DefaultSerializers.BooleanSerializer::new, Boolean.class);
    add(DefaultSerializers.ByteSerializer::new, Byte.class);
    add(DefaultSerializers.CharSerializer::new, Character.class);
    add(DefaultSerializers.ShortSerializer::new, Short.class);
    add(DefaultSerializers.LongSerializer::new, Long.class);
    add(DefaultSerializers.DoubleSerializer::new, Double.class);
    add(DefaultSerializers.BigIntegerSerializer::new, java.math.BigInteger.class);
    add(DefaultSerializers.BigDecimalSerializer::new, java.math.BigDecimal.class);
    add(DefaultSerializers.StringBufferSerializer::new, StringBuffer.class);
    add(DefaultSerializers.StringBuilderSerializer::new, StringBuilder.class);
    add(DefaultSerializers.UUIDSerializer::new, java.util.UUID.class);
    add(DefaultSerializers.BitSetSerializer::new, java.util.BitSet.class);
    add(OptionalSerializers.OptionalSerializer::new, java.util.Optional.class);
    add(OptionalSerializers.OptionalIntSerializer::new, java.util.OptionalInt.class);
    add(OptionalSerializers.OptionalLongSerializer::new, java.util.OptionalLong.class);
    add(OptionalSerializers.OptionalDoubleSerializer::new, java.util.OptionalDouble.class);
  }

  private void times() {
    add(TimeSerializers.DurationSerializer::new, java.time.Duration.class);
    add(TimeSerializers.InstantSerializer::new, java.time.Instant.class);
    add(TimeSerializers.LocalDateSerializer::new, java.time.LocalDate.class);
    add(TimeSerializers.LocalTimeSerializer::new, java.time.LocalTime.class);
    add(TimeSerializers.LocalDateTimeSerializer::new, java.time.LocalDateTime.class);
    add(TimeSerializers.ZoneOffsetSerializer::new, java.time.ZoneOffset.class);
    add(TimeSerializers.ZoneIdSerializer::new, java.time.ZoneId.of("Europe/Paris").getClass());
    add(TimeSerializers.OffsetTimeSerializer::new, java.time.OffsetTime.class);
    add(TimeSerializers.OffsetDateTimeSerializer::new, java.time.OffsetDateTime.class);
    add(TimeSerializers.ZonedDateTimeSerializer::new, java.time.ZonedDateTime.class);
    add(TimeSerializers.YearSerializer::new, java.time.Year.class);
    add(TimeSerializers.YearMonthSerializer::new, java.time.YearMonth.class);
    add(TimeSerializers.MonthDaySerializer::new, java.time.MonthDay.class);
    add(TimeSerializers.PeriodSerializer::new, java.time.Period.class);
    add(
        DefaultSerializers.DateSerializer::new,
        java.util.Date.class,
        java.sql.Date.class,
        java.sql.Time.class);
    // Registered by FlinkChillPackageRegistrar; Kryo's own default would lose the nanoseconds.
    add(DefaultSerializers.TimestampSerializer::new, java.sql.Timestamp.class);
  }

  private void arrays() {
    add(DefaultArraySerializers.ByteArraySerializer::new, byte[].class);
    add(DefaultArraySerializers.CharArraySerializer::new, char[].class);
    add(DefaultArraySerializers.ShortArraySerializer::new, short[].class);
    add(DefaultArraySerializers.IntArraySerializer::new, int[].class);
    add(DefaultArraySerializers.LongArraySerializer::new, long[].class);
    add(DefaultArraySerializers.FloatArraySerializer::new, float[].class);
    add(DefaultArraySerializers.DoubleArraySerializer::new, double[].class);
    add(KryoReader::booleans, boolean[].class);
  }

  /**
   * Objects that Kryo would build by asking the JVM (zones, charsets, currencies, protocol
   * handlers, host names) or by compiling the text. What the JVM of the job knew, ours need not.
   */
  private void texts() {
    add(() -> KryoReader.text(KryoInput::readText), java.net.URI.class, java.net.URL.class);
    add(() -> KryoReader.text(KryoInput::readText), java.util.Currency.class);
    add(
        () -> KryoReader.text(KryoInput::readText),
        java.util.TimeZone.getTimeZone("Europe/Paris").getClass(),
        java.util.SimpleTimeZone.class);
    add(
        () -> KryoReader.text(KryoInput::readText),
        java.nio.charset.StandardCharsets.US_ASCII.getClass(),
        java.nio.charset.StandardCharsets.ISO_8859_1.getClass(),
        java.nio.charset.StandardCharsets.UTF_8.getClass(),
        java.nio.charset.StandardCharsets.UTF_16.getClass(),
        java.nio.charset.StandardCharsets.UTF_16BE.getClass(),
        java.nio.charset.StandardCharsets.UTF_16LE.getClass());
    add(() -> KryoReader.text(KryoTexts::readLocale), java.util.Locale.class);
    add(() -> KryoReader.text(KryoTexts::readPattern), java.util.regex.Pattern.class);
    add(() -> KryoReader.text(KryoTexts::readSocketAddress), java.net.InetSocketAddress.class);
    add(() -> KryoReader.text(KryoTexts::readCalendar), java.util.GregorianCalendar.class);
  }

  private void enums() {
    addEnum(java.time.DayOfWeek.class);
    addEnum(java.time.Month.class);
    addEnum(java.time.chrono.IsoEra.class);
    addEnum(java.time.temporal.ChronoField.class);
    addEnum(java.time.temporal.ChronoUnit.class);
    addEnum(java.time.format.FormatStyle.class);
    addEnum(java.time.format.TextStyle.class);
    addEnum(java.time.format.ResolverStyle.class);
    addEnum(java.time.format.SignStyle.class);
    addEnum(java.math.RoundingMode.class);
    addEnum(java.util.concurrent.TimeUnit.class);
    addEnum(java.nio.file.StandardOpenOption.class);
    addEnum(java.nio.file.StandardCopyOption.class);
    addEnum(Thread.State.class);
    // A comparator, but an enum like any other.
    addEnum(java.util.Comparator.<String>naturalOrder().getClass().asSubclass(Enum.class));
  }

  @SuppressWarnings("rawtypes") // the serializer's own signature
  private void addEnum(Class<? extends Enum> type) {
    add(() -> new DefaultSerializers.EnumSerializer(type), type);
  }

  private void collections() {
    add(
        () -> KryoReader.collection(version),
        java.util.ArrayList.class,
        java.util.LinkedList.class,
        java.util.Vector.class,
        java.util.Stack.class,
        java.util.ArrayDeque.class,
        java.util.HashSet.class,
        java.util.LinkedHashSet.class,
        java.util.Arrays.asList().getClass(),
        java.util.concurrent.CopyOnWriteArrayList.class,
        java.util.concurrent.CopyOnWriteArraySet.class,
        java.util.concurrent.ConcurrentLinkedQueue.class,
        java.util.concurrent.ConcurrentLinkedDeque.class,
        java.util.concurrent.ConcurrentSkipListSet.class,
        java.util.concurrent.LinkedBlockingQueue.class,
        java.util.concurrent.LinkedBlockingDeque.class,
        java.util.concurrent.ArrayBlockingQueue.class,
        java.util.concurrent.PriorityBlockingQueue.class);
    add(() -> KryoReader.collection(version), viewClasses());
    add(
        () -> KryoReader.sortedCollection(version),
        java.util.TreeSet.class,
        java.util.PriorityQueue.class);
    add(
        () -> KryoReader.collectionWithoutNulls(version),
        List.of().getClass(),
        List.of(1).getClass(),
        List.of(1, 2, 3).subList(0, 2).getClass(),
        Set.of().getClass(),
        Set.of(1).getClass());
    add(
        KryoReader::emptySequence,
        java.util.Collections.emptyList().getClass(),
        java.util.Collections.emptySet().getClass());
    add(
        KryoReader::singleton,
        java.util.Collections.singletonList(1).getClass(),
        java.util.Collections.singleton(1).getClass());
    Class<?> regularEnumSet = java.util.EnumSet.noneOf(java.time.DayOfWeek.class).getClass();
    add(DefaultSerializers.EnumSetSerializer::new, java.util.EnumSet.class, regularEnumSet);
    add(
        KryoReader::marker,
        java.util.Comparator.reverseOrder().getClass(),
        String.CASE_INSENSITIVE_ORDER.getClass());
  }

  /** Wrappers and views, which Kryo writes as any collection, though it cannot read them. */
  @SuppressWarnings("JdkObsolete") // a LinkedList has the wrapper of lists without random access
  private static Class<?>[] viewClasses() {
    List<Integer> list = new java.util.ArrayList<>();
    Map<Integer, Integer> map = new HashMap<>();
    return new Class<?>[] {
      java.util.Collections.unmodifiableCollection(list).getClass(),
      java.util.Collections.unmodifiableList(list).getClass(),
      java.util.Collections.unmodifiableList(new java.util.LinkedList<>()).getClass(),
      java.util.Collections.unmodifiableSet(new java.util.HashSet<>()).getClass(),
      java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<>()).getClass(),
      java.util.Collections.synchronizedCollection(list).getClass(),
      java.util.Collections.synchronizedList(list).getClass(),
      java.util.Collections.synchronizedSet(new java.util.HashSet<>()).getClass(),
      java.util.Collections.nCopies(1, 1).getClass(),
      list.subList(0, 0).getClass(),
      map.keySet().getClass(),
      map.values().getClass(),
      new java.util.LinkedHashMap<>(map).keySet().getClass(),
      new java.util.LinkedHashMap<>(map).values().getClass()
    };
  }

  private void maps() {
    Map<Integer, Integer> map = new HashMap<>();
    add(
        () -> KryoReader.map(version),
        HashMap.class,
        java.util.LinkedHashMap.class,
        java.util.Hashtable.class,
        java.util.Properties.class,
        java.util.IdentityHashMap.class,
        java.util.WeakHashMap.class,
        java.util.EnumMap.class,
        java.util.concurrent.ConcurrentHashMap.class,
        java.util.Collections.unmodifiableMap(map).getClass(),
        java.util.Collections.unmodifiableSortedMap(new java.util.TreeMap<>()).getClass(),
        java.util.Collections.synchronizedMap(map).getClass(),
        Map.of().getClass(),
        Map.of(1, 2).getClass());
    add(
        () -> KryoReader.sortedMap(version),
        java.util.TreeMap.class,
        java.util.concurrent.ConcurrentSkipListMap.class);
    add(KryoReader::emptyMap, java.util.Collections.emptyMap().getClass());
    add(KryoReader::singletonMap, java.util.Collections.singletonMap(1, 1).getClass());
  }
}
