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

import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/**
 * The parts of Flink's own form of Avro data that other serializers do not have: {@code
 * DataOutputEncoder} (flink-avro 2.3), which is not Avro's binary form.
 */
public final class AvroInput {
  private static final int GROUP_BITS = 7;
  private static final int MORE = 0x80;
  private static final int MOST_BITS = 31;

  private AvroInput() {}

  /** Four bytes of length and UTF-8. */
  public static String readText(StateInput in) {
    int length = in.readCount(1);
    long offset = in.offset();
    ByteBuffer bytes = ByteBuffer.wrap(in.array(), in.position(), length);
    in.skip(length);
    try {
      return UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedValueException(offset, "text is not UTF-8", e);
    }
  }

  public static void skipText(StateInput in) {
    in.skip(in.readCount(1));
  }

  /** Four bytes of length and as many bytes. */
  static byte[] readBytes(StateInput in) {
    return in.readBytes(in.readCount(1));
  }

  /**
   * The number of elements in the next block of an array or map, 0 at its end: groups of seven
   * bits, lowest first. Not yet checked against what is left, for elements may take no bytes.
   */
  static int readBlockCount(StateInput in) {
    long count = 0;
    for (int shift = 0; ; shift += GROUP_BITS) {
      int group = in.readUnsignedByte();
      count |= (long) (group & ~MORE) << shift;
      if (shift > MOST_BITS || count > Integer.MAX_VALUE) {
        throw in.malformed("a block of an array or map cannot have so many elements");
      }
      if (group < MORE) {
        return (int) count;
      }
    }
  }

  /** Which of so many branches or symbols follows. */
  static int readIndex(StateInput in, int count, String what) {
    long offset = in.offset();
    int index = in.readInt();
    if (index < 0 || index >= count) {
      throw new MalformedValueException(
          offset, "the index " + index + " is not one of the " + count + " of " + what);
    }
    return index;
  }
}
