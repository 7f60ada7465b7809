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
import org.jspecify.annotations.Nullable;

/** Checks one block of data: that its keys rise, and lie where the index has the block. */
final class DataBlockCheck {
  private final TableBlock block;
  private final boolean userKeysInIndex;
  private byte @Nullable [] smallest;
  private byte @Nullable [] largest;

  DataBlockCheck(TableBlock block, boolean userKeysInIndex) {
    this.block = block;
    this.userKeysInIndex = userKeysInIndex;
  }

  /**
   * @param before in the index, the key of the block before; null for the first block
   * @param limit in the index, the key of this block
   */
  void check(byte @Nullable [] before, byte[] limit) {
    BlockEntries entries = new BlockEntries(block, BlockEntries.Form.WITH_LENGTHS);
    while (entries.next()) {
      byte[] key = entries.key();
      if (key.length < InternalKey.TRAILER) {
        throw entries.fault("a key is too short for a sequence number");
      }
      if (largest == null) {
        smallest = key;
        if (before != null && compareToIndex(key, before) <= 0) {
          throw entries.fault("the first key belongs before this block, as the index has it");
        }
      } else if (InternalKey.compare(largest, key) >= 0) {
        throw entries.fault("a key does not follow the one before it");
      }
      largest = key;
    }
    if (largest == null) {
      throw block.fault(0, "there is no entry");
    }
    if (compareToIndex(largest, limit) > 0) {
      throw entries.fault("the last key belongs after this block, as the index has it");
    }
  }

  private int compareToIndex(byte[] key, byte[] separator) {
    return userKeysInIndex
        ? Arrays.compareUnsigned(
            key, 0, key.length - InternalKey.TRAILER, separator, 0, separator.length)
        : InternalKey.compare(key, separator);
  }

  /** The first key of the checked block, without its sequence number. */
  byte[] smallest() {
    return InternalKey.userKey(smallest);
  }

  /** The last one, likewise. */
  byte[] largest() {
    return InternalKey.userKey(largest);
  }
}
