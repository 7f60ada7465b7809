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

import java.time.Instant;

/** The texts that stand for JDK objects in VARCHAR columns, JSON strings and JSON names. */
public final class KryoTexts {

  private KryoTexts() {}

  /**
   * The text of an object that one text describes: ISO 8601 for dates, times and amounts (UTC for
   * {@code java.util.Date} and its kin), the name of an enum constant, digits, or null for a
   * collection, map, array, optional or anything else that has parts.
   */
  public static String of(Object value) {
    if (value instanceof KryoContent.Text text) {
      return text.text();
    }
    if (value instanceof java.util.Date date) {
      return instantOf(date).toString();
    }
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    boolean scalar =
        value instanceof CharSequence
            || value instanceof Number
            || value instanceof Boolean
            || value instanceof Character
            || value instanceof java.util.UUID
            || value instanceof java.time.temporal.TemporalAccessor
            || value instanceof java.time.temporal.TemporalAmount
            || value instanceof java.time.ZoneId;
    return scalar ? value.toString() : null;
  }

  /** Not {@code Date.toInstant}, which java.sql.Date and java.sql.Time refuse. */
  @SuppressWarnings("JavaUtilDate") // the stored class
  static Instant instantOf(java.util.Date date) {
    return date instanceof java.sql.Timestamp timestamp
        ? timestamp.toInstant()
        : Instant.ofEpochMilli(date.getTime());
  }

  /**
   * DefaultSerializers.LocaleSerializer: language, country, variant; script and extensions are not
   * stored. The form of {@code Locale.toString}: {@code de_CH}, {@code en_US_POSIX}.
   */
  static String readLocale(KryoInput input) {
    String language = input.readText();
    String country = input.readText();
    String variant = input.readText();
    if (!variant.isEmpty()) {
      return language + "_" + country + "_" + variant;
    }
    return country.isEmpty() ? language : language + "_" + country;
  }

  /**
   * DefaultSerializers.PatternSerializer: the expression and its flags, which are put in front as
   * {@code (?flags=10)} unless there are none.
   */
  static String readPattern(KryoInput input) {
    String expression = input.readText();
    int flags = input.readVarInt(true);
    return flags == 0 ? expression : "(?flags=" + flags + ")" + expression;
  }

  /** Flink's InetSocketAddressSerializer (2.0): host name and port. */
  static String readSocketAddress(KryoInput input) {
    String host = input.readText();
    int port = input.readVarInt(true);
    return host + ":" + port;
  }

  /**
   * DefaultSerializers.CalendarSerializer: zone, time and settings. The instant and the zone are
   * kept, as in {@code 2026-03-01T10:00:00Z[Europe/Paris]}; leniency, week rules and the Gregorian
   * cutover are read but not shown.
   */
  static String readCalendar(KryoInput input) {
    String zone = input.readText();
    Instant instant = Instant.ofEpochMilli(input.readVarLong(true));
    input.readBoolean();
    input.readVarInt(true);
    input.readVarInt(true);
    input.readVarLong(false);
    return instant + "[" + zone + "]";
  }
}
