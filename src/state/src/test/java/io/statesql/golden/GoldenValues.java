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
import io.statesql.type.Binary;
import io.statesql.type.SqlType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Renders what a codec read in the form of the golden files, as far as they hold such values. */
public final class GoldenValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private GoldenValues() {}

  /**
   * Renders a value.
   *
   * @param type the codec's
   * @param value in the Java form that {@link SqlType} states, or null
   */
  public static JsonNode render(SqlType type, Object value) {
    if (value == null) {
      return JSON.nullNode();
    }
    if (type instanceof SqlType.Scalar scalar) {
      return scalar(scalar, value);
    } else if (type instanceof SqlType.Row row) {
      return row(row, (Object[]) value);
    } else if (type instanceof SqlType.Array array) {
      return array(((List<?>) value).stream().map(item -> render(array.element(), item)));
    } else if (type instanceof SqlType.MapOf map) {
      return array(
          ((Map<?, ?>) value)
              .entrySet().stream()
                  .<JsonNode>map(
                      entry ->
                          JSON.arrayNode()
                              .add(render(map.key(), entry.getKey()))
                              .add(render(map.value(), entry.getValue())))
                  .sorted(Comparator.comparing(JsonNode::toString)));
    } else if (type instanceof SqlType.Opaque) {
      return JSON.textNode(hex((Binary) value));
    }
    return JSON.textNode(((BigDecimal) value).toPlainString());
  }

  private static JsonNode scalar(SqlType.Scalar type, Object value) {
    return switch (type) {
      case BOOLEAN -> JSON.booleanNode((Boolean) value);
      case TINYINT, SMALLINT, INTEGER, BIGINT -> JSON.numberNode(((Number) value).longValue());
      case REAL ->
          Float.isFinite((Float) value)
              ? JSON.numberNode((Float) value)
              : JSON.textNode(value.toString());
      case DOUBLE ->
          Double.isFinite((Double) value)
              ? JSON.numberNode((Double) value)
              : JSON.textNode(value.toString());
      case DECIMAL -> JSON.textNode(((BigDecimal) value).toPlainString());
      case VARCHAR -> JSON.textNode((String) value);
      case VARBINARY -> JSON.textNode(hex((Binary) value));
      case DATE -> JSON.textNode(LocalDate.ofEpochDay((Integer) value).toString());
      case TIME ->
          JSON.textNode(
              LocalTime.ofNanoOfDay(TimeUnit.MILLISECONDS.toNanos((Integer) value)).toString());
      case TIMESTAMP -> JSON.textNode(Instant.ofEpochMilli((Long) value).toString());
    };
  }

  private static ObjectNode row(SqlType.Row type, Object[] values) {
    ObjectNode object = JSON.objectNode();
    for (int i = 0; i < values.length; i++) {
      SqlType.Field field = type.fields().get(i);
      object.set(field.name(), render(field.type(), values[i]));
    }
    return object;
  }

  private static ArrayNode array(Stream<JsonNode> elements) {
    return JSON.arrayNode().addAll(elements.toList());
  }

  private static String hex(Binary bytes) {
    return HexFormat.of().formatHex(bytes.bytes());
  }
}
