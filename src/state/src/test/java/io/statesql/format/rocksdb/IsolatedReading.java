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

import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.util.BitSet;

/**
 * A program that reads the first element of a snapshot in a process of its own, prints the number
 * of that process, and waits until it is killed.
 */
final class IsolatedReading {
  private IsolatedReading() {}

  public static void main(String[] args) throws IOException {
    Snapshot snapshot = Snapshot.open(args[0]).isolated(true);
    KeyedSplit split = RocksDbBackend.splits(snapshot).get(0);
    try (KeyedElements elements = open(snapshot, split)) {
      elements.next();
      System.out.println(ProcessHandle.current().children().findFirst().orElseThrow().pid());
      System.in.transferTo(System.out);
    }
  }

  /** Opens all states of a split. */
  static KeyedElements open(Snapshot snapshot, KeyedSplit split) {
    BitSet all = new BitSet();
    all.set(0, split.header().states().size());
    return KeyedSplits.open(snapshot, split, all);
  }
}
