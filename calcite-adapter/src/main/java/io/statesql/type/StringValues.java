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

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The text form of {@code org.apache.flink.types.StringValue} (flink-core 2.3): the number of
 * UTF-16 units plus one (0 is null), then each unit, all as 7-bit groups with the lowest first.
 * Unpaired surrogates are units like any other and survive.
 */
final class StringValues {
  private static final int GROUP_BITS = 7;
  private static final int MORE = 0x80;

  private StringValues() {}

  static String read(StateInput in) {
    int length = readLength(in);
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.array();
    int from = in.position();
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < 0) {
        return readUnits(in, length);
      }
    }
    in.skip(length);
    return new String(bytes, from, length, ISO_8859_1);
  }

  static void skip(StateInput in) {
    int length = readLength(in);
    for (int i = 0; i < length; i++) {
      readGroups(in, Character.MAX_VALUE);
    }
  }

  private static String readUnits(StateInput in, int length) {
    char[] units = new char[length];
    for (int i = 0; i < length; i++) {
      units[i] = (char) readGroups(in, Character.MAX_VALUE);
    }
    return new String(units);
  }

  /** The number of units, checked against the bytes that are left; -1 for null. */
  private static int readLength(StateInput in) {
    int length = (int) readGroups(in, Integer.MAX_VALUE) - 1;
    if (length > in.remaining()) {
      throw in.malformed(
          "a text of %d characters cannot be right: only %d bytes are left",
          length, in.remaining());
    }
    return length;
  }

  private static long readGroups(StateInput in, int maximum) {
    int group = in.readUnsignedByte();
    long value = group & ~MORE;
    for (int shift = GROUP_BITS; group >= MORE; shift += GROUP_BITS) {
      group = in.readUnsignedByte();
      value |= (long) (group & ~MORE) << shift;
      if (value > maximum || group == 0) {
        throw in.malformed("a number inside of a text is not in the form that Flink writes");
      }
    }
    return value;
  }
}
