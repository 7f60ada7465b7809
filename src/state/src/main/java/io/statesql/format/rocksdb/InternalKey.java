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

import java.util.Arrays;

/**
 * Keys as tables store them: the bytes of the user's key, and eight bytes with a sequence number
 * and what was done to the key. RocksDB takes off eight bytes without looking whether there are as
 * many.
 */
final class InternalKey {
  /** Sequence number and kind of entry. */
  static final int TRAILER = 8;

  private InternalKey() {}

  /** Orders as RocksDB does: by the user's key, and of equal ones the newest first. */
  static int compare(byte[] left, byte[] right) {
    int order =
        Arrays.compareUnsigned(left, 0, left.length - TRAILER, right, 0, right.length - TRAILER);
    return order != 0 ? order : Long.compareUnsigned(trailer(right), trailer(left));
  }

  static byte[] userKey(byte[] key) {
    return Arrays.copyOf(key, key.length - TRAILER);
  }

  static long sequence(byte[] key) {
    return trailer(key) >>> Byte.SIZE;
  }

  private static long trailer(byte[] key) {
    long value = 0;
    for (int i = key.length - 1; i >= key.length - TRAILER; i--) {
      value = (value << Byte.SIZE) | (key[i] & 0xFF);
    }
    return value;
  }
}
