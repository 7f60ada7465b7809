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
package io.statesql.type;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Collects the fields of a row; fields of an inline row become fields of this one. */
final class RowShape {
  private final List<SqlType.Field> fields = new ArrayList<>();

  /** Adds a field and says where its value goes. */
  Slot add(String name, SqlType type) {
    int index = fields.size();
    if (type instanceof SqlType.Row row && row.inline()) {
      for (SqlType.Field field : row.fields()) {
        fields.add(new SqlType.Field(name + field.name(), field.type()));
      }
      return new Slot(index, row.fields().size(), true);
    }
    fields.add(new SqlType.Field(name, type));
    return new Slot(index, 1, false);
  }

  Slot add(StoredField field) {
    return add(field.name(), field.codec().type());
  }

  SqlType.Row type() {
    return new SqlType.Row(fields, false);
  }

  /**
   * Where one stored field lies in the row.
   *
   * @param width how many fields of the row it fills
   * @param spliced whether its value is itself an array, whose elements lie from there on
   */
  record Slot(int index, int width, boolean spliced) {
    void put(Object[] row, Object value) {
      if (!spliced) {
        row[index] = value;
      } else if (value != null) {
        Object[] parts = (Object[]) value;
        System.arraycopy(parts, 0, row, index, parts.length);
      }
    }

    /** The codec for this field, one that skips it unless any of its fields is selected. */
    Codec select(Codec codec, BitSet selected) {
      int next = selected.nextSetBit(index);
      return next >= 0 && next < index + width ? codec : new SkippedCodec(codec);
    }
  }

  /** The type of an element of an array or map, where no name encloses an inline row. */
  static SqlType ofElement(SqlType type) {
    if (!(type instanceof SqlType.Row row) || !row.inline()) {
      return type;
    }
    return new SqlType.Row(
        row.fields().stream()
            .map(field -> new SqlType.Field(elementName(field.name()), field.type()))
            .toList(),
        false);
  }

  private static String elementName(String suffix) {
    return suffix.isEmpty() ? "value" : suffix.substring(1);
  }
}
