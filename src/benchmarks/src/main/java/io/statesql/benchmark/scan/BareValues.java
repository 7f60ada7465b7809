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
package io.statesql.benchmark.scan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;

/**
 * Decodes the values of the benchmark's states and of nothing else. The kind of state is told by
 * the lengths: of a page the key is longest, of a total the value is a number.
 */
final class BareValues {
  /** Key group, user and the byte of no namespace. */
  private static final int PLAIN_KEY = 1 + Long.BYTES + 1;

  private BareValues() {}

  static void decode(
      ByteBuffer in, int key, int keyLength, int value, int valueLength, BareSums sums) {
    if (keyLength > PLAIN_KEY) {
      String page = text(in, key + PLAIN_KEY);
      if (in.get(value) == 0 && !page.isEmpty()) {
        sums.pages++;
        sums.pageSum += in.getLong(value + 1);
      }
    } else if (valueLength == Long.BYTES) {
      sums.total += in.getLong(value);
    } else {
      profile(in, value, sums);
    }
  }

  /**
   * A byte that says "this class", and in the order of their names each field after a null flag.
   */
  private static void profile(ByteBuffer in, int value, BareSums sums) {
    int at = value + 2;
    sums.profiles++;
    sums.balance += in.getDouble(at);
    at += Double.BYTES + 1;
    String name = text(in, at);
    sums.nameLength += name.length();
    at += 1 + name.length() + 1;
    sums.bytes += in.getLong(at);
    at += Long.BYTES + 1;
    sums.visits += in.getInt(at);
  }

  /** Short text of one byte a character. */
  private static String text(ByteBuffer in, int at) {
    byte[] bytes = new byte[in.get(at) - 1];
    in.get(at + 1, bytes);
    return new String(bytes, ISO_8859_1);
  }
}
