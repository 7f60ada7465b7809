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
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the fields of a row; fields of an inline row become fields of this one. */
public final class RowShape {
  private final List<SqlType.Field> fields = new ArrayList<>();

  /** Adds a field and says where its value goes. */
  public Slot add(String name, SqlType type) {
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

  public Slot add(StoredField field) {
    return add(field.name(), field.codec().type());
  }

  public SqlType.Row type() {
    return new SqlType.Row(fields, false);
  }

  /**
   * Where one stored field lies in the row.
   *
   * @param width how many fields of the row it fills
   * @param spliced whether its value is itself an array, whose elements lie from there on
   */
  public record Slot(int index, int width, boolean spliced) {
    public void put(Object[] row, Object value) {
      if (!spliced) {
        row[index] = value;
      } else if (value != null) {
        Object[] parts = (Object[]) value;
        System.arraycopy(parts, 0, row, index, parts.length);
      }
    }

    /** The field's value in a row. */
    public @Nullable Object get(Object[] row) {
      if (!spliced) {
        return row[index];
      }
      Object[] parts = parts(row);
      return Arrays.stream(parts).allMatch(Objects::isNull) ? null : parts;
    }

    private Object[] parts(Object[] row) {
      return Arrays.copyOfRange(row, index, index + width);
    }

    /** Writes the field's value in a row; a refusal tells which field it is of. */
    public void write(StoredField field, Object[] row, StateOutput out) {
      try {
        field.codec().write(get(row), out);
      } catch (UnwritableValueException e) {
        throw e.inField(field.name(), index);
      }
    }

    /** Whether a splice replaces none of the field. */
    public boolean isKept(BitSet replaced) {
      int next = replaced.nextSetBit(index);
      return next < 0 || next >= index + width;
    }

    /** Whether a splice replaces all of the field. */
    public boolean isReplaced(BitSet replaced) {
      return replaced.nextClearBit(index) >= index + width;
    }

    /** Writes what becomes of the field, see {@link Codec#splice}. */
    public void splice(
        Codec codec, StateInput old, Object[] row, BitSet replaced, StateOutput out) {
      int start = old.position();
      if (isKept(replaced)) {
        codec.skip(old);
        out.writeBytes(old.array(), start, old.position() - start);
      } else if (isReplaced(replaced)) {
        codec.skip(old);
        codec.write(get(row), out);
      } else {
        codec.splice(old, parts(row), replaced.get(index, index + width), out);
      }
    }

    /**
     * As {@link #splice}, of a field behind a mark of null that the caller writes.
     *
     * @param wasPresent whether a value is stored
     * @param isPresent whether one is to be written
     */
    public void spliceNullable(
        Codec codec,
        boolean wasPresent,
        boolean isPresent,
        StateInput old,
        Object[] row,
        BitSet replaced,
        StateOutput out) {
      if (wasPresent && isPresent) {
        splice(codec, old, row, replaced, out);
      } else if (wasPresent) {
        codec.skip(old);
      } else if (isPresent) {
        codec.write(get(row), out);
      }
    }

    /** The codec for this field, one that skips it unless any of its fields is selected. */
    public Codec select(Codec codec, BitSet selected) {
      int next = selected.nextSetBit(index);
      return next >= 0 && next < index + width ? codec : new SkippedCodec(codec);
    }
  }

  /** The type of an element of an array or map, where no name encloses an inline row. */
  public static SqlType ofElement(SqlType type) {
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
