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
import io.statesql.type.KeyHash;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import io.statesql.type.composite.RowCodec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code RowDataSerializer} (flink-table-runtime 2.3): the length of a {@link BinaryRow} in four
 * bytes, and the row. The kind is a last field {@code row_kind}, as in {@link RowCodec}, but for
 * keys: Flink's key selectors make rows of the kind {@code +I} only, and keys of another are
 * refused. A row without fields is the text {@code ()}, whatever its kind.
 */
public final class RowDataCodec implements Codec {
  private static final int INSERT = 0;

  private final BinaryRow row;
  private final boolean isKey;
  private final @Nullable BitSet selected;
  private final SqlType type;
  private final int kindField;

  /** A codec of values. */
  RowDataCodec(BinaryRow row) {
    this(row, false, null);
  }

  private RowDataCodec(BinaryRow row, boolean isKey, @Nullable BitSet selected) {
    this.row = row;
    this.isKey = isKey;
    this.selected = selected;
    boolean showsKind = !isKey && !row.shown().isEmpty();
    this.kindField = showsKind ? row.shown().size() : -1;
    if (showsKind) {
      List<SqlType.Field> fields = new ArrayList<>(row.shown());
      fields.add(new SqlType.Field("row_kind", SqlType.Scalar.VARCHAR));
      this.type = new SqlType.Row(fields, false);
    } else {
      this.type = row.type();
    }
  }

  /** Without the kind of the row, which those of whole keys do not have. */
  @Override
  public Codec ofKey() {
    return new RowDataCodec(row, true, null);
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    BinarySection section = BinarySection.read(in);
    int kind = kind(section);
    if (row.shown().isEmpty()) {
      return row.read(section);
    }
    Object[] fields = new Object[row.shown().size() + (kindField < 0 ? 0 : 1)];
    row.readFields(section, fields, selected);
    if (kindField >= 0) {
      fields[kindField] = RowCodec.KINDS.get(kind);
    }
    return fields;
  }

  private int kind(BinarySection section) {
    int kind = BinaryRow.kind(section);
    if (isKey && kind != INSERT) {
      throw section.malformed(
          0, "a key is a row of the kind " + RowCodec.KINDS.get(kind) + ", which keys do not show");
    }
    return kind;
  }

  @Override
  public void skip(StateInput in) {
    in.skip(in.readCount(1));
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    build(value).writeTo(out);
  }

  private BinaryBuilder build(@Nullable Object value) {
    if (value == null) {
      throw new UnwritableValueException("it is NULL, for which its stored type has no form");
    }
    if (row.shown().isEmpty()) {
      if (!value.equals(BinaryRow.EMPTY)) {
        throw new UnwritableValueException("its stored type has no value but " + BinaryRow.EMPTY);
      }
      return row.write(value);
    }
    Object[] fields = (Object[]) value;
    return row.write(fields, kindField < 0 ? INSERT : kind(fields[kindField]), isKey);
  }

  private static int kind(@Nullable Object name) {
    int kind = name == null ? INSERT : RowCodec.KINDS.indexOf(name);
    if (kind < 0) {
      throw new UnwritableValueException(
          "row_kind is " + name + " but must be one of " + RowCodec.KINDS);
    }
    return kind;
  }

  @Override
  public @Nullable String unwritable() {
    return row.unwritable();
  }

  @Override
  public void splice(StateInput old, Object[] fields, BitSet replaced, StateOutput out) {
    BinarySection section = BinarySection.read(old);
    int kind = kind(section);
    if (kindField >= 0 && replaced.get(kindField)) {
      kind = kind(fields[kindField]);
    }
    row.splice(section, kind, fields, replaced).writeTo(out);
  }

  @Override
  public @Nullable KeyHash keyHash() {
    return unwritable() == null ? key -> build(key).hash() : null;
  }

  @Override
  public boolean isExact() {
    return row.areFieldsExact();
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return Integer.BYTES + row.fixedLength();
  }

  @Override
  public boolean isDelimited() {
    return true;
  }

  @Override
  public Codec select(BitSet fields) {
    return new RowDataCodec(row, isKey, (BitSet) fields.clone());
  }
}
