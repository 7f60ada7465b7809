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
package io.statesql.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.statesql.type.UnwritableValueException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Objects of the JDK, and enum constants, that a text or number tells whole where their class is
 * declared: no other class can stand there, and no two objects that are stored as different bytes
 * have the same text.
 */
final class LeafTexts {
  private static final Map<Class<?>, Function<String, Object>> OF_TEXT =
      Map.of(
          String.class, text -> text,
          UUID.class, UUID::fromString,
          LocalDate.class, LocalDate::parse,
          LocalTime.class, LocalTime::parse,
          LocalDateTime.class, LocalDateTime::parse,
          OffsetDateTime.class, OffsetDateTime::parse,
          Instant.class, Instant::parse,
          Duration.class, Duration::parse);

  private static final Map<Class<?>, Function<BigDecimal, Object>> OF_NUMBER =
      Map.ofEntries(
          Map.entry(byte.class, BigDecimal::byteValueExact),
          Map.entry(Byte.class, BigDecimal::byteValueExact),
          Map.entry(short.class, BigDecimal::shortValueExact),
          Map.entry(Short.class, BigDecimal::shortValueExact),
          Map.entry(int.class, BigDecimal::intValueExact),
          Map.entry(Integer.class, BigDecimal::intValueExact),
          Map.entry(long.class, BigDecimal::longValueExact),
          Map.entry(Long.class, BigDecimal::longValueExact),
          Map.entry(BigInteger.class, BigDecimal::toBigIntegerExact),
          Map.entry(BigDecimal.class, number -> number));

  /** Numbers that may be none: infinite, or NaN. */
  private static final Map<Class<?>, Function<String, Object>> OF_FLOATING =
      Map.of(
          float.class, Float::valueOf,
          Float.class, Float::valueOf,
          double.class, Double::valueOf,
          Double.class, Double::valueOf);

  private static final Set<Class<?>> OTHERS =
      Set.of(boolean.class, Boolean.class, char.class, Character.class);

  private LeafTexts() {}

  static boolean isLeaf(Class<?> type) {
    return type.isEnum()
        || OF_TEXT.containsKey(type)
        || OF_NUMBER.containsKey(type)
        || OF_FLOATING.containsKey(type)
        || OTHERS.contains(type);
  }

  /** Whether Kryo 5 stores such objects again each time that they occur, not as references. */
  static boolean isStoredByValue(Class<?> leaf) {
    return !OF_TEXT.containsKey(leaf) && leaf != BigInteger.class && leaf != BigDecimal.class;
  }

  /**
   * The object that a node tells.
   *
   * @param type a leaf
   * @param place for messages
   * @throws UnwritableValueException if it tells none
   */
  static Object parse(JsonNode node, Class<?> type, String place) {
    try {
      if (OF_NUMBER.containsKey(type) && node.isNumber()) {
        return OF_NUMBER.get(type).apply(node.decimalValue());
      }
      if (OF_FLOATING.containsKey(type) && isFloating(node)) {
        return OF_FLOATING.get(type).apply(node.asText());
      }
      if (OF_TEXT.containsKey(type) && node.isTextual()) {
        return OF_TEXT.get(type).apply(node.textValue());
      }
      if ((type == boolean.class || type == Boolean.class) && node.isBoolean()) {
        return node.booleanValue();
      }
      boolean isCharacter = type == char.class || type == Character.class;
      if (isCharacter && node.isTextual() && node.textValue().length() == 1) {
        return node.textValue().charAt(0);
      }
      if (type.isEnum() && node.isTextual()) {
        return constant(type, node.textValue());
      }
    } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
      throw new UnwritableValueException(
          place + " is no " + type.getName() + ": " + e.getMessage(), e);
    }
    throw new UnwritableValueException(place + " is no " + type.getName() + ": " + node);
  }

  /** Base64. */
  static byte[] bytes(JsonNode node, String place) {
    try {
      if (node.isTextual()) {
        return node.binaryValue();
      }
    } catch (IOException e) {
      throw new UnwritableValueException(place + " is not Base64: " + e.getMessage(), e);
    }
    throw new UnwritableValueException(place + " is not Base64: " + node);
  }

  /** A number, or the name of what is none. */
  private static boolean isFloating(JsonNode node) {
    return node.isNumber()
        || (node.isTextual() && Set.of("NaN", "Infinity", "-Infinity").contains(node.textValue()));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an enum's class, as was asked before
  private static Object constant(Class<?> type, String name) {
    return Enum.valueOf((Class<? extends Enum>) type, name);
  }
}
