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
package io.statesql.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.types.Either;
import org.apache.flink.types.Row;

/**
 * Renders a restored Java value as JSON whose form does not depend on the value's class.
 *
 * <p>Equal values always give equal text: members of objects, maps and sets are sorted. A JDK class
 * without a rendering of its own is refused rather than rendered by chance.
 */
final class ValueRenderer {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Comparator<JsonNode> BY_TEXT = Comparator.comparing(JsonNode::toString);

  private ValueRenderer() {}

  /**
   * Renders a value.
   *
   * @param value may be null
   * @throws IllegalArgumentException if the value holds an instance of an unknown JDK class
   */
  static JsonNode render(Object value) {
    if (value == null || value instanceof VoidNamespace) {
      return JSON.nullNode();
    }
    JsonNode scalar = scalar(value);
    if (scalar != null) {
      return scalar;
    }
    JsonNode collection = collection(value);
    if (collection != null) {
      return collection;
    }
    JsonNode structure = structure(value);
    return structure != null ? structure : object(value);
  }

  private static JsonNode scalar(Object value) {
    if (value instanceof Boolean truth) {
      return JSON.booleanNode(truth);
    } else if (value instanceof Number number) {
      return number(number);
    } else if (value instanceof Enum<?> constant) {
      return JSON.textNode(constant.name());
    } else if (value instanceof Date date && value.getClass() == Date.class) {
      return JSON.textNode(date.toInstant().toString());
    } else if (value instanceof CharSequence
        || value instanceof Character
        || value instanceof Temporal
        || value instanceof UUID) {
      return JSON.textNode(value.toString());
    }
    return null;
  }

  private static JsonNode number(Number number) {
    if (number instanceof Double || number instanceof Float) {
      if (!Double.isFinite(number.doubleValue())) {
        return JSON.textNode(number.toString());
      }
      return number instanceof Float
          ? JSON.numberNode(number.floatValue())
          : JSON.numberNode(number.doubleValue());
    } else if (number instanceof BigDecimal decimal) {
      return JSON.textNode(decimal.toPlainString());
    } else if (number instanceof BigInteger integer) {
      return JSON.textNode(integer.toString());
    } else if (number instanceof Long
        || number instanceof Integer
        || number instanceof Short
        || number instanceof Byte) {
      return JSON.numberNode(number.longValue());
    }
    throw unknown(number);
  }

  private static JsonNode collection(Object value) {
    if (value instanceof byte[] bytes) {
      return JSON.textNode(HexFormat.of().formatHex(bytes));
    } else if (value.getClass().isArray()) {
      return array(
          IntStream.range(0, Array.getLength(value)).mapToObj(i -> render(Array.get(value, i))));
    } else if (value instanceof Set<?> set) {
      return array(set.stream().map(ValueRenderer::render).sorted(BY_TEXT));
    } else if (value instanceof Collection<?> collection) {
      return array(collection.stream().map(ValueRenderer::render));
    } else if (value instanceof Map<?, ?> map) {
      return array(
          map.entrySet().stream()
              .<JsonNode>map(
                  entry ->
                      JSON.arrayNode().add(render(entry.getKey())).add(render(entry.getValue())))
              .sorted(BY_TEXT));
    }
    return null;
  }

  private static ArrayNode array(Stream<JsonNode> elements) {
    return JSON.arrayNode().addAll(elements.toList());
  }

  private static JsonNode structure(Object value) {
    if (value instanceof Tuple tuple) {
      return positional(IntStream.range(0, tuple.getArity()).mapToObj(tuple::getField).toList());
    } else if (value instanceof Row row) {
      return positional(IntStream.range(0, row.getArity()).mapToObj(row::getField).toList());
    } else if (value instanceof TimeWindow window) {
      return JSON.objectNode().put("start", window.getStart()).put("end", window.getEnd());
    } else if (value instanceof Either<?, ?> either) {
      return either.isLeft()
          ? JSON.objectNode().set("left", render(either.left()))
          : JSON.objectNode().set("right", render(either.right()));
    }
    return null;
  }

  private static ObjectNode positional(List<?> fields) {
    ObjectNode object = JSON.objectNode();
    for (int i = 0; i < fields.size(); i++) {
      object.set("f" + i, render(fields.get(i)));
    }
    return object;
  }

  private static ObjectNode object(Object value) {
    TreeMap<String, JsonNode> members = new TreeMap<>();
    for (Class<?> type = value.getClass(); type != Object.class; type = type.getSuperclass()) {
      if (type.getName().startsWith("java.")) {
        throw unknown(value);
      }
      for (Field field : type.getDeclaredFields()) {
        if (isState(field)
            && members.putIfAbsent(field.getName(), render(get(field, value))) != null) {
          throw new IllegalArgumentException(
              "Two fields are called " + field.getName() + " in " + value.getClass().getName());
        }
      }
    }
    ObjectNode object = JSON.objectNode().put("#class", value.getClass().getName());
    object.setAll(members);
    return object;
  }

  /** The fields that Flink's POJO analysis takes, too. */
  private static boolean isState(Field field) {
    return !Modifier.isStatic(field.getModifiers())
        && !Modifier.isTransient(field.getModifiers())
        && !field.isSynthetic();
  }

  private static Object get(Field field, Object owner) {
    try {
      field.setAccessible(true);
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("Cannot read " + field, e);
    }
  }

  private static IllegalArgumentException unknown(Object value) {
    return new IllegalArgumentException(
        "No rendering for values of class " + value.getClass().getName());
  }
}
