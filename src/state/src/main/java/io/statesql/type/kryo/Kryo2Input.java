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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The same over what Kryo 2.24 wrote, whose numbers of a fixed length begin with the highest byte.
 * Those of a variable length, and text, are the same.
 */
final class Kryo2Input extends KryoInput {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  Kryo2Input(byte[] bytes, int offset, int length) {
    super(bytes, offset, length);
  }

  /** Where a number of so many bytes stands, behind which the input is left. */
  private int next(int bytes) {
    require(bytes);
    int at = position;
    position += bytes;
    return at;
  }

  @Override
  public short readShort() {
    return (short) SHORT.get(buffer, next(Short.BYTES));
  }

  @Override
  public char readChar() {
    return (char) readShort();
  }

  @Override
  public int readInt() {
    return (int) INT.get(buffer, next(Integer.BYTES));
  }

  @Override
  public long readLong() {
    return (long) LONG.get(buffer, next(Long.BYTES));
  }

  @Override
  public float readFloat() {
    return Float.intBitsToFloat(readInt());
  }

  @Override
  public double readDouble() {
    return Double.longBitsToDouble(readLong());
  }

  @Override
  public int[] readInts(int length) {
    int[] values = new int[checkCount(length, Integer.BYTES)];
    for (int i = 0; i < length; i++) {
      values[i] = readInt();
    }
    return values;
  }

  @Override
  public long[] readLongs(int length) {
    long[] values = new long[checkCount(length, Long.BYTES)];
    for (int i = 0; i < length; i++) {
      values[i] = readLong();
    }
    return values;
  }

  @Override
  public float[] readFloats(int length) {
    float[] values = new float[checkCount(length, Float.BYTES)];
    for (int i = 0; i < length; i++) {
      values[i] = readFloat();
    }
    return values;
  }

  @Override
  public double[] readDoubles(int length) {
    double[] values = new double[checkCount(length, Double.BYTES)];
    for (int i = 0; i < length; i++) {
      values[i] = readDouble();
    }
    return values;
  }

  @Override
  public short[] readShorts(int length) {
    short[] values = new short[checkCount(length, Short.BYTES)];
    for (int i = 0; i < length; i++) {
      values[i] = readShort();
    }
    return values;
  }

  @Override
  public char[] readChars(int length) {
    char[] values = new char[checkCount(length, Character.BYTES)];
    for (int i = 0; i < length; i++) {
      values[i] = readChar();
    }
    return values;
  }
}
