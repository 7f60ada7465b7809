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
package io.statesql.type.pojo;

import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.NullFlag;
import io.statesql.type.RowShape;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.StoredField;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One class that a {@code PojoSerializer} writes field by field.
 *
 * @param fields those that can be told apart, in stored order
 * @param declaringClasses of the fields, by the same index; empty where the snapshot has no name
 * @param delimited whether all stored fields are among {@code fields} and have an end
 */
record PojoClass(
    String name, List<StoredField> fields, List<String> declaringClasses, boolean delimited) {

  static PojoClass of(String name, List<StoredField> stored, List<String> declaringClasses) {
    return new PojoClass(
        name, StoredField.separable(stored), declaringClasses, StoredField.areDelimited(stored));
  }

  /** The same class, of whose fields those that are not selected are skipped. */
  PojoClass select(List<RowShape.Slot> slots, BitSet selected) {
    return new PojoClass(
        name, StoredField.select(fields, slots, selected), declaringClasses, delimited);
  }

  PojoClass mapParts(UnaryOperator<Codec> replacement) {
    return new PojoClass(
        name,
        fields.stream()
            .map(field -> new StoredField(field.name(), replacement.apply(field.codec())))
            .toList(),
        declaringClasses,
        delimited);
  }

  /** Reads the fields into their slots. */
  void read(StateInput in, List<RowShape.Slot> slots, Object[] row) {
    for (int i = 0; i < fields.size(); i++) {
      if (NullFlag.IS_NULL.isValueNext(in)) {
        slots.get(i).put(row, fields.get(i).codec().read(in));
      }
    }
    skipLost(in);
  }

  /** As {@link #read} of a value that takes all bytes that are left. */
  void readLast(StateInput in, List<RowShape.Slot> slots, Object[] row) {
    int last = fields.size() - 1;
    if (last < 0 || !delimited) {
      // Bytes of fields that are not shown may follow the last one.
      read(in, slots, row);
      return;
    }
    for (int i = 0; i <= last; i++) {
      if (NullFlag.IS_NULL.isValueNext(in)) {
        Codec field = fields.get(i).codec();
        try {
          slots.get(i).put(row, i < last ? field.read(in) : field.readLast(in));
        } catch (StateSqlException e) {
          StoredField.skipRest(e, fields.subList(i, fields.size()), in);
          break;
        }
      }
    }
  }

  /** Writes the fields of a row. */
  void write(Object[] row, List<RowShape.Slot> slots, StateOutput out) {
    for (int i = 0; i < fields.size(); i++) {
      boolean isPresent = slots.get(i).get(row) != null;
      NullFlag.IS_NULL.write(isPresent, out);
      if (isPresent) {
        slots.get(i).write(fields.get(i), row, out);
      }
    }
  }

  /** Writes the fields of a stored value, some of them replaced; see {@link Codec#splice}. */
  void splice(
      StateInput old, Object[] row, List<RowShape.Slot> slots, BitSet replaced, StateOutput out) {
    for (int i = 0; i < fields.size(); i++) {
      RowShape.Slot slot = slots.get(i);
      boolean wasPresent = NullFlag.IS_NULL.isValueNext(old);
      boolean decides = slot.isReplaced(replaced) || (!wasPresent && !slot.isKept(replaced));
      boolean isPresent = decides ? slot.get(row) != null : wasPresent;
      NullFlag.IS_NULL.write(isPresent, out);
      int start = old.position();
      try {
        slot.spliceNullable(fields.get(i).codec(), wasPresent, isPresent, old, row, replaced, out);
      } catch (StateSqlException e) {
        List<RowShape.Slot> rest = slots.subList(i, fields.size());
        StoredField.copyRest(e, rest, replaced, start, old, out);
        return;
      }
    }
    StoredField.copyLost(delimited, old, out);
  }

  void skip(StateInput in) {
    for (StoredField field : fields) {
      if (NullFlag.IS_NULL.isValueNext(in)) {
        field.codec().skip(in);
      }
    }
    skipLost(in);
  }

  /** When the undelimited field is null, the fields behind it still take the rest. */
  private void skipLost(StateInput in) {
    if (!delimited) {
      in.skip(in.remaining());
    }
  }
}
