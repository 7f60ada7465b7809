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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** XXH3 with 64 bits and without a seed, the checksum that RocksDB uses unless told otherwise. */
final class Xxh3 {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] SECRET =
      HexFormat.of()
          .parseHex(
              "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                  + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                  + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
                  + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
                  + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
                  + "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

  private static final long PRIME32_1 = 0x9E3779B1L;
  private static final long PRIME32_2 = 0x85EBCA77L;
  private static final long PRIME32_3 = 0xC2B2AE3DL;
  private static final long PRIME64_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME64_3 = 0x165667B19E3779F9L;
  private static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME64_5 = 0x27D4EB2F165667C5L;
  private static final long PRIME_MX1 = 0x165667919E3779F9L;
  private static final long PRIME_MX2 = 0x9FB21C651E98DF25L;

  private static final int STRIPE = 64;
  private static final int KEY_STEP = 8;
  private static final int STRIPES_PER_BLOCK = (SECRET.length - STRIPE) / KEY_STEP;
  private static final int LAST_STRIPE_KEY = SECRET.length - STRIPE - 7;
  private static final int MIDDLE = 240;
  private static final int MIN_SECRET = 136;

  private Xxh3() {}

  static long hash(byte[] in, int length) {
    if (length <= 16) {
      return ofShort(in, length);
    }
    if (length <= 128) {
      return ofMedium(in, length);
    }
    return length <= MIDDLE ? ofLonger(in, length) : ofLong(in, length);
  }

  private static long ofShort(byte[] in, int length) {
    if (length > 8) {
      long low = longAt(in, 0) ^ longAt(SECRET, 24) ^ longAt(SECRET, 32);
      long high = longAt(in, length - 8) ^ longAt(SECRET, 40) ^ longAt(SECRET, 48);
      return avalanche(length + Long.reverseBytes(low) + high + foldedProduct(low, high));
    }
    if (length >= 4) {
      long both = (intAt(in, length - 4) & 0xFFFFFFFFL) + ((long) intAt(in, 0) << 32);
      long keyed = both ^ longAt(SECRET, 8) ^ longAt(SECRET, 16);
      keyed ^= Long.rotateLeft(keyed, 49) ^ Long.rotateLeft(keyed, 24);
      keyed *= PRIME_MX2;
      keyed ^= (keyed >>> 35) + length;
      keyed *= PRIME_MX2;
      return keyed ^ keyed >>> 28;
    }
    if (length > 0) {
      int combined =
          (in[0] & 0xFF) << 16
              | (in[length >> 1] & 0xFF) << 24
              | in[length - 1] & 0xFF
              | length << 8;
      long flip = (intAt(SECRET, 0) ^ intAt(SECRET, 4)) & 0xFFFFFFFFL;
      return avalanche64((combined & 0xFFFFFFFFL) ^ flip);
    }
    return avalanche64(longAt(SECRET, 56) ^ longAt(SECRET, 64));
  }

  private static long ofMedium(byte[] in, int length) {
    long sum = length * PRIME64_1;
    for (int i = (length - 1) / 32; i >= 0; i--) {
      sum += mix16(in, 16 * i, 32 * i);
      sum += mix16(in, length - 16 * (i + 1), 32 * i + 16);
    }
    return avalanche(sum);
  }

  private static long ofLonger(byte[] in, int length) {
    long sum = length * PRIME64_1;
    for (int i = 0; i < 8; i++) {
      sum += mix16(in, 16 * i, 16 * i);
    }
    sum = avalanche(sum);
    for (int i = 8; i < length / 16; i++) {
      sum += mix16(in, 16 * i, 16 * (i - 8) + 3);
    }
    return avalanche(sum + mix16(in, length - 16, MIN_SECRET - 17));
  }

  /** Eight lanes, each a variable. */
  private static long ofLong(byte[] in, int length) {
    long a = PRIME32_3;
    long b = PRIME64_1;
    long c = PRIME64_2;
    long d = PRIME64_3;
    long e = PRIME64_4;
    long f = PRIME32_2;
    long g = PRIME64_5;
    long h = PRIME32_1;
    int stripes = (length - 1) / STRIPE;
    for (int i = 0; i <= stripes; i++) {
      boolean isLast = i == stripes;
      int at = isLast ? length - STRIPE : i * STRIPE;
      int key = isLast ? LAST_STRIPE_KEY : i % STRIPES_PER_BLOCK * KEY_STEP;
      a += longAt(in, at + 8) + keyedProduct(in, at, key);
      b += longAt(in, at) + keyedProduct(in, at + 8, key + 8);
      c += longAt(in, at + 24) + keyedProduct(in, at + 16, key + 16);
      d += longAt(in, at + 16) + keyedProduct(in, at + 24, key + 24);
      e += longAt(in, at + 40) + keyedProduct(in, at + 32, key + 32);
      f += longAt(in, at + 32) + keyedProduct(in, at + 40, key + 40);
      g += longAt(in, at + 56) + keyedProduct(in, at + 48, key + 48);
      h += longAt(in, at + 48) + keyedProduct(in, at + 56, key + 56);
      if (!isLast && i % STRIPES_PER_BLOCK == STRIPES_PER_BLOCK - 1) {
        a = scrambled(a, 0);
        b = scrambled(b, 8);
        c = scrambled(c, 16);
        d = scrambled(d, 24);
        e = scrambled(e, 32);
        f = scrambled(f, 40);
        g = scrambled(g, 48);
        h = scrambled(h, 56);
      }
    }
    return avalanche(
        length * PRIME64_1
            + foldedProduct(a ^ longAt(SECRET, 11), b ^ longAt(SECRET, 19))
            + foldedProduct(c ^ longAt(SECRET, 27), d ^ longAt(SECRET, 35))
            + foldedProduct(e ^ longAt(SECRET, 43), f ^ longAt(SECRET, 51))
            + foldedProduct(g ^ longAt(SECRET, 59), h ^ longAt(SECRET, 67)));
  }

  private static long keyedProduct(byte[] in, int at, int key) {
    long keyed = longAt(in, at) ^ longAt(SECRET, key);
    return (keyed & 0xFFFFFFFFL) * (keyed >>> 32);
  }

  private static long scrambled(long lane, int key) {
    return (lane ^ lane >>> 47 ^ longAt(SECRET, SECRET.length - STRIPE + key)) * PRIME32_1;
  }

  private static long mix16(byte[] in, int from, int secret) {
    return foldedProduct(
        longAt(in, from) ^ longAt(SECRET, secret),
        longAt(in, from + 8) ^ longAt(SECRET, secret + 8));
  }

  /** The halves of the product of 128 bits of two numbers without sign, one over the other. */
  private static long foldedProduct(long left, long right) {
    long high = Math.multiplyHigh(left, right) + (left >> 63 & right) + (right >> 63 & left);
    return left * right ^ high;
  }

  private static long avalanche(long hash) {
    long mixed = (hash ^ hash >>> 37) * PRIME_MX1;
    return mixed ^ mixed >>> 32;
  }

  private static long avalanche64(long hash) {
    long mixed = (hash ^ hash >>> 33) * PRIME64_2;
    mixed = (mixed ^ mixed >>> 29) * PRIME64_3;
    return mixed ^ mixed >>> 32;
  }

  private static long longAt(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  private static int intAt(byte[] bytes, int at) {
    return (int) INTS.get(bytes, at);
  }
}
