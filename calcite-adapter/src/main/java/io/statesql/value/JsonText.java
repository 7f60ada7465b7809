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

import io.statesql.type.DateTimeText;
import java.util.Iterator;
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
  private final StringBuilder out = new StringBuilder();

  private JsonText() {}

  /**
   * Writes a value.
   *
   * @return null for null, so that a missing composite is SQL's NULL and not the text "null"
   */
  public static String of(Object value, RelDataType type) {
    if (value == null) {
      return null;
    }
    var text = new JsonText();
    text.write(value, type);
    return text.out.toString();
  }

  private void write(Object value, RelDataType type) {
    if (value == null) {
      out.append("null");
      return;
    }
    switch (type.getSqlTypeName()) {
      case ROW, STRUCTURED -> writeRow(EngineValues.fields(value), type.getFieldList());
      case ARRAY, MULTISET -> writeArray(EngineValues.elements(value), type.getComponentType());
      case MAP -> writeMap((Map<?, ?>) value, type.getKeyType(), type.getValueType());
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> out.append(value);
      case REAL, FLOAT, DOUBLE ->
          writeApproximate(((Number) value).doubleValue(), value.toString());
      default -> writeString(EngineValues.text(value, type));
    }
  }

  private void writeApproximate(double number, String text) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      writeString(text);
    } else {
      out.append(text);
    }
  }

  private void writeRow(List<?> values, List<RelDataTypeField> fields) {
    out.append('{');
    for (int i = 0; i < fields.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      writeString(fields.get(i).getName());
      out.append(':');
      write(values.get(i), fields.get(i).getType());
    }
    out.append('}');
  }

  private void writeArray(List<?> elements, RelDataType elementType) {
    out.append('[');
    for (int i = 0; i < elements.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      write(elements.get(i), elementType);
    }
    out.append(']');
  }

  private void writeMap(Map<?, ?> map, RelDataType keyType, RelDataType valueType) {
    boolean pairs = EngineValues.isComposite(keyType);
    out.append(pairs ? '[' : '{');
    for (Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        entries.hasNext(); ) {
      Map.Entry<?, ?> entry = entries.next();
      if (pairs) {
        out.append("{\"key\":");
        write(entry.getKey(), keyType);
        out.append(",\"value\":");
        write(entry.getValue(), valueType);
        out.append('}');
      } else {
        writeString(entry.getKey() == null ? "null" : EngineValues.text(entry.getKey(), keyType));
        out.append(':');
        write(entry.getValue(), valueType);
      }
      if (entries.hasNext()) {
        out.append(',');
      }
    }
    out.append(pairs ? ']' : '}');
  }

  private void writeString(String text) {
    Objects.requireNonNull(text, "text");
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
