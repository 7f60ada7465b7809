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

import io.statesql.type.MalformedValueException;
import java.util.Arrays;

/**
 * Walks the entries of a block. Each key is stored as what it has in common with the one before and
 * the rest. At the end stands the list of restart points, where keys are whole: RocksDB jumps to
 * them without asking where they lead. (table/block_based/block_builder.cc of RocksDB 8.10.)
 */
final class BlockEntries {
  /** What stands between a key and its value. */
  enum Form {
    /** The length of the value. */
    WITH_LENGTHS,
    /** Nothing: whoever reads a value knows where it ends. */
    WITHOUT_LENGTHS
  }

  private static final int HASH_INDEX = 1 << 31;

  /** Larger blocks have no index by hash, and one restart point more may set the bit of it. */
  private static final int MAX_HASHED_BYTES = 1 << 16;

  private final TableBlock block;
  private final Form form;
  private final RocksDbInput in;
  private final int restarts;
  private final int restartCount;
  private int nextRestart;
  private byte[] key = new byte[0];
  private int entryStart;
  private boolean isWhole;
  private RocksDbInput value;

  BlockEntries(TableBlock block, Form form) {
    this.block = block;
    this.form = form;
    int end = block.bytes().length - Integer.BYTES;
    if (end < 0) {
      throw block.fault(0, "it is too short for a block");
    }
    int packed = fixed32(end);
    boolean hashed = block.bytes().length <= MAX_HASHED_BYTES && (packed & HASH_INDEX) != 0;
    this.restartCount = hashed ? packed & ~HASH_INDEX : packed;
    int restartsEnd = hashed ? beforeHashIndex(end) : end;
    if (restartCount <= 0 || restartCount > restartsEnd / Integer.BYTES) {
      throw block.fault(end, "it counts " + Integer.toUnsignedString(restartCount) + " restarts");
    }
    this.restarts = restartsEnd - restartCount * Integer.BYTES;
    this.in = block.input(restarts);
    if (hashed) {
      requireSoundBuckets(restartsEnd, end);
    }
  }

  /** Numbers of restart points by the hash of a key, and how many: two bytes. */
  private int beforeHashIndex(int end) {
    int counter = end - Short.BYTES;
    int buckets =
        counter < 0
            ? 0
            : (block.bytes()[counter] & 0xFF) | (block.bytes()[counter + 1] & 0xFF) << 8;
    if (buckets == 0 || buckets > counter) {
      throw block.fault(end, "its index by hash has " + buckets + " buckets");
    }
    return counter - buckets;
  }

  private void requireSoundBuckets(int from, int end) {
    for (int i = from; i < end - Short.BYTES; i++) {
      int bucket = block.bytes()[i] & 0xFF;
      // 254 and 255 mean several and none.
      if (bucket < 254 && bucket >= restartCount) {
        throw block.fault(i, "its index by hash leads to restart " + bucket);
      }
    }
  }

  /** Goes to the next entry; the value of the present one must have been read. */
  boolean next() {
    if (value != null && form == Form.WITH_LENGTHS) {
      in.skip(value.position() + value.remaining() - in.position());
    }
    if (in.isAtEnd()) {
      requireAllRestarts();
      return false;
    }
    entryStart = in.position();
    long shared = in.varint32();
    long rest = in.varint32();
    long valueLength = form == Form.WITH_LENGTHS ? in.varint32() : 0;
    isWhole = shared == 0;
    if (shared > key.length) {
      throw fault("a key has more in common with the one before than that has bytes");
    }
    passRestart();
    int start = in.skip(rest);
    byte[] present = Arrays.copyOf(key, Math.toIntExact(shared + rest));
    System.arraycopy(block.bytes(), start, present, (int) shared, (int) rest);
    key = present;
    if (form == Form.WITH_LENGTHS) {
      int valueStart = in.position();
      if (valueLength > in.remaining()) {
        throw fault("a value of " + valueLength + " bytes reaches beyond the end");
      }
      value =
          new RocksDbInput(block.bytes(), valueStart, valueStart + (int) valueLength, block::fault);
    } else {
      value = in;
    }
    return true;
  }

  private void passRestart() {
    if (nextRestart < restartCount) {
      int restart = fixed32(restarts + nextRestart * Integer.BYTES);
      if (restart == entryStart && isWhole) {
        nextRestart++;
      } else if (Integer.compareUnsigned(restart, entryStart) <= 0) {
        throw block.fault(
            restarts + nextRestart * Integer.BYTES, "a restart does not lead to a whole key");
      }
    }
    if (nextRestart == 0) {
      throw fault("the first key is not where the first restart leads");
    }
  }

  private void requireAllRestarts() {
    boolean isEmpty = restarts == 0 && restartCount == 1 && fixed32(0) == 0;
    if (nextRestart < restartCount && !isEmpty) {
      throw block.fault(
          restarts + nextRestart * Integer.BYTES, "a restart leads to where no key is");
    }
  }

  /** The key of the present entry; not to be changed. */
  byte[] key() {
    return key;
  }

  /** Whether the present key is stored without reference to the one before. */
  boolean isWhole() {
    return isWhole;
  }

  /** The value of the present entry; without lengths, all that follows. */
  RocksDbInput value() {
    return value;
  }

  MalformedValueException fault(String reason) {
    return block.fault(entryStart, reason);
  }

  private int fixed32(int at) {
    byte[] bytes = block.bytes();
    return (bytes[at] & 0xFF)
        | (bytes[at + 1] & 0xFF) << 8
        | (bytes[at + 2] & 0xFF) << 16
        | (bytes[at + 3] & 0xFF) << 24;
  }
}
