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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.RowShape;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.StoredField;
import io.statesql.type.UnwritableValueException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What follows the head of a POJO's value: the fields of the class that the head names. */
interface PojoTarget {
  String className();

  void read(StateInput in, Object[] row);

  /** As {@link #read} of a value that takes all bytes that are left. */
  void readLast(StateInput in, Object[] row);

  void skip(StateInput in);

  void write(Object[] row, StateOutput out);

  /** As {@link Codec#splice} of what follows the head. */
  void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out);

  /** Why a value of this class cannot be written as a whole, or null. */
  @Nullable String unwritable();

  /** Where its fields lie in the row. */
  List<RowShape.Slot> slots();

  /** The codec of this target, one that skips what is not selected of this row's fields. */
  Codec select(Codec codec, BitSet fields);

  /** The fields of a class. */
  record Fields(PojoClass pojo, List<RowShape.Slot> slots) implements PojoTarget {
    @Override
    public String className() {
      return pojo.name();
    }

    @Override
    public void read(StateInput in, Object[] row) {
      pojo.read(in, slots, row);
    }

    @Override
    public void readLast(StateInput in, Object[] row) {
      pojo.readLast(in, slots, row);
    }

    @Override
    public void skip(StateInput in) {
      pojo.skip(in);
    }

    @Override
    public void write(Object[] row, StateOutput out) {
      pojo.write(row, slots, out);
    }

    @Override
    public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
      pojo.splice(old, row, slots, replaced, out);
    }

    @Override
    public @Nullable String unwritable() {
      return StoredField.unwritable(pojo.fields());
    }

    @Override
    public Codec select(Codec codec, BitSet fields) {
      return ((PojoCodec) codec).withExact(pojo.select(slots, fields));
    }
  }

  /** A record of the subclass's own serializer, which says "exact class" again. */
  record NestedFields(String className, Fields fields) implements PojoTarget {
    @Override
    public void read(StateInput in, Object[] row) {
      requireExact(in);
      fields.read(in, row);
    }

    @Override
    public void readLast(StateInput in, Object[] row) {
      requireExact(in);
      fields.readLast(in, row);
    }

    @Override
    public void skip(StateInput in) {
      requireExact(in);
      fields.skip(in);
    }

    @Override
    public void write(Object[] row, StateOutput out) {
      out.writeByte(PojoCodec.NO_SUBCLASS);
      fields.write(row, out);
    }

    @Override
    public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
      requireExact(old);
      out.writeByte(PojoCodec.NO_SUBCLASS);
      fields.splice(old, row, replaced, out);
    }

    @Override
    public @Nullable String unwritable() {
      return fields.unwritable();
    }

    @Override
    public List<RowShape.Slot> slots() {
      return fields.slots();
    }

    @Override
    public Codec select(Codec codec, BitSet selected) {
      return fields.select(codec, selected);
    }

    private void requireExact(StateInput in) {
      long offset = in.offset();
      int flags = in.readUnsignedByte();
      if (flags != PojoCodec.NO_SUBCLASS) {
        throw new MalformedValueException(
            offset, flags + " is not how a value of the subclass " + className + " begins");
      }
    }
  }

  /** A subclass that is not a POJO: one field holds its whole value. */
  record Whole(String className, Codec codec, RowShape.Slot slot) implements PojoTarget {
    @Override
    public void read(StateInput in, Object[] row) {
      slot.put(row, codec.read(in));
    }

    @Override
    public void readLast(StateInput in, Object[] row) {
      slot.put(row, codec.readLast(in));
    }

    @Override
    public void skip(StateInput in) {
      codec.skip(in);
    }

    @Override
    public void write(Object[] row, StateOutput out) {
      codec.write(slot.get(row), out);
    }

    @Override
    public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
      slot.splice(codec, old, row, replaced, out);
    }

    @Override
    public @Nullable String unwritable() {
      return codec.unwritable();
    }

    @Override
    public List<RowShape.Slot> slots() {
      return List.of(slot);
    }

    @Override
    public Codec select(Codec whole, BitSet fields) {
      return slot.select(whole, fields);
    }
  }

  /**
   * A subclass for which the snapshot has no serializer.
   *
   * @param codec says where its values end, if the job's classes tell; else null
   */
  record Missing(String className, @Nullable Codec codec) implements PojoTarget {

    /**
     * Reads the bytes of a value of which the end is known.
     *
     * @param slot takes them; null if the row has no place for them
     */
    void readBytes(StateInput in, Object[] row, RowShape.@Nullable Slot slot) {
      if (slot == null) {
        throw undecodable();
      }
      int start = in.position();
      skip(in);
      slot.put(row, Binary.of(Arrays.copyOfRange(in.array(), start, in.position())));
    }

    @Override
    public void read(StateInput in, Object[] row) {
      throw undecodable();
    }

    @Override
    public void readLast(StateInput in, Object[] row) {
      throw undecodable();
    }

    @Override
    public void skip(StateInput in) {
      if (codec == null) {
        throw undecodable();
      }
      codec.skip(in);
    }

    @Override
    public void write(Object[] row, StateOutput out) {
      throw new UnwritableValueException(unwritable());
    }

    @Override
    public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
      throw new UnwritableValueException(unwritable());
    }

    @Override
    public String unwritable() {
      return "the snapshot stores no serializer for its class " + className;
    }

    @Override
    public List<RowShape.Slot> slots() {
      return List.of();
    }

    @Override
    public Codec select(Codec whole, BitSet fields) {
      return whole;
    }

    private StateSqlException undecodable() {
      return new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "A value is of the class "
              + className
              + ", for which the snapshot stores no serializer: leave its column out of the query to"
              + " see the others, give the jar that has the class (--jars), or register that class"
              + " as a POJO type in the job before it takes the snapshot.");
    }
  }
}
