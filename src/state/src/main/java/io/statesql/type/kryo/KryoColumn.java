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

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Booleans;
import com.google.common.primitives.Chars;
import com.google.common.primitives.Doubles;
import com.google.common.primitives.Floats;
import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import com.google.common.primitives.Shorts;
import io.statesql.type.Binary;
import io.statesql.type.DateTimeValues;
import io.statesql.type.SqlType;
import io.statesql.type.SqlType.Scalar;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * How values that are declared to be of a class show in SQL.
 *
 * <table>
 *   <caption>SQL types by declared class</caption>
 *   <tr><th>declared class</th><th>SQL type</th></tr>
 *   <tr><td>Boolean, Byte, Short, Integer, Long, Float, Double</td>
 *       <td>BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE</td></tr>
 *   <tr><td>BigInteger, BigDecimal</td><td>DECIMAL</td></tr>
 *   <tr><td>byte[]</td><td>VARBINARY</td></tr>
 *   <tr><td>LocalDate</td><td>DATE</td></tr>
 *   <tr><td>LocalTime</td><td>TIME, {@code _nanos}</td></tr>
 *   <tr><td>Instant, LocalDateTime, java.sql.Timestamp</td><td>TIMESTAMP, {@code _nanos}</td></tr>
 *   <tr><td>java.util.Date, java.sql.Date, java.sql.Time</td>
 *       <td>TIMESTAMP: the stored instant, since the zone that makes it a day or a time of the day
 *           is not stored</td></tr>
 *   <tr><td>OffsetDateTime, OffsetTime, ZonedDateTime, Duration, Period, Year, YearMonth, MonthDay,
 *       ZoneId, UUID, URI, URL, Locale, Currency, Charset, Pattern, TimeZone, Calendar,
 *       InetSocketAddress, enums, Character, CharSequence and its kin</td>
 *       <td>VARCHAR, see {@link KryoTexts}</td></tr>
 *   <tr><td>one-dimensional arrays of all these and of primitives</td><td>ARRAY</td></tr>
 *   <tr><td>optionals, collections, maps, BitSet, other arrays, Object, Number and other general
 *       types</td><td>VARCHAR that holds JSON, see {@link KryoJson}</td></tr>
 * </table>
 *
 * @param toSql turns a decoded value, never null, into the Java form of the SQL type
 */
record KryoColumn(SqlType type, Function<Object, Object> toSql) {
  private static final KryoColumn TEXT = new KryoColumn(Scalar.VARCHAR, KryoTexts::of);
  static final KryoColumn JSON = new KryoColumn(Scalar.VARCHAR, KryoJson::of);

  private static final Map<Class<?>, KryoColumn> COLUMNS =
      ImmutableMap.<Class<?>, KryoColumn>builder()
          .put(Boolean.class, same(Scalar.BOOLEAN))
          .put(Byte.class, same(Scalar.TINYINT))
          .put(Short.class, same(Scalar.SMALLINT))
          .put(Integer.class, same(Scalar.INTEGER))
          .put(Long.class, same(Scalar.BIGINT))
          .put(Float.class, same(Scalar.REAL))
          .put(Double.class, same(Scalar.DOUBLE))
          .put(java.math.BigInteger.class, decimal())
          .put(java.math.BigDecimal.class, decimal())
          .put(byte[].class, column(Scalar.VARBINARY, byte[].class, Binary::of))
          .put(boolean[].class, array(Scalar.BOOLEAN, boolean[].class, Booleans::asList))
          .put(char[].class, array(Scalar.VARCHAR, char[].class, KryoColumn::texts))
          .put(short[].class, array(Scalar.SMALLINT, short[].class, Shorts::asList))
          .put(int[].class, array(Scalar.INTEGER, int[].class, Ints::asList))
          .put(long[].class, array(Scalar.BIGINT, long[].class, Longs::asList))
          .put(float[].class, array(Scalar.REAL, float[].class, Floats::asList))
          .put(double[].class, array(Scalar.DOUBLE, double[].class, Doubles::asList))
          .put(
              java.time.LocalDate.class,
              column(Scalar.DATE, java.time.LocalDate.class, DateTimeValues::date))
          .put(
              java.time.LocalTime.class,
              column(DateTimeValues.NANO_TIME, java.time.LocalTime.class, DateTimeValues::time))
          .put(
              java.time.LocalDateTime.class,
              column(
                  DateTimeValues.NANO_TIMESTAMP,
                  java.time.LocalDateTime.class,
                  DateTimeValues::timestamp))
          .put(
              java.time.Instant.class,
              column(
                  DateTimeValues.NANO_TIMESTAMP,
                  java.time.Instant.class,
                  instant -> DateTimeValues.timestamp(instant, "Instant")))
          .put(
              java.sql.Timestamp.class,
              column(
                  DateTimeValues.NANO_TIMESTAMP,
                  java.util.Date.class,
                  date ->
                      DateTimeValues.timestamp(KryoTexts.instantOf(date), "java.sql.Timestamp")))
          .put(java.util.Date.class, millis("java.util.Date"))
          .put(java.sql.Date.class, millis("java.sql.Date"))
          .put(java.sql.Time.class, millis("java.sql.Time"))
          .buildOrThrow();

  /** Classes all of whose objects have one text. */
  private static final List<Class<?>> TEXTS =
      List.of(
          CharSequence.class,
          Character.class,
          Enum.class,
          java.time.temporal.TemporalAccessor.class,
          java.time.temporal.TemporalAmount.class,
          java.time.ZoneId.class,
          java.util.UUID.class,
          java.net.URI.class,
          java.net.URL.class,
          java.util.Locale.class,
          java.util.Currency.class,
          java.nio.charset.Charset.class,
          java.util.regex.Pattern.class,
          java.util.TimeZone.class,
          java.util.Calendar.class,
          java.net.SocketAddress.class);

  /** The column of a class out of {@link KryoClasses}. */
  static KryoColumn of(Class<?> declared) {
    KryoColumn column = COLUMNS.get(declared);
    if (column != null) {
      return column;
    }
    if (TEXTS.stream().anyMatch(text -> text.isAssignableFrom(declared))) {
      return TEXT;
    }
    if (declared.isArray() && !declared.getComponentType().isArray()) {
      KryoColumn element = of(declared.getComponentType());
      // Elements without a type of their own would be JSON texts in an array: make it one text.
      return element.equals(JSON) ? JSON : arrayOf(element);
    }
    return JSON;
  }

  private static KryoColumn arrayOf(KryoColumn element) {
    return new KryoColumn(
        new SqlType.Array(element.type()),
        value -> {
          List<Object> stored = ((KryoContent.Sequence) value).elements();
          List<Object> shown = new ArrayList<>(stored.size());
          for (Object item : stored) {
            shown.add(item == null ? null : element.toSql().apply(item));
          }
          return Collections.unmodifiableList(shown);
        });
  }

  private static KryoColumn same(SqlType type) {
    return new KryoColumn(type, Function.identity());
  }

  private static KryoColumn decimal() {
    return new KryoColumn(Scalar.DECIMAL, KryoNumbers::decimal);
  }

  private static KryoColumn millis(String declared) {
    return column(
        Scalar.TIMESTAMP,
        java.util.Date.class,
        date -> DateTimeValues.millis(KryoTexts.instantOf(date), declared));
  }

  private static <T> KryoColumn column(SqlType type, Class<T> of, Function<T, Object> toSql) {
    return new KryoColumn(type, value -> toSql.apply(of.cast(value)));
  }

  private static <T> KryoColumn array(SqlType element, Class<T> of, Function<T, Object> toSql) {
    return column(new SqlType.Array(element), of, toSql);
  }

  private static List<String> texts(char[] characters) {
    return Chars.asList(characters).stream().map(String::valueOf).toList();
  }
}
