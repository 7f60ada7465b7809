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
package io.statesql.snapshot;

import io.statesql.type.StateInput;
import java.util.Arrays;

/**
 * An immutable run of bytes, often a window of a larger array (state inlined in the metadata is not
 * copied out of it). Safe for use by many threads.
 */
public final class Bytes implements Comparable<Bytes> {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

  private final byte[] array;
  private final int from;
  private final int length;

  private Bytes(byte[] array, int from, int length) {
    this.array = array;
    this.from = from;
    this.length = length;
  }

  /** A copy of an array. */
  public static Bytes copyOf(byte[] bytes) {
    return new Bytes(bytes.clone(), 0, bytes.length);
  }

  /** A copy of what is left in an input, which stays where it is. */
  public static Bytes rest(StateInput in) {
    byte[] copy = Arrays.copyOfRange(in.array(), in.position(), in.limit());
    return new Bytes(copy, 0, copy.length);
  }

  /** A window of an array that nobody will write to any more. */
  static Bytes window(byte[] array, int from, int length) {
    if (from < 0 || length < 0 || from > array.length - length) {
      throw new IndexOutOfBoundsException(from + "+" + length + " of " + array.length);
    }
    return new Bytes(array, from, length);
  }

  public int length() {
    return length;
  }

  /** The array that holds them, not to be written to. */
  byte[] array() {
    return array;
  }

  /** Where in the array they begin. */
  int from() {
    return from;
  }

  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, from, from + length);
  }

  /** A cursor over a copy of the bytes, whose offsets count from their start. */
  public StateInput input() {
    return new StateInput(toByteArray());
  }

  /** Orders by unsigned bytes; what begins another stands before it. */
  @Override
  public int compareTo(Bytes that) {
    return Arrays.compareUnsigned(
        array, from, from + length, that.array, that.from, that.from + that.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that
        && Arrays.equals(
            array, from, from + length, that.array, that.from, that.from + that.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + array[i];
    }
    return hash;
  }

  @Override
  public String toString() {
    return length + " bytes";
  }
}
