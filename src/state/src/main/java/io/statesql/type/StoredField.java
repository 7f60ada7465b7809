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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One field of a stored struct. */
public record StoredField(String name, Codec codec) {

  /**
   * The fields that can be told apart: all, or those up to the first undelimited one, which then
   * says what is lost.
   */
  public static List<StoredField> separable(List<StoredField> fields) {
    for (int i = 0; i < fields.size(); i++) {
      StoredField field = fields.get(i);
      if (!field.codec().isDelimited()) {
        List<String> later =
            fields.subList(i + 1, fields.size()).stream().map(StoredField::name).toList();
        List<StoredField> shown = new ArrayList<>(fields.subList(0, i));
        shown.add(new StoredField(field.name(), LostFields.note(field.codec(), later)));
        return List.copyOf(shown);
      }
    }
    return List.copyOf(fields);
  }

  /**
   * The same fields, of which those that are not selected are skipped when they are read.
   *
   * @param slots of the fields in the row
   * @param selected positions in the row
   */
  public static List<StoredField> select(
      List<StoredField> fields, List<RowShape.Slot> slots, BitSet selected) {
    List<StoredField> result = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      StoredField field = fields.get(i);
      result.add(new StoredField(field.name(), slots.get(i).select(field.codec(), selected)));
    }
    return result;
  }

  /**
   * Passes over the rest of a struct that takes all bytes that are left, from a field on whose end
   * cannot be found without a class: nobody asked for it, or for one behind it.
   *
   * @param fault what reading that field threw
   * @throws StateSqlException the fault, if it is another one, or somebody asked
   */
  public static void skipRest(StateSqlException fault, List<StoredField> rest, StateInput in) {
    boolean isAskedFor = rest.stream().anyMatch(field -> !(field.codec() instanceof SkippedCodec));
    if (isAskedFor || fault.code() != ErrorCode.UNDECODABLE_STATE) {
      throw fault;
    }
    in.skip(in.remaining());
  }

  /**
   * Copies the rest of a stored struct, from a field on whose end cannot be found without a class:
   * none of its fields is replaced. The struct takes all bytes that are left, as what is spliced
   * does.
   *
   * @param fault what passing over that field threw
   * @param rest the slots of that field and of those behind it
   * @param start where the field begins in the input
   * @throws StateSqlException the fault, if it is another one, or some field is replaced
   */
  public static void copyRest(
      StateSqlException fault,
      List<RowShape.Slot> rest,
      BitSet replaced,
      int start,
      StateInput old,
      StateOutput out) {
    boolean isKept = rest.stream().allMatch(slot -> slot.isKept(replaced));
    if (!isKept || fault.code() != ErrorCode.UNDECODABLE_STATE) {
      throw fault;
    }
    old.position(start);
    out.writeRest(old);
    old.skip(old.remaining());
  }

  /** Why a struct of these fields cannot be written as a whole; null if it can be. */
  public static @Nullable String unwritable(List<StoredField> fields) {
    for (StoredField field : fields) {
      // Asked once: each asking may ask all fields below.
      String reason = field.codec().unwritable();
      if (reason != null) {
        return "of its field " + field.name() + ", " + reason;
      }
    }
    return null;
  }

  /** Copies what follows the fields that can be told apart. */
  public static void copyLost(boolean delimited, StateInput old, StateOutput out) {
    if (!delimited) {
      out.writeRest(old);
      old.skip(old.remaining());
    }
  }

  public static boolean areDelimited(List<StoredField> fields) {
    return fields.stream().allMatch(field -> field.codec().isDelimited());
  }
}
