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
package io.statesql.type.avro;

import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Writes what {@link AvroInput} reads: {@code DataOutputEncoder} (flink-avro 2.3). */
public final class AvroOutput {
  private static final int GROUP_BITS = 7;
  private static final int MORE = 0x80;

  private AvroOutput() {}

  /** Four bytes of length and UTF-8. */
  public static void writeText(String text, StateOutput out) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      out.writeInt(bytes.remaining());
      out.writeBytes(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    } catch (CharacterCodingException e) {
      throw new UnwritableValueException("its text holds half of a surrogate pair", e);
    }
  }

  /** Four bytes of length and as many bytes. */
  static void writeBytes(byte[] bytes, StateOutput out) {
    out.writeInt(bytes.length);
    out.writeBytes(bytes);
  }

  /** A number in two's complement, in so many bytes. */
  static void writeFixed(byte[] number, int size, StateOutput out) {
    if (number.length > size) {
      throw new UnwritableValueException(
          new BigInteger(number) + " does not fit into the " + size + " bytes that are stored");
    }
    int sign = number[0] < 0 ? 0xFF : 0;
    for (int i = number.length; i < size; i++) {
      out.writeByte(sign);
    }
    out.writeBytes(number);
  }

  /** The number of elements of an array or map, unless there are none. */
  static void writeBlockCount(int count, StateOutput out) {
    if (count > 0) {
      int rest = count;
      while (rest >= MORE) {
        out.writeByte(rest | MORE);
        rest >>>= GROUP_BITS;
      }
      out.writeByte(rest);
    }
  }

  /** What follows the elements. */
  static void writeBlockEnd(StateOutput out) {
    out.writeByte(0);
  }
}
