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
package io.statesql.type.table;

import io.statesql.type.Codec;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.composite.RowCodec;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code BinaryRowData} (flink-table-common 2.3): one byte of row kind and a bit for each null, in
 * words of eight bytes; eight bytes for each field; the areas of the fields. Read as a row of the
 * fields, or as the text {@code ()} if there are none. The kind is not shown here: within another
 * value it means nothing.
 */
final class BinaryRow implements BinaryContent {
  /** The only value of a row without fields. */
  static final String EMPTY = "()";

  private static final int KIND_BITS = 8;

  private final List<Field> fields;
  private final List<RowShape.Slot> slots;
  private final SqlType.Row shape;
  private final int headerLength;
  private final @Nullable String unwritable;

  /** A field and how it lies in the row. */
  record Field(String name, BinaryForm form) {}

  BinaryRow(List<Field> fields) {
    this.fields = List.copyOf(fields);
    RowShape columns = new RowShape();
    this.slots =
        this.fields.stream().map(field -> columns.add(field.name(), field.form().type())).toList();
    this.shape = columns.type();
    this.headerLength = (fields.size() + KIND_BITS + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    this.unwritable = unwritable(this.fields);
  }

  /** The fields as they are shown. */
  List<SqlType.Field> shown() {
    return shape.fields();
  }

  /** The fewest bytes that a row takes. */
  int fixedLength() {
    return headerLength + fields.size() * Long.BYTES;
  }

  @Override
  public SqlType type() {
    return fields.isEmpty() ? SqlType.Scalar.VARCHAR : shape;
  }

  @Override
  public Object read(BinarySection in) {
    kind(in);
    Object[] row = new Object[shape.fields().size()];
    readFields(in, row, null);
    return fields.isEmpty() ? EMPTY : row;
  }

  /** The number of the kind, see {@link RowCodec#KINDS}. */
  static int kind(BinarySection in) {
    int kind = in.byteAt(0);
    if (kind < 0 || kind >= RowCodec.KINDS.size()) {
      throw in.malformed(0, kind + " is not the number of a row kind");
    }
    return kind;
  }

  /**
   * Reads fields into a row.
   *
   * @param selected positions in the row of those that are read; null for all
   */
  void readFields(BinarySection in, Object[] row, @Nullable BitSet selected) {
    if (in.length() < fixedLength()) {
      throw in.malformed(
          0, "a row of " + fields.size() + " fields cannot take " + in.length() + " bytes");
    }
    for (int i = 0; i < slots.size(); i++) {
      RowShape.Slot slot = slots.get(i);
      if ((selected == null || !slot.isKept(selected)) && !isNull(in, i)) {
        slot.put(row, fields.get(i).form().read(in, place(i)));
      }
    }
  }

  private int place(int field) {
    return headerLength + field * Long.BYTES;
  }

  private static boolean isNull(BinarySection in, int field) {
    return in.bitAt(0, KIND_BITS + field);
  }

  @Override
  public BinaryBuilder write(Object value) {
    return write(fields.isEmpty() ? new Object[0] : (Object[]) value, 0, false);
  }

  /**
   * Makes a row.
   *
   * @param row its fields as they are shown; more may follow
   * @param kind its number
   * @param generated whether nulls have the form of rows that Flink's generated code makes, not
   *     that of {@code RowDataSerializer}: they keep the area that a value would have
   */
  BinaryBuilder write(Object[] row, int kind, boolean generated) {
    BinaryBuilder out = new BinaryBuilder(fixedLength());
    out.putByte(0, kind);
    for (int i = 0; i < slots.size(); i++) {
      BinaryForm form = fields.get(i).form();
      Object value = slots.get(i).get(row);
      if (!form.isNull(value)) {
        write(i, value, out);
      } else {
        out.setBit(0, KIND_BITS + i);
        if (generated && form.areaOfNull() > 0) {
          out.putArea(place(i), out.append(form.areaOfNull()), 0);
        }
      }
    }
    return out;
  }

  private void write(int field, Object value, BinaryBuilder out) {
    fields.get(field).form().write(value, out, place(field));
  }

  /**
   * Makes a row of another with some fields replaced, see {@link Codec#splice}.
   *
   * @param row the new values, in the places where they are shown
   * @param replaced positions in the row
   */
  BinaryBuilder splice(BinarySection old, int kind, Object[] row, BitSet replaced) {
    if (old.length() < fixedLength()) {
      throw old.malformed(
          0, "a row of " + fields.size() + " fields cannot take " + old.length() + " bytes");
    }
    BinaryBuilder out = new BinaryBuilder(fixedLength());
    out.putByte(0, kind);
    for (int i = 0; i < slots.size(); i++) {
      BinaryForm form = fields.get(i).form();
      boolean wasNull = isNull(old, i);
      boolean isKept = slots.get(i).isKept(replaced);
      Object value = isKept ? null : spliced(i, wasNull, old, row, replaced);
      if (!isKept && !form.isNull(value)) {
        write(i, value, out);
      } else if (isKept && !wasNull) {
        form.copy(old, place(i), out, place(i));
      } else {
        out.setBit(0, KIND_BITS + i);
        if (wasNull) {
          copyNull(form, old, place(i), out);
        }
      }
    }
    return out;
  }

  /** The value that a field has when some or all of its parts are replaced. */
  private @Nullable Object spliced(
      int field, boolean wasNull, BinarySection old, Object[] row, BitSet replaced) {
    RowShape.Slot slot = slots.get(field);
    if (slot.isReplaced(replaced)) {
      return slot.get(row);
    }
    Object[] merged = new Object[slot.index() + slot.width()];
    if (!wasNull) {
      slot.put(merged, fields.get(field).form().read(old, place(field)));
    }
    for (int i = slot.index(); i < merged.length; i++) {
      merged[i] = replaced.get(i) ? row[i] : merged[i];
    }
    return slot.get(merged);
  }

  /** A null of generated code keeps its area, and with it the place to become a value. */
  private static void copyNull(BinaryForm form, BinarySection old, int at, BinaryBuilder out) {
    if (form.areaOfNull() > 0 && old.longAt(at) != 0) {
      out.putArea(at, out.append(form.areaOfNull()), 0);
    } else {
      out.putLong(at, old.longAt(at));
    }
  }

  @Override
  public @Nullable String unwritable() {
    return unwritable;
  }

  private static @Nullable String unwritable(List<Field> fields) {
    for (Field field : fields) {
      String reason = field.form().unwritable();
      if (reason != null) {
        return "of its field " + field.name() + ", " + reason;
      }
    }
    return null;
  }

  @Override
  public boolean isExact() {
    // A row within another can be of any kind.
    return false;
  }

  /** Whether the fields are {@linkplain BinaryForm#isExact exact}. */
  boolean areFieldsExact() {
    return fields.stream().allMatch(field -> field.form().isExact());
  }
}
