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

import java.io.UTFDataFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that grow as they are written, big-endian as {@link java.io.DataOutput} and Flink's {@code
 * DataOutputSerializer} write them: what a {@link StateInput} reads. Reusable by {@link #reset};
 * not thread-safe.
 */
public final class StateOutput {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int FIRST_CAPACITY = 64;
  private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int length;

  /** Forgets all bytes and keeps the room. */
  public StateOutput reset() {
    length = 0;
    return this;
  }

  /** How many bytes were written. */
  public int length() {
    return length;
  }

  /** Forgets the bytes behind the first ones. */
  public void truncate(int newLength) {
    if (newLength < 0 || newLength > length) {
      throw new IndexOutOfBoundsException(newLength + " of " + length);
    }
    length = newLength;
  }

  /** Writes an int over four bytes that were written before. */
  public void putInt(int at, int value) {
    if (at < 0 || at > length - Integer.BYTES) {
      throw new IndexOutOfBoundsException(at + " of " + length);
    }
    INT.set(bytes, at, value);
  }

  /** The array behind the bytes, valid up to {@link #length} and until more is written. */
  public byte[] array() {
    return bytes;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  public void writeByte(int value) {
    require(1);
    bytes[length++] = (byte) value;
  }

  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /** Writes the lower two bytes. */
  public void writeShort(int value) {
    require(Short.BYTES);
    SHORT.set(bytes, length, (short) value);
    length += Short.BYTES;
  }

  public void writeInt(int value) {
    require(Integer.BYTES);
    INT.set(bytes, length, value);
    length += Integer.BYTES;
  }

  public void writeLong(long value) {
    require(Long.BYTES);
    LONG.set(bytes, length, value);
    length += Long.BYTES;
  }

  /** Keeps the bits of a NaN, so that one that was read is written as it was. */
  public void writeFloat(float value) {
    writeInt(Float.floatToRawIntBits(value));
  }

  /** Keeps the bits of a NaN, so that one that was read is written as it was. */
  public void writeDouble(double value) {
    writeLong(Double.doubleToRawLongBits(value));
  }

  public void writeBytes(byte[] source) {
    writeBytes(source, 0, source.length);
  }

  public void writeBytes(byte[] source, int from, int count) {
    require(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
  }

  /** Writes all that is left in an input, which stays where it is. */
  public void writeRest(StateInput in) {
    writeBytes(in.array(), in.position(), in.remaining());
  }

  /**
   * A string as {@link java.io.DataOutput#writeUTF} does: two bytes of length, modified UTF-8.
   *
   * @throws UTFDataFormatException if it takes more than 65535 bytes
   */
  public void writeUtf(String text) throws UTFDataFormatException {
    int count = 0;
    for (int i = 0; i < text.length(); i++) {
      count += modifiedUtfLength(text.charAt(i));
    }
    if (count > 0xFFFF) {
      throw new UTFDataFormatException("a text of " + count + " bytes is longer than 65535");
    }
    writeShort(count);
    for (int i = 0; i < text.length(); i++) {
      writeModifiedUtf(text.charAt(i));
    }
  }

  private static int modifiedUtfLength(char unit) {
    if (unit != 0 && unit < 0x80) {
      return 1;
    }
    return unit < 0x800 ? 2 : 3;
  }

  private void writeModifiedUtf(char unit) {
    switch (modifiedUtfLength(unit)) {
      case 1 -> writeByte(unit);
      case 2 -> {
        writeByte(0xC0 | (unit >> 6));
        writeByte(0x80 | (unit & 0x3F));
      }
      default -> {
        writeByte(0xE0 | (unit >> 12));
        writeByte(0x80 | ((unit >> 6) & 0x3F));
        writeByte(0x80 | (unit & 0x3F));
      }
    }
  }

  private void require(int count) {
    if (count > bytes.length - length) {
      grow(count);
    }
  }

  private void grow(int count) {
    long needed = (long) length + count;
    if (needed > MAX_CAPACITY) {
      throw new UnwritableValueException("it takes more than 2 GB");
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_CAPACITY, Math.max(needed, 2L * bytes.length)));
  }
}
