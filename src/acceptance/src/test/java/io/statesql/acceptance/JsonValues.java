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
package io.statesql.acceptance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as plain values: objects {@link Map}, arrays {@link List}, and {@link Num} so that no digit
 * and no sign of a zero gets lost.
 */
final class JsonValues {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonValues() {}

  /** A number as it is written. */
  record Num(String text) {}

  static Object parse(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("More than one JSON value: " + json);
      }
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException("Not JSON: " + json, e);
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          if (members.containsKey(name)) {
            throw new IOException("The name '" + name + "' is there twice");
          }
          members.put(name, value(parser));
        }
        yield members;
      }
      case START_ARRAY -> {
        List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(value(parser));
        }
        yield elements;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Num(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  /** The plain value of what the JSON text of an object, given as JDK values, would be. */
  static Object of(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> members = new LinkedHashMap<>();
      map.forEach((key, member) -> members.put(String.valueOf(key), of(member)));
      return members;
    }
    if (value instanceof Iterable<?> elements) {
      List<Object> list = new ArrayList<>();
      elements.forEach(element -> list.add(of(element)));
      return list;
    }
    if (value instanceof Double number && (number.isNaN() || number.isInfinite())) {
      return number.toString();
    }
    if (value instanceof Integer
        || value instanceof Long
        || value instanceof Double
        || value instanceof BigDecimal) {
      return new Num(value.toString());
    }
    return value == null || value instanceof Boolean ? value : value.toString();
  }
}
