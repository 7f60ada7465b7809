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
package io.statesql.type.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.KryoBufferUnderflowException;
import io.statesql.type.serializer.KryoVersion;

/**
 * Kryo's input over bytes in memory, made strict: a length is checked against the bytes that are
 * left before anything is allocated, and text and booleans must be what {@code
 * com.esotericsoftware.kryo.io.Output} 5.6 writes.
 */
class KryoInput extends Input {

  /** Reads {@code bytes} without copying or changing them. */
  KryoInput(byte[] bytes, int offset, int length) {
    super(bytes, offset, length);
  }

  static KryoInput of(KryoVersion version, byte[] bytes, int offset, int length) {
    return version == KryoVersion.KRYO_2
        ? new Kryo2Input(bytes, offset, length)
        : new KryoInput(bytes, offset, length);
  }

  int remaining() {
    return limit - position;
  }

  /**
   * Refuses a count of things of which each takes {@code minimumBytes} or more, so that a caller
   * may allocate by it.
   */
  int checkCount(int count, int minimumBytes) {
    if (count < 0) {
      throw new KryoException("a count is negative (" + count + ")");
    }
    if ((long) count * minimumBytes > remaining()) {
      throw new KryoBufferUnderflowException(
          "a count of " + count + " cannot be right: only " + remaining() + " bytes are left");
    }
    return count;
  }

  @Override
  protected int require(int required) {
    int remaining = remaining();
    if (remaining < required) {
      throw new KryoBufferUnderflowException(
          required + " bytes are needed but only " + remaining + " are left");
    }
    return remaining;
  }

  @Override
  public boolean readBoolean() {
    byte value = readByte();
    if (value != 0 && value != 1) {
      throw new KryoException("expected a boolean (0 or 1) but found " + (value & 0xFF));
    }
    return value == 1;
  }

  @Override
  public byte[] readBytes(int length) {
    return super.readBytes(checkCount(length, 1));
  }

  @Override
  public int[] readInts(int length) {
    return super.readInts(checkCount(length, Integer.BYTES));
  }

  @Override
  public int[] readInts(int length, boolean optimizePositive) {
    return super.readInts(checkCount(length, 1), optimizePositive);
  }

  @Override
  public long[] readLongs(int length) {
    return super.readLongs(checkCount(length, Long.BYTES));
  }

  @Override
  public long[] readLongs(int length, boolean optimizePositive) {
    return super.readLongs(checkCount(length, 1), optimizePositive);
  }

  @Override
  public float[] readFloats(int length) {
    return super.readFloats(checkCount(length, Float.BYTES));
  }

  @Override
  public double[] readDoubles(int length) {
    return super.readDoubles(checkCount(length, Double.BYTES));
  }

  @Override
  public short[] readShorts(int length) {
    return super.readShorts(checkCount(length, Short.BYTES));
  }

  @Override
  public char[] readChars(int length) {
    return super.readChars(checkCount(length, Character.BYTES));
  }

  /** As many booleans, one byte each. */
  @Override
  public boolean[] readBooleans(int length) {
    boolean[] values = new boolean[checkCount(length, 1)];
    for (int i = 0; i < length; i++) {
      values[i] = readBoolean();
    }
    return values;
  }

  @Override
  public StringBuilder readStringBuilder() {
    String text = readString();
    return text == null ? null : new StringBuilder(text);
  }

  /** Text that must not be null, where Kryo's serializers never write null. */
  String readText() {
    String text = readString();
    if (text == null) {
      throw new KryoException("a text is missing");
    }
    return text;
  }

  @Override
  public String readString() {
    if (!readVarIntFlag()) {
      return readAscii();
    }
    int stored = readVarIntFlag(true);
    if (stored == 0) {
      return null;
    }
    int length = checkCount(stored - 1, 1);
    char[] text = new char[length];
    for (int i = 0; i < length; i++) {
      text[i] = readUtf8Char();
    }
    return new String(text);
  }

  /** ASCII of any length whose last byte has its high bit set. */
  private String readAscii() {
    int end = position;
    while (end < limit && buffer[end] >= 0) {
      end++;
    }
    int length = end + 1 - position;
    require(length);
    char[] text = new char[length];
    for (int i = 0; i < length; i++) {
      text[i] = (char) (buffer[position + i] & 0x7F);
    }
    position += length;
    return new String(text);
  }

  /** One UTF-16 unit in one to three bytes; Kryo encodes surrogates one by one. */
  private char readUtf8Char() {
    int first = readByte() & 0xFF;
    if (first < 0x80) {
      return (char) first;
    }
    if (first >> 5 == 0b110) {
      return (char) ((first & 0x1F) << 6 | readContinuation());
    }
    if (first >> 4 == 0b1110) {
      return (char) ((first & 0x0F) << 12 | readContinuation() << 6 | readContinuation());
    }
    throw new KryoException("text is not UTF-8 as Kryo writes it");
  }

  private int readContinuation() {
    int next = readByte() & 0xFF;
    if (next >> 6 != 0b10) {
      throw new KryoException("text is not UTF-8 as Kryo writes it");
    }
    return next & 0x3F;
  }
}
