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

import org.jspecify.annotations.Nullable;

/**
 * Text as {@code StringValue} of flink-core 2.3 writes it, in two forms: its static {@code
 * writeString}, which {@code StringSerializer} uses, starts with the number of UTF-16 units plus
 * one, where 0 is null; its method {@code write}, which {@code StringValueSerializer} uses, starts
 * with the number itself and has no null. Then each unit. All numbers are 7-bit groups with the
 * lowest first. Unpaired surrogates are units like any other and survive.
 */
public final class StringValues {
  private static final int GROUP_BITS = 7;
  private static final int MORE = 0x80;

  private StringValues() {}

  /** Reads the form of {@code StringSerializer}. */
  public static String read(StateInput in) {
    int length = readNullableLength(in);
    return length < 0 ? null : readUnits(in, length);
  }

  /** Skips the form of {@code StringSerializer}. */
  static void skip(StateInput in) {
    skipUnits(in, readNullableLength(in));
  }

  /** Reads the form of {@code StringValueSerializer}. */
  public static String readPlain(StateInput in) {
    return readUnits(in, readLength(in, 0));
  }

  /** Skips the form of {@code StringValueSerializer}. */
  public static void skipPlain(StateInput in) {
    skipUnits(in, readLength(in, 0));
  }

  /** Writes the form of {@code StringSerializer}. */
  static void write(@Nullable String value, StateOutput out) {
    if (value == null) {
      out.writeByte(0);
    } else {
      writeGroups(value.length() + 1L, out);
      writeUnits(value, out);
    }
  }

  /** Writes the form of {@code StringValueSerializer}. */
  public static void writePlain(String value, StateOutput out) {
    writeGroups(value.length(), out);
    writeUnits(value, out);
  }

  private static void writeUnits(String value, StateOutput out) {
    for (int i = 0; i < value.length(); i++) {
      writeGroups(value.charAt(i), out);
    }
  }

  private static void writeGroups(long number, StateOutput out) {
    long rest = number;
    while (rest >= MORE) {
      out.writeByte((int) (rest | MORE));
      rest >>>= GROUP_BITS;
    }
    out.writeByte((int) rest);
  }

  private static String readUnits(StateInput in, int length) {
    if (!areOneByteEach(in, length)) {
      return readWideUnits(in, length);
    }
    int from = in.position();
    in.skip(length);
    return new String(in.array(), from, length, ISO_8859_1);
  }

  /** Whether the next units are all below 128, which is so for most texts. */
  private static boolean areOneByteEach(StateInput in, int length) {
    byte[] bytes = in.array();
    int from = in.position();
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  private static String readWideUnits(StateInput in, int length) {
    char[] units = new char[length];
    for (int i = 0; i < length; i++) {
      units[i] = (char) readGroups(in, Character.MAX_VALUE);
    }
    return new String(units);
  }

  private static void skipUnits(StateInput in, int length) {
    if (length > 0 && areOneByteEach(in, length)) {
      in.skip(length);
      return;
    }
    for (int i = 0; i < length; i++) {
      readGroups(in, Character.MAX_VALUE);
    }
  }

  private static int readNullableLength(StateInput in) {
    return readLength(in, 1);
  }

  /** The number of units, checked against the bytes that are left; -1 for null. */
  private static int readLength(StateInput in, int bias) {
    int length = (int) readGroups(in, Integer.MAX_VALUE) - bias;
    if (length > in.remaining()) {
      throw in.truncated(
          length - in.remaining(),
          "a text of %d characters cannot be right: only %d bytes are left",
          length,
          in.remaining());
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
