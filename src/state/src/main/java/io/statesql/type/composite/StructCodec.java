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
package io.statesql.type.composite;

import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.CompositeCodec;
import io.statesql.type.KeyHash;
import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.StoredField;
import io.statesql.type.UnwritableValueException;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Fields one after the other, none of them null unless its own form says so: tuples and others. */
public final class StructCodec implements CompositeCodec {
  private final List<StoredField> fields;
  private final List<RowShape.Slot> slots;
  private final SqlType.Row type;
  private final int declaredLength;
  private final int minimumLength;
  private final boolean delimited;

  /**
   * Known at once, for types may be nested so deep that to ask all of them each time takes long.
   */
  private final @Nullable String unwritable;

  private final @Nullable KeyHash keyHash;

  /**
   * @param declaredLength what the serializer's {@code getLength} returns
   */
  public StructCodec(List<StoredField> fields, int declaredLength) {
    this(fields, declaredLength, false);
  }

  private StructCodec(List<StoredField> fields, int declaredLength, boolean tuple) {
    this.fields = StoredField.separable(fields);
    RowShape shape = new RowShape();
    this.slots = this.fields.stream().map(shape::add).toList();
    this.type = shape.type();
    this.declaredLength = declaredLength;
    this.minimumLength =
        (int)
            Math.min(
                Integer.MAX_VALUE,
                fields.stream().mapToLong(field -> field.codec().minimumLength()).sum());
    this.delimited = StoredField.areDelimited(fields);
    this.unwritable = StoredField.unwritable(this.fields);
    this.keyHash = tuple && delimited ? FieldHashes.ofTuple(this.fields, slots) : null;
  }

  /** A codec of a {@code Tuple1} to {@code Tuple25}, whose hash code that of the fields gives. */
  public static StructCodec ofTuple(List<StoredField> fields, int declaredLength) {
    return new StructCodec(fields, declaredLength, true);
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    Object[] row = new Object[type.fields().size()];
    for (int i = 0; i < slots.size(); i++) {
      slots.get(i).put(row, fields.get(i).codec().read(in));
    }
    return row;
  }

  @Override
  public Object readLast(StateInput in) {
    int last = slots.size() - 1;
    if (last < 0 || !delimited) {
      // Bytes of fields that are not shown may follow the last one.
      return read(in);
    }
    Object[] row = new Object[type.fields().size()];
    for (int i = 0; i <= last; i++) {
      Codec field = fields.get(i).codec();
      try {
        slots.get(i).put(row, i < last ? field.read(in) : field.readLast(in));
      } catch (StateSqlException e) {
        StoredField.skipRest(e, fields.subList(i, fields.size()), in);
        break;
      }
    }
    return row;
  }

  @Override
  public void skip(StateInput in) {
    for (StoredField field : fields) {
      field.codec().skip(in);
    }
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    if (value == null) {
      throw new UnwritableValueException("it is NULL, for which its stored type has no form");
    }
    if (!delimited) {
      throw new UnwritableValueException(unwritable());
    }
    Object[] row = (Object[]) value;
    for (int i = 0; i < slots.size(); i++) {
      slots.get(i).write(fields.get(i), row, out);
    }
  }

  @Override
  public @Nullable String unwritable() {
    return unwritable;
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    for (int i = 0; i < slots.size(); i++) {
      int start = old.position();
      try {
        slots.get(i).splice(fields.get(i).codec(), old, row, replaced, out);
      } catch (StateSqlException e) {
        List<RowShape.Slot> rest = slots.subList(i, slots.size());
        StoredField.copyRest(e, rest, replaced, start, old, out);
        return;
      }
    }
    StoredField.copyLost(delimited, old, out);
  }

  @Override
  public @Nullable KeyHash keyHash() {
    return keyHash;
  }

  @Override
  public int declaredLength() {
    return declaredLength;
  }

  @Override
  public int minimumLength() {
    return minimumLength;
  }

  @Override
  public boolean isDelimited() {
    return delimited;
  }

  @Override
  public Codec select(BitSet selected) {
    return new StructCodec(
        StoredField.select(fields, slots, selected), declaredLength, keyHash != null);
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new StructCodec(
        fields.stream()
            .map(field -> new StoredField(field.name(), replacement.apply(field.codec())))
            .toList(),
        declaredLength,
        keyHash != null);
  }

  @Override
  public boolean isExact() {
    return hasExactParts();
  }
}
