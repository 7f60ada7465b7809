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

import java.io.Serializable;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A value of the type VARBINARY. Two are equal if their bytes are; their order is that of their
 * unsigned bytes. Immutable as long as nobody changes the array that it was made of.
 */
public final class Binary implements Comparable<Binary>, Serializable {
  private static final long serialVersionUID = 1;

  private final byte[] bytes;

  private Binary(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A value with the bytes of an array.
   *
   * @param bytes not copied, so that the caller must not change it afterwards
   */
  public static Binary of(byte[] bytes) {
    return new Binary(bytes);
  }

  /** The bytes themselves, not a copy; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** The number of bytes. */
  public int length() {
    return bytes.length;
  }

  @Override
  public int compareTo(Binary other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Binary binary && Arrays.equals(bytes, binary.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Two lower-case hexadecimal digits for each byte. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
