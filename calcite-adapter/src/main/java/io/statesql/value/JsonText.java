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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import io.statesql.type.DateTimeText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * JSON text of composite values, in the form in which the engine holds them.
 *
 * <p>A ROW is an object by field names; an ARRAY an array; a MAP an object whose names are the text
 * of its keys, or, when its keys are composite, an array of {@code {"key":..., "value":...}}. DATE,
 * TIME and TIMESTAMP are strings as {@link DateTimeText} writes them, VARBINARY a string of
 * lower-case hexadecimal digits. Numbers keep every digit; NaN and infinities, which JSON lacks,
 * are the strings {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}. No blanks are written.
 */
public final class JsonText {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build())
          .build();

  private final JsonGenerator out;

  private JsonText(JsonGenerator out) {
    this.out = out;
  }

  /**
   * Writes a value.
   *
   * @return null for null, so that a missing composite is SQL's NULL and not the text "null"
   */
  public static String of(Object value, RelDataType type) {
    if (value == null) {
      return null;
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      new JsonText(out).write(value, type);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return text.toString();
  }

  private void write(Object value, RelDataType type) throws IOException {
    if (value == null) {
      out.writeNull();
      return;
    }
    switch (type.getSqlTypeName()) {
      case ROW, STRUCTURED -> writeRow(EngineValues.fields(value), type.getFieldList());
      case ARRAY, MULTISET -> writeArray(EngineValues.elements(value), type.getComponentType());
      case MAP -> writeMap((Map<?, ?>) value, type.getKeyType(), type.getValueType());
      case BOOLEAN -> out.writeBoolean((Boolean) value);
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> out.writeNumber(value.toString());
      case REAL, FLOAT, DOUBLE ->
          writeApproximate(((Number) value).doubleValue(), value.toString());
      default -> out.writeString(Objects.requireNonNull(EngineValues.text(value, type)));
    }
  }

  private void writeApproximate(double number, String text) throws IOException {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      out.writeString(text);
    } else {
      out.writeNumber(text);
    }
  }

  private void writeRow(List<?> values, List<RelDataTypeField> fields) throws IOException {
    out.writeStartObject();
    for (int i = 0; i < fields.size(); i++) {
      out.writeFieldName(fields.get(i).getName());
      write(values.get(i), fields.get(i).getType());
    }
    out.writeEndObject();
  }

  private void writeArray(List<?> elements, RelDataType elementType) throws IOException {
    out.writeStartArray();
    for (Object element : elements) {
      write(element, elementType);
    }
    out.writeEndArray();
  }

  private void writeMap(Map<?, ?> map, RelDataType keyType, RelDataType valueType)
      throws IOException {
    if (EngineValues.isComposite(keyType)) {
      out.writeStartArray();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeStartObject();
        out.writeFieldName("key");
        write(entry.getKey(), keyType);
        out.writeFieldName("value");
        write(entry.getValue(), valueType);
        out.writeEndObject();
      }
      out.writeEndArray();
      return;
    }
    out.writeStartObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.writeFieldName(
          entry.getKey() == null ? "null" : EngineValues.text(entry.getKey(), keyType));
      write(entry.getValue(), valueType);
    }
    out.writeEndObject();
  }
}
