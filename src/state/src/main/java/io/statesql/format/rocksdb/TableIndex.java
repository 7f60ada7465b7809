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

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks the index of a table: a key for each block of data, at or after the last one in the block
 * and before the first one in the next, and the place of the block. A large index is itself in
 * parts, with an index of them. (table/block_based/index_builder.cc of RocksDB 8.10.)
 */
final class TableIndex {
  private final TableFile file;
  private final boolean twoLevels;
  private final boolean withFirstKey;
  private final boolean userKeys;
  private final boolean deltas;
  private byte @Nullable [] last;

  /** Takes one block of data. */
  interface Visitor {
    /**
     * Takes a block.
     *
     * @param before the key of the block before; null for the first block
     * @param key at or after the last key of the block
     */
    void block(byte @Nullable [] before, byte[] key, BlockPlace place) throws IOException;
  }

  TableIndex(TableFile file, TableProperties properties) {
    this.file = file;
    int type = properties.indexType();
    this.twoLevels = type == TableProperties.TWO_LEVELS;
    this.withFirstKey = type == TableProperties.WITH_FIRST_KEY;
    this.userKeys = properties.flag("rocksdb.index.key.is.user.key");
    this.deltas = properties.flag("rocksdb.index.value.is.delta.encoded");
  }

  /** Whether the keys of the index lack sequence numbers. */
  boolean hasUserKeys() {
    return userKeys;
  }

  /**
   * Visits all blocks of data in order.
   *
   * @return false if the index is compressed in a way that only RocksDB undoes
   */
  boolean walk(BlockPlace root, Visitor visitor) throws IOException {
    if (!twoLevels) {
      return walkPart(root, "its index", null, visitor);
    }
    TableBlock block = file.block(root, "the index of its index");
    if (block == null) {
      return false;
    }
    BlockEntries entries = entries(block);
    BlockPlace previous = null;
    while (entries.next()) {
      previous = place(entries, previous);
      byte[] key = requireKey(entries);
      if (!walkPart(previous, "a part of its index", key, visitor)) {
        return false;
      }
      last = key;
    }
    return true;
  }

  /**
   * @param limit no key may be after it; null for none
   */
  private boolean walkPart(BlockPlace part, String what, byte @Nullable [] limit, Visitor visitor)
      throws IOException {
    TableBlock block = file.block(part, what);
    if (block == null) {
      return false;
    }
    BlockEntries entries = entries(block);
    BlockPlace previous = null;
    while (entries.next()) {
      previous = place(entries, previous);
      byte[] key = requireKey(entries);
      if (last != null && compare(last, key) >= 0) {
        throw entries.fault("a key does not follow the one before it");
      }
      if (limit != null && compare(key, limit) > 0) {
        throw entries.fault("a key does not belong to this part");
      }
      visitor.block(last, key, previous);
      last = key;
    }
    return true;
  }

  private BlockEntries entries(TableBlock block) {
    return new BlockEntries(
        block, deltas ? BlockEntries.Form.WITHOUT_LENGTHS : BlockEntries.Form.WITH_LENGTHS);
  }

  private byte[] requireKey(BlockEntries entries) {
    byte[] key = entries.key();
    if (!userKeys && key.length < InternalKey.TRAILER) {
      throw entries.fault("a key is too short for a sequence number");
    }
    return key;
  }

  private BlockPlace place(BlockEntries entries, @Nullable BlockPlace previous) {
    RocksDbInput value = entries.value();
    BlockPlace place;
    if (deltas && !entries.isWhole()) {
      if (previous == null) {
        throw entries.fault("the first place is relative to one before");
      }
      // It follows the one before, and its size differs by this.
      place = new BlockPlace(previous.end(), previous.size() + value.signedVarint64());
    } else {
      place = BlockPlace.read(value);
    }
    if (!place.isWithin(file.footer().start())) {
      throw entries.fault("a block is outside of the file");
    }
    if (withFirstKey && !twoLevels) {
      RocksDbInput first = value.string();
      if (first.remaining() < InternalKey.TRAILER) {
        throw entries.fault("a first key is too short for a sequence number");
      }
    }
    if (!deltas) {
      value.requireEnd();
    }
    return place;
  }

  private int compare(byte[] left, byte[] right) {
    return userKeys ? Arrays.compareUnsigned(left, right) : InternalKey.compare(left, right);
  }
}
