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

import io.statesql.format.bytes.ValueTooLargeException;
import io.statesql.format.key.CompositeEntry;
import io.statesql.format.key.KeyOrder;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.rocksdb.database.EntryIterator;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Walks the entries of one state in a RocksDB database in the order of their keys. Cursors compare
 * by the keys that they stand on, as RocksDB does: byte by byte, without sign.
 */
final class RocksDbCursor implements Comparable<RocksDbCursor> {
  /** The key group after the last entry: higher than any. */
  static final int END = Integer.MAX_VALUE;

  private static final int INITIAL_BUFFER = 256;

  private final KeyedStateMeta state;
  private final EntryIterator iterator;
  private final int prefixBytes;
  private final int maxValueBytes;
  private byte[] key = new byte[INITIAL_BUFFER];
  private byte[] value = new byte[INITIAL_BUFFER];
  private final KeyOrder order = new KeyOrder();
  private final StateInput shownKey = new StateInput();
  private int keyLength;
  private int keyGroup;
  private long bytes;

  /** What the keys begin with that are walked, in their order; null for all keys. */
  private final @Nullable List<byte[]> prefixes;

  /** The prefix that the present key begins with. */
  private int prefix;

  /**
   * @param iterator stays the caller's to close
   * @param prefixBytes how wide a key group is
   * @param maxValueBytes how long a value may be
   * @param prefixes what the keys begin with that are walked, in the order of unsigned bytes, none
   *     of them the beginning of another; null for all keys
   */
  RocksDbCursor(
      KeyedStateMeta state,
      EntryIterator iterator,
      int prefixBytes,
      int maxValueBytes,
      @Nullable List<byte[]> prefixes)
      throws RocksDBException {
    this.state = state;
    this.iterator = iterator;
    this.prefixBytes = prefixBytes;
    this.maxValueBytes = maxValueBytes;
    this.prefixes = prefixes;
    if (prefixes == null) {
      readKey(iterator.seekToFirst());
    } else {
      prefix = -1;
      keyGroup = END;
      seekPrefix();
    }
  }

  KeyedStateMeta state() {
    return state;
  }

  /** The key group of the present entry, or {@link #END}. */
  int keyGroup() {
    return keyGroup;
  }

  /** The bytes of the present entry's key. */
  byte[] key() {
    return Arrays.copyOf(key, keyLength);
  }

  /** Bytes of the keys and values read so far. */
  long bytes() {
    return bytes;
  }

  /** The first bytes of the present entry's key. */
  byte[] key(int length) {
    return Arrays.copyOf(key, length);
  }

  /**
   * Whether the present entry is of a key.
   *
   * @param start key group and key, with which the keys of its entries begin
   */
  boolean isOn(byte[] start) {
    // Only where its codec tells the end of a key can no other key begin with it.
    boolean longEnough =
        state.codecs().key().isDelimited()
            ? keyLength >= start.length
            : keyLength == start.length + state.codecs().namespaceBytes();
    return keyGroup != END
        && longEnough
        && Arrays.equals(key, 0, start.length, start, 0, start.length);
  }

  @Override
  public int compareTo(RocksDbCursor other) {
    if (keyGroup == END || other.keyGroup == END) {
      return Integer.compare(keyGroup, other.keyGroup);
    }
    return Arrays.compareUnsigned(key, 0, keyLength, other.key, 0, other.keyLength);
  }

  /** Points {@code entry} at the present key, until this cursor moves. */
  void showKey(CompositeEntry entry) {
    entry.key().reset(key, 0, keyLength, 0);
  }

  /** Points {@code entry} at the present key and value, until this cursor moves. */
  void show(CompositeEntry entry) {
    int length = iterator.value(value);
    if (length > maxValueBytes) {
      throw new ValueTooLargeException(0, maxValueBytes);
    }
    if (length > value.length) {
      value = new byte[grown(length)];
      iterator.value(value);
    }
    bytes += length;
    showKey(entry);
    entry.value().reset(value, 0, length, 0);
  }

  void advance() throws RocksDBException {
    readKey(iterator.next());
    if (prefixes != null && !hasPrefix()) {
      seekPrefix();
    }
  }

  /** Moves to the first key of the next prefix that has any. */
  private void seekPrefix() throws RocksDBException {
    List<byte[]> all = Objects.requireNonNull(prefixes, "a cursor over all keys seeks none");
    while (prefix + 1 < all.size()) {
      prefix++;
      // The end of the prefix before may be the beginning of this one.
      if (keyGroup == END || !hasPrefix()) {
        // It may stand on the same key as before.
        order.restart();
        readKey(iterator.seek(all.get(prefix)));
      }
      if (keyGroup == END || hasPrefix()) {
        return;
      }
    }
    keyGroup = END;
  }

  private boolean hasPrefix() {
    byte[] wanted = prefixes.get(prefix);
    return keyLength >= wanted.length
        && Arrays.equals(key, 0, wanted.length, wanted, 0, wanted.length);
  }

  private void readKey(boolean isOnEntry) {
    if (!isOnEntry) {
      keyGroup = END;
      return;
    }
    keyLength = iterator.key(key);
    if (keyLength > key.length) {
      key = new byte[grown(keyLength)];
      iterator.key(key);
    }
    bytes += keyLength;
    order.next(shownKey.reset(key, 0, keyLength, 0));
    if (keyLength < prefixBytes) {
      throw new MalformedValueException(0, "a key is too short to hold its key group");
    }
    // Big-endian and compared without sign, so that the order of keys is that of key groups.
    keyGroup = prefixBytes == 1 ? key[0] & 0xFF : (key[0] & 0xFF) << 8 | (key[1] & 0xFF);
  }

  /** Room for a length and some more, so that slowly rising lengths do not copy each time. */
  private static int grown(int length) {
    return length + Math.min(length / 2, Integer.MAX_VALUE - 8 - length);
  }
}
