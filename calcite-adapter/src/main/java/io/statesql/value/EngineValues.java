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
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.avatica.util.StructImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Reads values in the form in which the engine holds them: a ROW is an array or list, a TIMESTAMP a
 * number.
 */
public final class EngineValues {
  private static final Set<SqlTypeName> COMPOSITES =
      Set.of(
          SqlTypeName.ARRAY,
          SqlTypeName.MULTISET,
          SqlTypeName.MAP,
          SqlTypeName.ROW,
          SqlTypeName.STRUCTURED);

  private EngineValues() {}

  public static boolean isComposite(RelDataType type) {
    return COMPOSITES.contains(type.getSqlTypeName());
  }

  /** Whether values of a type have a MAP in them, which JDBC gives as it is. */
  static boolean containsMap(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case MAP -> true;
      case ARRAY, MULTISET -> containsMap(type.getComponentType());
      case ROW, STRUCTURED ->
          type.getFieldList().stream().anyMatch(field -> containsMap(field.getType()));
      default -> false;
    };
  }

  /** The fields of a ROW. */
  static List<?> fields(Object row) {
    return row instanceof Object[] array ? Arrays.asList(array) : (List<?>) row;
  }

  /** The elements of an ARRAY. */
  static List<?> elements(Object array) {
    return array instanceof Object[] objects ? Arrays.asList(objects) : (List<?>) array;
  }

  /** The text of a scalar, never null. */
  static String text(Object value, RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case DATE -> DateTimeText.date(((Number) value).intValue());
      case TIME -> DateTimeText.time(((Number) value).intValue());
      case TIMESTAMP -> DateTimeText.timestamp(((Number) value).longValue());
      default -> value.toString();
    };
  }

  /**
   * Replaces the maps inside a value by maps of objects that a client understands; the rest stays
   * for the driver's accessors.
   */
  static Object withClientMaps(Object value, RelDataType type) {
    if (value == null || !containsMap(type)) {
      return value;
    }
    return switch (type.getSqlTypeName()) {
      case MAP -> toClient(value, type);
      case ARRAY, MULTISET -> {
        List<Object> converted = new ArrayList<>();
        elements(value)
            .forEach(element -> converted.add(withClientMaps(element, type.getComponentType())));
        yield converted;
      }
      default -> {
        List<RelDataTypeField> fields = type.getFieldList();
        List<?> values = fields(value);
        var converted = new Object[fields.size()];
        Arrays.setAll(converted, i -> withClientMaps(values.get(i), fields.get(i).getType()));
        yield converted;
      }
    };
  }

  /** Converts a value to what {@link Composites#OBJECTS} promises for the inside of a map. */
  private static Object toClient(Object value, RelDataType type) {
    if (value == null) {
      return null;
    }
    return switch (type.getSqlTypeName()) {
      case MAP -> {
        Map<Object, Object> converted = new LinkedHashMap<>();
        ((Map<?, ?>) value)
            .forEach(
                (key, item) ->
                    converted.put(
                        toClient(key, type.getKeyType()), toClient(item, type.getValueType())));
        yield converted;
      }
      case ARRAY, MULTISET -> {
        List<Object> converted = new ArrayList<>();
        elements(value)
            .forEach(element -> converted.add(toClient(element, type.getComponentType())));
        yield converted;
      }
      case ROW, STRUCTURED -> {
        List<RelDataTypeField> fields = type.getFieldList();
        List<?> values = fields(value);
        List<Object> converted = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
          converted.add(toClient(values.get(i), fields.get(i).getType()));
        }
        yield new StructImpl(converted);
      }
      case DATE -> LocalDate.ofEpochDay(((Number) value).longValue());
      case TIME -> DateTimeParser.time(((Number) value).intValue(), 0);
      case TIMESTAMP -> DateTimeParser.dateTime(((Number) value).longValue());
      case BINARY, VARBINARY -> value instanceof ByteString bytes ? bytes.getBytes() : value;
      default -> value;
    };
  }
}
