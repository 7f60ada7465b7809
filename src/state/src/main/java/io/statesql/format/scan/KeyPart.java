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
package io.statesql.format.scan;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;

/**
 * The keys whose hashes agree in their lowest bits: all keys, half of them, and so on.
 *
 * @param bits how many bits of the hash count
 * @param value of these bits
 */
public record KeyPart(int bits, long value) {
  /** All keys. */
  public static final KeyPart ALL = new KeyPart(0, 0);

  /** Hashes equally everywhere, so that rows come in the same order each time. */
  private static final HashFunction HASH = Hashing.murmur3_128();

  /**
   * Whether a key belongs to this part.
   *
   * @param key backed by an array; its position stays
   */
  public boolean contains(ByteBuffer key) {
    return bits == 0 || (hash(key) & ((1L << bits) - 1)) == value;
  }

  private static long hash(ByteBuffer key) {
    return HASH.hashBytes(key.array(), key.arrayOffset() + key.position(), key.remaining())
        .asLong();
  }

  public boolean canBeHalved() {
    return bits < Long.SIZE - 1;
  }

  public KeyPart lowerHalf() {
    return new KeyPart(bits + 1, value);
  }

  public KeyPart upperHalf() {
    return new KeyPart(bits + 1, value | 1L << bits);
  }
}
