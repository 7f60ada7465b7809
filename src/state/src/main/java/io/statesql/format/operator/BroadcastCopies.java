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
package io.statesql.format.operator;

import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.OperatorSplit;
import io.statesql.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The copies of one broadcast state, of which every subtask stores one. They should hold the same
 * entries, in any order: each is a hash map of its own.
 */
public final class BroadcastCopies {
  private final Snapshot snapshot;
  private final String state;
  private final List<OperatorSplit> splits;

  /**
   * @param splits of the operator; those that do not know the state have no copy
   */
  public BroadcastCopies(Snapshot snapshot, String state, List<OperatorSplit> splits) {
    this.snapshot = snapshot;
    this.state = state;
    this.splits = splits.stream().filter(split -> split.header().state(state).isPresent()).toList();
  }

  /** Bytes of all copies as stored: what {@link #differing} reads at least, and at most twice. */
  public long bytes() {
    return splits.stream().mapToLong(split -> split.extents().of(state).length()).sum();
  }

  /**
   * The subtasks whose copies do not have the same keys with the same values, byte for byte, as
   * that of the first subtask. Holds two copies in memory at a time.
   *
   * @throws io.statesql.StateSqlException if a copy is damaged or cannot be had
   */
  public List<Integer> differing() {
    List<Integer> differing = new ArrayList<>();
    if (splits.isEmpty()) {
      return differing;
    }
    byte[] first = bytes(splits.get(0));
    for (OperatorSplit other : splits.subList(1, splits.size())) {
      if (!Arrays.equals(first, bytes(other)) && !haveSameEntries(splits.get(0), other)) {
        differing.add(other.subtask());
      }
    }
    return differing;
  }

  private byte[] bytes(OperatorSplit split) {
    try (OperatorElements elements = open(split)) {
      return elements.readAll();
    }
  }

  private boolean haveSameEntries(OperatorSplit one, OperatorSplit other) {
    return isSeparable(one) && isSeparable(other) && entries(one).equals(entries(other));
  }

  private boolean isSeparable(OperatorSplit split) {
    return split.header().state(state).orElseThrow().isSeparable();
  }

  private Map<ByteBuffer, ByteBuffer> entries(OperatorSplit split) {
    Map<ByteBuffer, ByteBuffer> entries = new HashMap<>();
    try (OperatorElements elements = open(split)) {
      while (elements.next()) {
        KeyedElement entry = elements.element();
        entries.put(
            ByteBuffer.wrap(entry.mapKey().readBytes(entry.mapKey().remaining())),
            ByteBuffer.wrap(entry.value().readBytes(entry.value().remaining())));
      }
    }
    return entries;
  }

  private OperatorElements open(OperatorSplit split) {
    return OperatorElements.open(snapshot, split, split.header().state(state).orElseThrow(), true);
  }
}
