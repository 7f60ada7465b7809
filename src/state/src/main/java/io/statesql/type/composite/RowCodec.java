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
import io.statesql.type.BitMask;
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

/**
 * {@code RowSerializer} (flink-core 2.3): a mask of the row kind, if supported, and of null fields;
 * then the fields that are not null. Field names are not stored, so they are {@code f0}, {@code f1}
 * and so on. The kind, where stored, is a last field {@code row_kind}: {@code +I}, {@code -U},
 * {@code +U} or {@code -D}, as {@code RowKind#shortString} names them.
 */
public final class RowCodec implements CompositeCodec {
  /** By the value of {@code RowKind#toByteValue}. */
  public static final List<String> KINDS = List.of("+I", "-U", "+U", "-D");

  private static final int KIND_BITS = 2;

  private final List<StoredField> fields;
  private final int arity;
  private final boolean supportsKind;
  private final List<RowShape.Slot> slots;
  private final RowShape.Slot kindSlot;
  private final SqlType.Row type;
  private final boolean delimited;

  public RowCodec(List<StoredField> fields, boolean supportsKind) {
    this(fields, fields.size(), supportsKind);
  }

  /**
   * @param arity number of stored fields, of which {@code fields} may be the first ones only
   */
  private RowCodec(List<StoredField> fields, int arity, boolean supportsKind) {
    this.fields = StoredField.separable(fields);
    this.arity = arity;
    this.supportsKind = supportsKind;
    RowShape shape = new RowShape();
    this.slots = this.fields.stream().map(shape::add).toList();
    this.kindSlot = supportsKind ? shape.add("row_kind", SqlType.Scalar.VARCHAR) : null;
    this.type = shape.type();
    this.delimited = StoredField.areDelimited(fields);
  }

  @Override
  public SqlType type() {
    return type;
  }

  @Override
  public Object read(StateInput in) {
    BitMask mask = BitMask.read(in, maskBits());
    Object[] row = rowOf(mask);
    for (int i = 0; i < slots.size(); i++) {
      if (!mask.get(maskOffset() + i)) {
        slots.get(i).put(row, fields.get(i).codec().read(in));
      }
    }
    skipLost(in);
    return row;
  }

  @Override
  public Object readLast(StateInput in) {
    if (!delimited) {
      // Bytes of fields that are not shown may follow the last one.
      return read(in);
    }
    BitMask mask = BitMask.read(in, maskBits());
    Object[] row = rowOf(mask);
    int last = slots.size() - 1;
    while (last >= 0 && mask.get(maskOffset() + last)) {
      last--;
    }
    for (int i = 0; i <= last; i++) {
      if (!mask.get(maskOffset() + i)) {
        Codec field = fields.get(i).codec();
        try {
          slots.get(i).put(row, i < last ? field.read(in) : field.readLast(in));
        } catch (StateSqlException e) {
          StoredField.skipRest(e, fields.subList(i, fields.size()), in);
          break;
        }
      }
    }
    return row;
  }

  private Object[] rowOf(BitMask mask) {
    Object[] row = new Object[type.fields().size()];
    if (supportsKind) {
      kindSlot.put(row, kind(mask));
    }
    return row;
  }

  @Override
  public void skip(StateInput in) {
    BitMask mask = BitMask.read(in, maskBits());
    for (int i = 0; i < fields.size(); i++) {
      if (!mask.get(maskOffset() + i)) {
        fields.get(i).codec().skip(in);
      }
    }
    skipLost(in);
  }

  /** When the undelimited field is null, later fields still take the rest. */
  private void skipLost(StateInput in) {
    if (!delimited) {
      in.skip(in.remaining());
    }
  }

  private int maskBits() {
    return maskOffset() + arity;
  }

  private int maskOffset() {
    return supportsKind ? KIND_BITS : 0;
  }

  private static String kind(BitMask mask) {
    return KINDS.get((mask.get(0) ? 1 : 0) + (mask.get(1) ? 2 : 0));
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
    BitMask mask = BitMask.ofZeros(maskBits());
    if (supportsKind) {
      setKind(mask, kindSlot.get(row));
    }
    for (int i = 0; i < slots.size(); i++) {
      mask.set(maskOffset() + i, slots.get(i).get(row) == null);
    }
    mask.write(out);
    for (int i = 0; i < slots.size(); i++) {
      if (!mask.get(maskOffset() + i)) {
        slots.get(i).write(fields.get(i), row, out);
      }
    }
  }

  private static void setKind(BitMask mask, @Nullable Object kind) {
    int index = kind == null ? 0 : KINDS.indexOf(kind);
    if (index < 0) {
      throw new UnwritableValueException("row_kind is " + kind + " but must be one of " + KINDS);
    }
    mask.set(0, (index & 1) != 0);
    mask.set(1, (index & 2) != 0);
  }

  @Override
  public @Nullable String unwritable() {
    return StoredField.unwritable(fields);
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    BitMask oldMask = BitMask.read(old, maskBits());
    BitMask mask = oldMask.copy();
    if (supportsKind && !kindSlot.isKept(replaced)) {
      setKind(mask, kindSlot.get(row));
    }
    for (int i = 0; i < slots.size(); i++) {
      RowShape.Slot slot = slots.get(i);
      int bit = maskOffset() + i;
      if (slot.isReplaced(replaced) || (oldMask.get(bit) && !slot.isKept(replaced))) {
        mask.set(bit, slot.get(row) == null);
      }
    }
    mask.write(out);
    for (int i = 0; i < slots.size(); i++) {
      int bit = maskOffset() + i;
      int start = old.position();
      try {
        slots
            .get(i)
            .spliceNullable(
                fields.get(i).codec(), !oldMask.get(bit), !mask.get(bit), old, row, replaced, out);
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
    return delimited ? FieldHashes.ofRow(fields, slots, kindSlot) : null;
  }

  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public int minimumLength() {
    return BitMask.lengthOf(maskBits());
  }

  @Override
  public boolean isDelimited() {
    return delimited;
  }

  @Override
  public Codec select(BitSet selected) {
    return new RowCodec(StoredField.select(fields, slots, selected), arity, supportsKind);
  }

  @Override
  public Codec mapParts(UnaryOperator<Codec> replacement) {
    return new RowCodec(
        fields.stream()
            .map(field -> new StoredField(field.name(), replacement.apply(field.codec())))
            .toList(),
        arity,
        supportsKind);
  }

  @Override
  public boolean isExact() {
    return hasExactParts();
  }
}
