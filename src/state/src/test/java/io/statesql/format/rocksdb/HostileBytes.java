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
package io.statesql.format.rocksdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Changes bytes at random, in ways that bring out wrong lengths. */
final class HostileBytes {
  private final byte[] bytes;
  private final int start;
  private final int length;
  private final Random random;

  HostileBytes(byte[] bytes, int start, int length, Random random) {
    this.bytes = bytes;
    this.start = start;
    this.length = length;
    this.random = random;
  }

  /** Changes some bytes, and says how. */
  String change() {
    if (length == 0) {
      return "nothing";
    }
    int at = start + random.nextInt(length);
    int end = Math.min(start + length, at + 1 + random.nextInt(8));
    switch (random.nextInt(7)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> Arrays.fill(bytes, at, end, (byte) 0);
      case 3 -> Arrays.fill(bytes, at, end, (byte) -1);
      case 4 -> bytes[at]++;
      case 5 ->
          System.arraycopy(
              bytes, start + random.nextInt(length - (end - at) + 1), bytes, at, end - at);
      default -> {
        for (int i = 0; i < 4; i++) {
          bytes[start + random.nextInt(Math.min(length, 32))] = (byte) random.nextInt(256);
        }
      }
    }
    return "changed at " + (at - start) + " to " + (end - start);
  }

  /** Changes the list of restart points at the end of a block, or how many there are. */
  String changeRestarts() {
    ByteBuffer block = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int counter = start + length - Integer.BYTES;
    int count = block.getInt(counter);
    int[] values = {0, 1, -1, count + 1, count - 1, count | 1 << 31, length, random.nextInt()};
    int value = values[random.nextInt(values.length)];
    boolean ofCount = random.nextInt(2) == 0 || count <= 0 || count > length / Integer.BYTES - 1;
    int at = ofCount ? counter : counter - Integer.BYTES * (1 + random.nextInt(count));
    block.putInt(at, value);
    return (ofCount ? "restarts " : "a restart ") + value;
  }
}
