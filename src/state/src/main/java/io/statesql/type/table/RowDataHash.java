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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash code of a {@code BinaryRowData}: {@code MurmurHashUtils#hashBytesByWords}
 * (flink-table-common 2.3) of all its bytes, the row kind among them.
 */
final class RowDataHash {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SEED = 42;
  private static final int C1 = 0xCC9E2D51;
  private static final int C2 = 0x1B873593;
  private static final int K1_ROTATION = 15;
  private static final int H1_ROTATION = 13;
  private static final int H1_FACTOR = 5;
  private static final int H1_SUMMAND = 0xE6546B64;

  private RowDataHash() {}

  /**
   * The hash code of a row.
   *
   * @param length a multiple of four
   */
  static int of(byte[] bytes, int length) {
    int hash = SEED;
    for (int i = 0; i < length; i += Integer.BYTES) {
      int word = Integer.rotateLeft((int) INT.get(bytes, i) * C1, K1_ROTATION) * C2;
      hash = Integer.rotateLeft(hash ^ word, H1_ROTATION) * H1_FACTOR + H1_SUMMAND;
    }
    return finished(hash ^ length);
  }

  private static int finished(int mixed) {
    int hash = mixed;
    hash ^= hash >>> 16;
    hash *= 0x85EBCA6B;
    hash ^= hash >>> 13;
    hash *= 0xC2B2AE35;
    return hash ^ (hash >>> 16);
  }
}
