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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.FormatMethod;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.StrictJson;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * Reads the JSON that {@link JsonText} writes, into the form in which the engine holds values.
 * Strict: an object has each field of its row once and no others, a number is no text.
 */
final class JsonInput {
  private static final int MAX_SCALE = 2000;

  private JsonInput() {}

  /**
   * Reads a value.
   *
   * @return null for JSON's null
   * @throws StateSqlException with {@link ErrorCode#INVALID_ARGUMENT} if the text is not JSON, and
   *     with {@link ErrorCode#INVALID_VALUE} if it is not of the type
   */
  static Object read(String text, RelDataType type) {
    JsonNode root;
    try {
      root = StrictJson.read(text);
    } catch (JsonProcessingException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "The text is not JSON: "
              + StrictJson.reason(e)
              + " (line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr()
              + ").",
          e);
    }
    if (root.isMissingNode()) {
      throw new StateSqlException(ErrorCode.INVALID_ARGUMENT, "The text is empty, and not JSON.");
    }
    return read(root, type, "the value");
  }

  private static Object read(JsonNode node, RelDataType type, String place) {
    if (node.isNull()) {
      return null;
    }
    return switch (type.getSqlTypeName()) {
      case ROW, STRUCTURED -> row(node, type.getFieldList(), place);
      case ARRAY, MULTISET -> array(node, type.getComponentType(), place);
      case MAP -> map(node, type, place);
      case BOOLEAN -> {
        require(node.isBoolean(), "%s must be true or false", place);
        yield node.booleanValue();
      }
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> number(node, place);
      case REAL, FLOAT, DOUBLE ->
          node.isTextual() ? ValueText.notFinite(node.textValue(), place) : number(node, place);
      default -> {
        require(node.isTextual(), "%s must be a text", place);
        yield ValueText.scalar(node.textValue(), type, place);
      }
    };
  }

  private static BigDecimal number(JsonNode node, String place) {
    require(node.isNumber(), "%s must be a number", place);
    BigDecimal number = node.decimalValue();
    // Of a few characters with a large exponent, arithmetic would make a number of gigabytes.
    require(Math.abs(number.scale()) <= MAX_SCALE, "%s is a number out of all ranges", place);
    return number;
  }

  private static Object[] row(JsonNode node, List<RelDataTypeField> fields, String place) {
    require(node.isObject(), "%s must be an object with the fields of the type", place);
    Object[] row = new Object[fields.size()];
    for (int i = 0; i < row.length; i++) {
      RelDataTypeField field = fields.get(i);
      JsonNode value = node.get(field.getName());
      require(value != null, "%s lacks the field \"%s\"", place, field.getName());
      row[i] = read(value, field.getType(), "the field \"" + field.getName() + "\" of " + place);
    }
    if (node.size() > row.length) {
      node.fieldNames()
          .forEachRemaining(
              name ->
                  require(
                      fields.stream().anyMatch(field -> field.getName().equals(name)),
                      "%s has no field \"%s\"",
                      place,
                      name));
    }
    return row;
  }

  private static List<Object> array(JsonNode node, RelDataType type, String place) {
    require(node.isArray(), "%s must be an array", place);
    List<Object> elements = new ArrayList<>(node.size());
    for (JsonNode element : node) {
      elements.add(read(element, type, "an element of " + place));
    }
    return elements;
  }

  private static Map<Object, Object> map(JsonNode node, RelDataType type, String place) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    if (EngineValues.isComposite(type.getKeyType())) {
      require(node.isArray(), "%s must be an array of objects with key and value", place);
      for (JsonNode entry : node) {
        require(
            entry.isObject() && entry.size() == 2 && entry.has("key") && entry.has("value"),
            "an entry of %s must be an object with key and value",
            place);
        entries.put(
            read(entry.get("key"), type.getKeyType(), "a key of " + place),
            read(entry.get("value"), type.getValueType(), "an entry of " + place));
      }
      return entries;
    }
    require(node.isObject(), "%s must be an object", place);
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      entries.put(
          ValueText.scalar(entry.getKey(), type.getKeyType(), "a key of " + place),
          read(entry.getValue(), type.getValueType(), "an entry of " + place));
    }
    return entries;
  }

  @FormatMethod
  private static void require(boolean valid, String reason, Object... args) {
    if (!valid) {
      throw ValueText.refused(String.format(Locale.ROOT, reason, args));
    }
  }
}
