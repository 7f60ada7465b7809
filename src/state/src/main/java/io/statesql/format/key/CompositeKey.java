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
package io.statesql.format.key;

import io.statesql.format.model.ElementCodecs;
import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;

/**
 * Splits the composite keys of canonical savepoints and RocksDB into their parts: {@code [key
 * group] [key] [key length?] [namespace] [namespace length?] [map key]}, see {@code
 * org.apache.flink.runtime.state.CompositeKeySerializationUtils} (Flink 2.3). The lengths are there
 * only if neither key nor namespace has a fixed length. Reusable; not thread-safe.
 */
public final class CompositeKey {
  /** Flink's {@code computeRequiredBytesInKeyGroupPrefix}: one byte up to this max parallelism. */
  private static final int ONE_BYTE_KEY_GROUPS = 128;

  private final int prefixBytes;
  private final Codec key;
  private final Codec namespace;
  private final int namespaceBytes;
  private final boolean ambiguous;
  private final boolean hasMapKey;

  private int keyStart;
  private int keyLength;
  private int namespaceStart;
  private int namespaceLength;
  private int mapKeyStart;

  public CompositeKey(int maxParallelism, ElementCodecs codecs) {
    this.prefixBytes = prefixBytes(maxParallelism);
    this.key = codecs.key();
    this.namespace = codecs.namespace();
    this.namespaceBytes = codecs.namespaceBytes();
    this.ambiguous = hasLengths(codecs);
    this.hasMapKey = codecs.mapKey() != null;
  }

  public static int prefixBytes(int maxParallelism) {
    return maxParallelism > ONE_BYTE_KEY_GROUPS ? 2 : 1;
  }

  /** What the keys of a key group begin with. */
  public static byte[] prefix(int keyGroup, int bytes) {
    return bytes == 1
        ? new byte[] {(byte) keyGroup}
        : new byte[] {(byte) (keyGroup >>> Byte.SIZE), (byte) keyGroup};
  }

  /** Finds the parts of the key that starts at the input's position and takes all of its bytes. */
  public void split(StateInput in, int keyGroup) {
    int found = prefixBytes == 1 ? in.readUnsignedByte() : in.readUnsignedShort();
    if (found != keyGroup) {
      throw in.malformed("an entry of key group %d stands in key group %d", found, keyGroup);
    }
    keyStart = in.position();
    if (key.isDelimited()) {
      key.skip(in);
      keyLength = in.position() - keyStart;
      if (ambiguous) {
        requireLength(in, keyLength);
      }
    } else {
      keyLength = in.remaining() - namespaceBytes;
      in.skip(keyLength);
    }
    namespaceStart = in.position();
    namespace.skip(in);
    namespaceLength = in.position() - namespaceStart;
    if (ambiguous) {
      requireLength(in, namespaceLength);
    }
    mapKeyStart = in.position();
    if (!hasMapKey) {
      in.requireEnd();
    }
  }

  /** Whether the lengths of key and namespace follow them. */
  public static boolean hasLengths(ElementCodecs codecs) {
    return codecs.key().declaredLength() < 0 && codecs.namespace().declaredLength() < 0;
  }

  /** Writes what {@link #requireLength} reads. */
  public static void writeLength(int length, StateOutput out) {
    int rest = length;
    do {
      out.writeByte(rest);
      rest >>>= 8;
    } while (rest != 0);
  }

  /** The little-endian length that follows a part, in as few bytes as it needs, at least one. */
  private static void requireLength(StateInput in, int length) {
    int rest = length;
    do {
      int found = in.readUnsignedByte();
      if (found != (rest & 0xFF)) {
        throw in.malformed("a key part of %d bytes is not followed by its length", length);
      }
      rest >>>= 8;
    } while (rest != 0);
  }

  /** Index in the input's array of the key's first byte. */
  public int keyStart() {
    return keyStart;
  }

  public int keyLength() {
    return keyLength;
  }

  int namespaceStart() {
    return namespaceStart;
  }

  int namespaceLength() {
    return namespaceLength;
  }

  /** Index in the input's array of the map key's first byte; it reaches to the end of the key. */
  public int mapKeyStart() {
    return mapKeyStart;
  }
}
