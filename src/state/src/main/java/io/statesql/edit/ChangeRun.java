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
package io.statesql.edit;

import com.google.common.collect.AbstractIterator;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedChange;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.type.StateInput;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorted changes in the file, in blocks of which each is read as a whole. Immutable. */
final class ChangeRun {
  /**
   * @param first the address of its first change
   */
  record Block(EntryAddress first, long position, int length) {}

  private final ChangeSpill spill;
  private final List<Block> blocks;
  private final int level;

  /**
   * @param blocks at least one
   * @param level how many times its changes were merged from runs
   */
  ChangeRun(ChangeSpill spill, List<Block> blocks, int level) {
    this.spill = spill;
    this.blocks = List.copyOf(blocks);
    this.level = level;
  }

  int level() {
    return level;
  }

  @Nullable EntryChange find(EntryAddress address) {
    int block = lastBlockFrom(address);
    if (block < 0) {
      return null;
    }
    StateInput in = open(block);
    while (in.remaining() > 0) {
      KeyedChange change = ChangeCodec.read(in);
      if (change.address().equals(address)) {
        return change.change();
      }
    }
    return null;
  }

  /** The last block that begins at or before an address, or -1. */
  private int lastBlockFrom(EntryAddress address) {
    int low = 0;
    int high = blocks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (blocks.get(middle).first().compareTo(address) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private StateInput open(int block) {
    Block wanted = blocks.get(block);
    return new StateInput(spill.read(wanted.position(), wanted.length()));
  }

  Iterator<KeyedChange> iterator(KeyGroupRange keyGroups) {
    return new AbstractIterator<>() {
      private int block = firstBlock(keyGroups.start());
      private StateInput in = open(block);

      @Override
      protected KeyedChange computeNext() {
        while (true) {
          if (in.remaining() == 0) {
            block++;
            if (block == blocks.size()) {
              return endOfData();
            }
            in = open(block);
          }
          KeyedChange change = ChangeCodec.read(in);
          int keyGroup = change.address().keyGroup();
          if (keyGroup > keyGroups.end()) {
            return endOfData();
          }
          if (keyGroup >= keyGroups.start()) {
            return change;
          }
        }
      }
    };
  }

  /** The last block that begins before a key group, or the first. */
  private int firstBlock(int keyGroup) {
    int block = 0;
    while (block + 1 < blocks.size() && blocks.get(block + 1).first().keyGroup() < keyGroup) {
      block++;
    }
    return block;
  }
}
