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

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.FormatMethod;
import java.io.UTFDataFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A bounded cursor over bytes in memory, big-endian as {@link java.io.DataOutput} writes them.
 * Every read is checked against what is left before anything is allocated, so hostile lengths cost
 * nothing. Reusable by {@link #reset}; not thread-safe.
 */
public final class StateInput {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int position;
  private int limit;

  /** Offset in the enclosing file or stream of {@code bytes[0]}. */
  private long base;

  /** A cursor over no bytes, to be {@link #reset}. */
  public StateInput() {
    this(new byte[0]);
  }

  public StateInput(byte[] bytes) {
    reset(bytes, 0, bytes.length, 0);
  }

  /**
   * Points the cursor at other bytes, without copying them.
   *
   * @param baseOffset offset in the enclosing file of {@code bytes[from]}, for error messages
   */
  public StateInput reset(byte[] bytes, int from, int length, long baseOffset) {
    if (from < 0 || length < 0 || from > bytes.length - length) {
      throw new IndexOutOfBoundsException(from + "+" + length + " of " + bytes.length);
    }
    this.bytes = bytes;
    this.position = from;
    this.limit = from + length;
    this.base = baseOffset - from;
    return this;
  }

  /** Points the cursor at what is left in another one, which stays where it is. */
  public StateInput reset(StateInput rest) {
    return reset(rest.bytes, rest.position, rest.remaining(), rest.offset());
  }

  /** Points the cursor at a part of the array behind another one. */
  public StateInput window(StateInput enclosing, int from, int length) {
    return reset(enclosing.bytes, from, length, enclosing.base + from);
  }

  /** The array behind the cursor; valid from {@link #position} to {@link #limit}. */
  public byte[] array() {
    return bytes;
  }

  /** Index in {@link #array} of the next byte. */
  public int position() {
    return position;
  }

  /** Moves to an index between the current bounds of the array; for readers that looked ahead. */
  public void position(int newPosition) {
    if (newPosition < 0 || newPosition > limit) {
      throw malformed("position %d is outside of 0..%d", newPosition, limit);
    }
    position = newPosition;
  }

  /** Index in {@link #array} after the last byte. */
  public int limit() {
    return limit;
  }

  public int remaining() {
    return limit - position;
  }

  /** Offset of the next byte in the enclosing file or stream. */
  public long offset() {
    return base + position;
  }

  public byte readByte() {
    require(1);
    return bytes[position++];
  }

  public int readUnsignedByte() {
    return readByte() & 0xFF;
  }

  /** A byte that must be 0 or 1; anything else means that we do not stand where we think. */
  public boolean readBoolean() {
    byte value = readByte();
    if (value != 0 && value != 1) {
      position--;
      throw malformed("expected a boolean (0 or 1) but found %d", value & 0xFF);
    }
    return value == 1;
  }

  public short readShort() {
    require(Short.BYTES);
    short value = (short) SHORT.get(bytes, position);
    position += Short.BYTES;
    return value;
  }

  public int readUnsignedShort() {
    return readShort() & 0xFFFF;
  }

  public char readChar() {
    return (char) readShort();
  }

  public int readInt() {
    require(Integer.BYTES);
    int value = (int) INT.get(bytes, position);
    position += Integer.BYTES;
    return value;
  }

  public long readLong() {
    require(Long.BYTES);
    long value = (long) LONG.get(bytes, position);
    position += Long.BYTES;
    return value;
  }

  public float readFloat() {
    return Float.intBitsToFloat(readInt());
  }

  public double readDouble() {
    return Double.longBitsToDouble(readLong());
  }

  public byte[] readBytes(int length) {
    if (length < 0) {
      throw malformed("a length is negative (%d)", length);
    }
    require(length);
    byte[] copy = new byte[length];
    System.arraycopy(bytes, position, copy, 0, length);
    position += length;
    return copy;
  }

  /**
   * A count of things to come, each at least {@code minimumBytes} long. Checked against what is
   * left, so that a caller may allocate by it.
   */
  public int readCount(int minimumBytes) {
    int count = readInt();
    if (count < 0) {
      position -= Integer.BYTES;
      throw malformed("a count is negative (%d)", count);
    }
    long missing = (long) count * minimumBytes - remaining();
    if (missing > 0) {
      position -= Integer.BYTES;
      throw truncated(
          missing,
          "a count of %d cannot be right: only %d bytes are left",
          count,
          remaining() - Integer.BYTES);
    }
    return count;
  }

  /** A string of {@link java.io.DataOutput#writeUTF}: two bytes of length, modified UTF-8. */
  public String readUtf() {
    int length = readUnsignedShort();
    require(length);
    int from = position;
    position += length;
    boolean isAscii = true;
    for (int i = from; i < position; i++) {
      if (bytes[i] == 0) {
        // A null character is written as two other bytes, so this is where something was erased.
        throw new MalformedValueException(base + i, "text is not modified UTF-8");
      }
      isAscii &= bytes[i] > 0;
    }
    return isAscii ? new String(bytes, from, length, UTF_8) : decodeModifiedUtf(from, length);
  }

  private String decodeModifiedUtf(int from, int length) {
    try {
      byte[] framed = new byte[length + 2];
      framed[0] = (byte) (length >>> 8);
      framed[1] = (byte) length;
      System.arraycopy(bytes, from, framed, 2, length);
      return new java.io.DataInputStream(new java.io.ByteArrayInputStream(framed)).readUTF();
    } catch (UTFDataFormatException e) {
      throw new MalformedValueException(base + from, "text is not modified UTF-8", e);
    } catch (java.io.IOException e) {
      throw new MalformedValueException(base + from, "text cannot be read", e);
    }
  }

  public void skip(long length) {
    if (length < 0) {
      throw malformed("a length is negative (%d)", length);
    }
    if (length > remaining()) {
      throw tooShort(length);
    }
    position += (int) length;
  }

  /** Refuses bytes left over: the sign that a value is not what its serializer says. */
  public void requireEnd() {
    if (position != limit) {
      throw malformed("%d bytes are left over after the value", remaining());
    }
  }

  /** An exception that carries the present offset. */
  @FormatMethod
  public MalformedValueException malformed(String format, Object... args) {
    return new MalformedValueException(
        offset(), String.format(java.util.Locale.ROOT, format, args));
  }

  /**
   * An exception that carries the present offset and says that bytes are missing.
   *
   * @param missingBytes how many at least
   */
  @FormatMethod
  TruncatedValueException truncated(long missingBytes, String format, Object... args) {
    return new TruncatedValueException(
        offset(), missingBytes, String.format(java.util.Locale.ROOT, format, args));
  }

  private TruncatedValueException tooShort(long length) {
    return truncated(
        length - remaining(), "%d bytes are needed but only %d are left", length, remaining());
  }

  private void require(int length) {
    if (length > limit - position) {
      throw tooShort(length);
    }
  }
}
