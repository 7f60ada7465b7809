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

import io.statesql.type.Codec;
import io.statesql.type.KeyHash;
import io.statesql.type.RowShape;
import io.statesql.type.StoredField;
import io.statesql.type.UnwritableValueException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The hash codes of keys that are made of others. */
final class FieldHashes {
  private static final int FACTOR = 31;

  private FieldHashes() {}

  /** {@code Tuple1#hashCode} to {@code Tuple25#hashCode}, flink-core-api 2.3. */
  static @Nullable KeyHash ofTuple(List<StoredField> fields, List<RowShape.Slot> slots) {
    if (!areHashed(fields)) {
      return null;
    }
    return key -> {
      Object[] row = (Object[]) key;
      int hash = 0;
      for (int i = 0; i < slots.size(); i++) {
        Object field = slots.get(i).get(row);
        hash = FACTOR * hash + (field == null ? 0 : fields.get(i).codec().keyHash().of(field));
      }
      return hash;
    };
  }

  /**
   * {@code RowUtils#deepHashCodeRow}, flink-core 1.12 to 2.3: the kind, and of each field what
   * {@code Arrays#deepHashCode} makes of it alone.
   *
   * @param kindSlot null if the kind is not stored, which is then that of an insertion
   */
  static @Nullable KeyHash ofRow(
      List<StoredField> fields, List<RowShape.Slot> slots, RowShape.@Nullable Slot kindSlot) {
    if (!areHashed(fields)) {
      return null;
    }
    return key -> {
      Object[] row = (Object[]) key;
      int hash = 1;
      for (int i = 0; i < slots.size(); i++) {
        Object field = slots.get(i).get(row);
        hash =
            FACTOR * hash
                + (field == null ? 0 : FACTOR + fields.get(i).codec().keyHash().of(field));
      }
      Object kind = kindSlot == null ? null : kindSlot.get(row);
      return FACTOR * (kind == null ? 0 : RowCodec.KINDS.indexOf(kind)) + hash;
    };
  }

  /** Of a part that Flink asks for its hash code whatever it is. */
  static int required(@Nullable Object part, Codec codec) {
    if (part == null) {
      throw new UnwritableValueException("a part of a key is NULL, which has no hash code");
    }
    return codec.keyHash().of(part);
  }

  private static boolean areHashed(List<StoredField> fields) {
    return fields.stream().allMatch(field -> field.codec().keyHash() != null);
  }
}
