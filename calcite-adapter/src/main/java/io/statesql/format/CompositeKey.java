package io.statesql.format;

import io.statesql.type.Codec;
import io.statesql.type.StateInput;

/**
 * Splits the composite keys of canonical savepoints and RocksDB into their parts: {@code [key group]
 * [key] [key length?] [namespace] [namespace length?] [map key]}, see {@code
 * org.apache.flink.runtime.state.CompositeKeySerializationUtils} (Flink 2.3). The lengths are there
 * only if neither key nor namespace has a fixed length. Reusable; not thread-safe.
 */
final class CompositeKey {
  /** Flink's {@code computeRequiredBytesInKeyGroupPrefix}: one byte up to this max parallelism. */
  private static final int ONE_BYTE_KEY_GROUPS = 128;

  private final int prefixBytes;
  private final Codec key;
  private final Codec namespace;
  private final boolean ambiguous;
  private final boolean hasMapKey;

  private int keyStart;
  private int keyLength;
  private int namespaceStart;
  private int namespaceLength;
  private int mapKeyStart;

  /**
   * @param hasMapKey whether a map key follows; without one, nothing may
   */
  CompositeKey(int maxParallelism, Codec key, Codec namespace, boolean hasMapKey) {
    this.prefixBytes = prefixBytes(maxParallelism);
    this.key = key;
    this.namespace = namespace;
    this.ambiguous = key.declaredLength() < 0 && namespace.declaredLength() < 0;
    this.hasMapKey = hasMapKey;
  }

  static int prefixBytes(int maxParallelism) {
    return maxParallelism > ONE_BYTE_KEY_GROUPS ? 2 : 1;
  }

  /**
   * Whether the parts of such keys can be told apart. Not so for an opaque key with more than a fixed
   * number of bytes behind it.
   */
  boolean isSeparable() {
    if (!namespace.isDelimited()) {
      return false;
    }
    return key.isDelimited() || namespaceBytes() >= 0 && !hasMapKey;
  }

  /** Bytes of every namespace, or -1 if they differ. */
  private int namespaceBytes() {
    int declared = namespace.declaredLength();
    // VoidNamespaceSerializer declares 0 but writes one byte.
    return declared == 0 ? 1 : declared;
  }

  /** Finds the parts of the key that starts at the input's position and takes all of its bytes. */
  void split(StateInput in, int keyGroup) {
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
      keyLength = in.remaining() - namespaceBytes();
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
  int keyStart() {
    return keyStart;
  }

  int keyLength() {
    return keyLength;
  }

  int namespaceStart() {
    return namespaceStart;
  }

  int namespaceLength() {
    return namespaceLength;
  }

  /** Index in the input's array of the map key's first byte; it reaches to the end of the key. */
  int mapKeyStart() {
    return mapKeyStart;
  }
}
