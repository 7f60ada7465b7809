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
package io.statesql.value;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.math.BigDecimal;
import java.util.Set;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;

/**
 * The text of a whole value outside of SQL: of a scalar its bare text, of a composite its JSON, see
 * {@link JsonText}; and the way back.
 */
public final class ValueText {
  private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

  private ValueText() {}

  /** The text of a value in the form in which the engine holds it, which is not null. */
  public static String of(Object value, RelDataType type) {
    return EngineValues.isComposite(type)
        ? JsonText.of(value, type)
        : EngineValues.text(value, type);
  }

  /**
   * Reads the text of a value.
   *
   * @return in the form in which the engine holds it, of numbers any
   * @throws StateSqlException with {@link ErrorCode#INVALID_ARGUMENT} if the text has no form, and
   *     with {@link ErrorCode#INVALID_VALUE} if it is not of the type
   */
  public static Object read(String text, RelDataType type) {
    return EngineValues.isComposite(type)
        ? JsonInput.read(text, type)
        : scalar(text, type, "the value");
  }

  /** The JSON of a value. */
  public static String json(Object value, RelDataType type) {
    return value == null ? "null" : JsonText.of(value, type);
  }

  /** As {@link #read}, of JSON for scalars too. */
  public static Object readJson(String json, RelDataType type) {
    return JsonInput.read(json, type);
  }

  static Object scalar(String text, RelDataType type, String place) {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> {
        if (!text.equals("true") && !text.equals("false")) {
          throw refused(place + " must be true or false");
        }
        yield Boolean.valueOf(text);
      }
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> number(text, place);
      case REAL, FLOAT, DOUBLE ->
          NOT_FINITE.contains(text) ? (Object) Double.valueOf(text) : number(text, place);
      case DATE -> DateTimeParser.parseDate(text);
      case TIME -> DateTimeParser.parseTime(text);
      case TIMESTAMP -> DateTimeParser.parseTimestamp(text);
      case BINARY, VARBINARY -> {
        if (!text.matches("(?:[0-9a-fA-F]{2})*")) {
          throw refused(place + " must be bytes as hexadecimal digits");
        }
        yield ByteString.of(text, 16);
      }
      default -> text;
    };
  }

  /** A number that JSON has as text alone. */
  static Double notFinite(String text, String place) {
    if (!NOT_FINITE.contains(text)) {
      throw refused(place + " must be a number");
    }
    return Double.valueOf(text);
  }

  private static BigDecimal number(String text, String place) {
    // Of a few characters with a large exponent, arithmetic would make a number of gigabytes.
    try {
      if (text.matches("[-+]?[0-9.]{1,1000}(?:[eE][-+]?[0-9]{1,3})?")) {
        return new BigDecimal(text);
      }
    } catch (NumberFormatException notNumber) {
      // Refused below, as all that is not a number.
    }
    throw refused(place + " must be a number");
  }

  static StateSqlException refused(String reason) {
    return new StateSqlException(
        ErrorCode.INVALID_VALUE,
        Character.toUpperCase(reason.charAt(0)) + reason.substring(1) + ".");
  }
}
