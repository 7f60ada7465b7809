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

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of one stored type without the classes of the job. Immutable and thread-safe; all
 * state is in the {@link StateInput}.
 */
public interface Codec {

  /** The SQL shape of what {@link #read} yields. */
  SqlType type();

  /**
   * Reads one value and leaves the input after its last byte.
   *
   * @return the value in the Java form that {@link SqlType} states, or null
   * @throws MalformedValueException if the bytes are not of this type
   * @throws io.statesql.StateSqlException if the value is sound but SQL cannot hold it
   */
  Object read(StateInput in);

  /**
   * Reads a value that is known to take all bytes that are left. Shows more than {@link #read}
   * where the value has a part at its end whose own end cannot be found; is the same otherwise, so
   * a caller must still see to it that no byte is left.
   *
   * @return as {@link #read}
   */
  default Object readLast(StateInput in) {
    return read(in);
  }

  /**
   * Moves the input after one value.
   *
   * @throws TruncatedValueException if the input ends within the value: with more bytes, the same
   *     call may succeed
   * @throws MalformedValueException if the bytes are not of this type
   */
  void skip(StateInput in);

  /**
   * Writes exactly the bytes that the serializer writes for a value.
   *
   * @param value as {@link #read} yields it, or null
   * @throws UnwritableValueException if the stored type cannot hold the value, also null, or if no
   *     value of it can be written, see {@link #unwritable}; a part of the value may stand in the
   *     output then
   */
  void write(@Nullable Object value, StateOutput out);

  /**
   * Why no value can be written, in the words of an {@link UnwritableValueException}; null if
   * values can be, though some may still be refused. A struct with such a field cannot be written
   * as a whole, but {@link #splice} can replace its other fields.
   */
  default @Nullable String unwritable() {
    return null;
  }

  /**
   * Writes a stored row with some of its fields replaced. The bytes of all other fields are copied,
   * whether they can be decoded or not, as is what else tells one value from another: the class of
   * a POJO, the kind of a row. A row that is stored as null becomes one whose other fields are
   * null, unless all the new values are null.
   *
   * <p>A caller must know that {@link #type} is a {@link SqlType.Row}.
   *
   * @param old stands on a value, and is left after it; a value of which the fields are stored one
   *     after the other, or without a known end, takes all that is left
   * @param row new values by position, null where a field is not replaced
   * @param replaced positions in the row
   * @throws UnwritableValueException as {@link #write}, and if a field is replaced that the stored
   *     value does not have
   */
  default void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    Object[] merged = (Object[]) read(old);
    if (merged == null) {
      merged = new Object[row.length];
    }
    for (int i = replaced.nextSetBit(0); i >= 0; i = replaced.nextSetBit(i + 1)) {
      merged[i] = row[i];
    }
    write(merged, out);
  }

  /** The codec of whole keys that this serializer writes, which may show more than values do. */
  default Codec ofKey() {
    return ofKeyPart();
  }

  /** As {@link #ofKey}, of keys that this is a part of. */
  default Codec ofKeyPart() {
    return this;
  }

  /**
   * The hash code of the object that the serializer makes of a key.
   *
   * @return null if it cannot be known without a class of the job, or if Flink has no keys of this
   *     type
   */
  default @Nullable KeyHash keyHash() {
    return null;
  }

  /**
   * The hash code that keys have if their class, which is not known, computes it as most of its
   * kind do. To be believed only where the key groups of stored keys bear it out.
   *
   * @return {@link #keyHash} where that is known; null if there is not even a guess
   */
  default @Nullable KeyHash likelyKeyHash() {
    return keyHash();
  }

  /**
   * A codec that decodes some fields of a row and skips the others, nested rows as a whole. {@link
   * #read} and {@link #readLast} yield an array of the same width and move the input as far. A
   * field that is not selected is null there, unless it costs nothing: the name of a class or of an
   * alternative.
   *
   * @param fields positions in the {@link SqlType.Row} that {@link #type} is
   * @return this if it is of another type or its fields cannot be skipped
   */
  default Codec select(BitSet fields) {
    return this;
  }

  /**
   * What the serializer's {@code getLength()} returns: the fixed number of bytes, or -1. Decides
   * how Flink frames composite keys, so it is the serializer's own word even where that is not the
   * truth ({@code VoidNamespaceSerializer}: 0, though it writes one byte).
   */
  int declaredLength();

  /**
   * Whether the end of a value can be found from its bytes. Not so for an opaque one, which takes
   * all bytes that are left; what follows it in the same input is lost.
   */
  boolean isDelimited();

  /**
   * Whether SQL takes two values for equal only if their stored bytes are equal, see {@link
   * ExactTypes}.
   */
  default boolean isExact() {
    return false;
  }

  /** Whether the type of the codec alone tells which bytes a value is stored as. */
  default boolean hasFixedForm() {
    return isExact();
  }

  /**
   * The fewest bytes that any value takes; lets a reader check a stored count before it allocates.
   */
  default int minimumLength() {
    return Math.max(1, declaredLength());
  }
}
