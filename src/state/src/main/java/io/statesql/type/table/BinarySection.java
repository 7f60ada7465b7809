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

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/**
 * The bytes of one {@code BinaryRowData}, {@code BinaryArrayData} or {@code BinaryMapData}
 * (flink-table-common 2.3): little-endian, for Flink writes them in the order of its machine. All
 * positions count from the start of the section. Every read is checked, and areas that its parts
 * take may not exceed it in sum, so that parts which hostile bytes make overlap do not multiply.
 * One thread.
 */
final class BinarySection {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int from;
  private final int length;
  private final long offset;
  private int room;

  private BinarySection(byte[] bytes, int from, int length, long offset) {
    this.bytes = bytes;
    this.from = from;
    this.length = length;
    this.offset = offset;
    this.room = length;
  }

  /** The section behind its length in four big-endian bytes; leaves the input after it. */
  static BinarySection read(StateInput in) {
    int length = in.readCount(1);
    BinarySection section = new BinarySection(in.array(), in.position(), length, in.offset());
    in.skip(length);
    return section;
  }

  int length() {
    return length;
  }

  byte byteAt(int at) {
    require(at, Byte.BYTES);
    return bytes[from + at];
  }

  short shortAt(int at) {
    require(at, Short.BYTES);
    return (short) SHORT.get(bytes, from + at);
  }

  int intAt(int at) {
    require(at, Integer.BYTES);
    return (int) INT.get(bytes, from + at);
  }

  long longAt(int at) {
    require(at, Long.BYTES);
    return (long) LONG.get(bytes, from + at);
  }

  /** A bit of those that begin at a byte, the lowest of each byte first. */
  boolean bitAt(int at, int bit) {
    return (byteAt(at + bit / Byte.SIZE) & (1 << (bit % Byte.SIZE))) != 0;
  }

  /** A part of this section that is one itself. */
  BinarySection area(int at, int size) {
    take(at, size);
    return new BinarySection(bytes, from + at, size, offset + at);
  }

  /** A part of this section as an input that ends with it. */
  StateInput input(int at, int size) {
    take(at, size);
    return new StateInput().reset(bytes, from + at, size, offset + at);
  }

  byte[] bytes(int at, int size) {
    take(at, size);
    return Arrays.copyOfRange(bytes, from + at, from + at + size);
  }

  String text(int at, int size) {
    take(at, size);
    if (isAscii(at, size)) {
      return new String(bytes, from + at, size, ISO_8859_1);
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from + at, size)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedValueException(offset + at, "text is not UTF-8", e);
    }
  }

  private boolean isAscii(int at, int size) {
    for (int i = from + at; i < from + at + size; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  MalformedValueException malformed(int at, String reason) {
    return new MalformedValueException(offset + at, reason);
  }

  private void take(int at, int size) {
    require(at, size);
    room -= size;
    if (room < 0) {
      throw malformed(at, "the parts of a value of " + length + " bytes overlap");
    }
  }

  private void require(int at, int size) {
    if (at < 0 || size < 0 || at > length - size) {
      throw malformed(
          0, size + " bytes at " + at + " lie outside of a value of " + length + " bytes");
    }
  }
}
