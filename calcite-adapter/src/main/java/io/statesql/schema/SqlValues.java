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
package io.statesql.schema;

import io.statesql.type.Binary;
import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.ByteString;

/**
 * Makes Calcite's values of decoded ones. The two are the same but for VARBINARY, which is {@link
 * Binary} where it was decoded and {@link ByteString} in Calcite's generated code.
 */
public final class SqlValues {
  private SqlValues() {}

  /** Whether a type has a part whose values are others for Calcite. */
  static boolean differ(SqlType type) {
    if (type instanceof SqlType.Row row) {
      return row.fields().stream().anyMatch(field -> differ(field.type()));
    }
    if (type instanceof SqlType.Array array) {
      return differ(array.element());
    }
    if (type instanceof SqlType.MapOf map) {
      return differ(map.key()) || differ(map.value());
    }
    return type == SqlType.Scalar.VARBINARY || type instanceof SqlType.Opaque;
  }

  /**
   * A decoded value as Calcite holds it.
   *
   * @param value in the form that {@link SqlType} states, or null
   */
  public static Object of(SqlType type, Object value) {
    return differ(type) ? converted(type, value) : value;
  }

  private static Object converted(SqlType type, Object value) {
    if (value instanceof Binary binary) {
      return new ByteString(binary.bytes());
    }
    if (value == null) {
      return null;
    }
    if (type instanceof SqlType.Row row) {
      Object[] fields = ((Object[]) value).clone();
      for (int i = 0; i < fields.length; i++) {
        fields[i] = of(row.fields().get(i).type(), fields[i]);
      }
      return fields;
    }
    if (type instanceof SqlType.Array array) {
      List<Object> elements = new ArrayList<>();
      ((List<?>) value).forEach(element -> elements.add(of(array.element(), element)));
      return elements;
    }
    if (type instanceof SqlType.MapOf map) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      ((Map<?, ?>) value)
          .forEach((key, mapped) -> entries.put(of(map.key(), key), of(map.value(), mapped)));
      return entries;
    }
    return value;
  }
}
