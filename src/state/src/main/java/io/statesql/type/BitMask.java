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

/** Bits as {@code MaskUtils} of flink-core 2.3 writes them: highest bit of a byte first. */
public final class BitMask {
  private final byte[] bytes;

  private BitMask(byte[] bytes) {
    this.bytes = bytes;
  }

  public static BitMask read(StateInput in, int bits) {
    byte[] bytes = in.readBytes(lengthOf(bits));
    int unused = bytes.length * Byte.SIZE - bits;
    if (unused > 0 && (bytes[bytes.length - 1] & ((1 << unused) - 1)) != 0) {
      throw in.malformed("the unused bits of a mask of %d bits are not zero", bits);
    }
    return new BitMask(bytes);
  }

  /** A mask without set bits. */
  public static BitMask ofZeros(int bits) {
    return new BitMask(new byte[lengthOf(bits)]);
  }

  public void set(int bit, boolean value) {
    int single = 0x80 >>> (bit % Byte.SIZE);
    int others = bytes[bit / Byte.SIZE] & ~single;
    bytes[bit / Byte.SIZE] = (byte) (value ? others | single : others);
  }

  public void write(StateOutput out) {
    out.writeBytes(bytes);
  }

  public BitMask copy() {
    return new BitMask(bytes.clone());
  }

  public static int lengthOf(int bits) {
    return bits / Byte.SIZE + (bits % Byte.SIZE == 0 ? 0 : 1);
  }

  public boolean get(int bit) {
    return (bytes[bit / Byte.SIZE] & (0x80 >>> (bit % Byte.SIZE))) != 0;
  }
}
