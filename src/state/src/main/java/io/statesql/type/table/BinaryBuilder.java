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

import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Makes what a {@link BinarySection} reads, as {@code BinaryRowWriter} and {@code
 * BinaryArrayWriter} (flink-table-runtime 2.3) do: a part of fixed length, then areas that each
 * take a multiple of eight bytes. One thread.
 */
final class BinaryBuilder {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;

  private byte[] bytes;
  private int length;

  /**
   * @param fixedLength of the part that comes first, all zeros until it is written
   */
  BinaryBuilder(long fixedLength) {
    require(fixedLength);
    this.bytes = new byte[(int) fixedLength];
    this.length = (int) fixedLength;
  }

  int length() {
    return length;
  }

  void putByte(int at, int value) {
    bytes[at] = (byte) value;
  }

  void putShort(int at, short value) {
    SHORT.set(bytes, at, value);
  }

  void putInt(int at, int value) {
    INT.set(bytes, at, value);
  }

  void putLong(int at, long value) {
    LONG.set(bytes, at, value);
  }

  /** Sets a bit of those that begin at a byte, the lowest of each byte first. */
  void setBit(int at, int bit) {
    bytes[at + bit / Byte.SIZE] |= (byte) (1 << (bit % Byte.SIZE));
  }

  void putBytes(int at, byte[] source) {
    System.arraycopy(source, 0, bytes, at, source.length);
  }

  /** Puts all that another builder made. */
  void putAll(int at, BinaryBuilder part) {
    System.arraycopy(part.bytes, 0, bytes, at, part.length);
  }

  /** Puts where an area begins and how long it is, or another number, into eight bytes. */
  void putArea(int at, int areaOffset, int size) {
    putLong(at, ((long) areaOffset << Integer.SIZE) | size);
  }

  /** Appends an area of zeros; returns where it begins. */
  int append(int size) {
    long newLength = length + roundedUp(size);
    require(newLength);
    if (newLength > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_CAPACITY, Math.max(newLength, 2L * length)));
    }
    int areaOffset = length;
    length = (int) newLength;
    return areaOffset;
  }

  /** Appends an area, and puts its place and length into eight bytes. */
  void appendArea(int at, byte[] source, int size) {
    int areaOffset = append(size);
    System.arraycopy(source, 0, bytes, areaOffset, size);
    putArea(at, areaOffset, size);
  }

  /** Appends what another builder made, likewise. */
  void appendArea(int at, BinaryBuilder part) {
    appendArea(at, part.bytes, part.length);
  }

  /** Writes all behind its length in four big-endian bytes. */
  void writeTo(StateOutput out) {
    out.writeInt(length);
    out.writeBytes(bytes, 0, length);
  }

  /** {@code BinarySegmentUtils#hashByWords} (flink-table-common 2.3). */
  int hash() {
    return RowDataHash.of(bytes, length);
  }

  /** Eight bytes at a time. */
  static long roundedUp(long size) {
    return (size + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  private static void require(long size) {
    if (size > MAX_CAPACITY) {
      throw new UnwritableValueException("it takes more than 2 GB");
    }
  }
}
