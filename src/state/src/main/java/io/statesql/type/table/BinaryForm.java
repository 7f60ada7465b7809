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
import io.statesql.type.ExactTypes;
import io.statesql.type.SqlType;
import io.statesql.type.UnwritableValueException;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one type stand in a {@link BinarySection}: in the fixed part of it, or there
 * their place and in an area of their own the rest. A field of a row has eight bytes in the fixed
 * part, an element of an array {@link #width}. Null is a bit elsewhere. Immutable and thread-safe.
 */
interface BinaryForm {

  /** The SQL shape of what {@link #read} yields. */
  SqlType type();

  /** How many bytes an element of an array takes in the fixed part. */
  int width();

  /**
   * Reads a value that is not null in its row or array.
   *
   * @param at where its bytes in the fixed part begin
   */
  @Nullable Object read(BinarySection in, int at);

  /**
   * Writes a value that is not {@linkplain #isNull null}, over zeros.
   *
   * @throws UnwritableValueException as {@link Codec#write}
   */
  void write(@Nullable Object value, BinaryBuilder out, int at);

  /** Whether a value stands for null. */
  default boolean isNull(@Nullable Object value) {
    return value == null;
  }

  /**
   * The length of the area that a null of a generated row keeps, so that it can become a value in
   * place; 0 for none.
   */
  default int areaOfNull() {
    return 0;
  }

  /** Copies a field of a row, which is not null, with its area. */
  default void copy(BinarySection in, int at, BinaryBuilder out, int to) {
    out.putLong(to, in.longAt(at));
  }

  /** As {@link Codec#unwritable}. */
  default @Nullable String unwritable() {
    return null;
  }

  /**
   * Whether SQL takes two values, or nulls, for equal only if their bytes are, see {@link
   * ExactTypes}.
   */
  default boolean isExact() {
    return false;
  }
}
