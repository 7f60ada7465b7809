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
package io.statesql.format.split;

import io.statesql.ScanLimits;
import io.statesql.format.model.KeyedSplit;
import io.statesql.snapshot.KeyGroupRange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts the splits of an operator for reading on several threads: as Flink would divide the key
 * groups if it restored the operator at some higher parallelism ({@code KeyGroupRangeAssignment},
 * Flink 2.3). Pieces are small, so that the threads can take turns with the rows of one still in
 * order.
 */
public final class SplitPieces {
  /** About how many stored bytes a piece shall have. */
  private static final long PIECE_BYTES = 1 << 20;

  /** Below this a scan is over before threads would have helped. */
  private static final long MIN_BYTES = 1 << 20;

  private SplitPieces() {}

  /** On how many threads to read some splits; 1 where more would not help. */
  public static int threads(List<KeyedSplit> splits, ScanLimits limits) {
    return size(splits) < MIN_BYTES ? 1 : limits.parallelism();
  }

  private static long size(List<KeyedSplit> splits) {
    return splits.stream().mapToLong(KeyedSplit::size).sum();
  }

  /** As {@link #cut}, but into the same pieces however many threads read them. */
  public static List<KeyedSplit> cutBySize(List<KeyedSplit> splits) {
    return size(splits) < MIN_BYTES ? splits : cut(splits, 2);
  }

  /**
   * Cuts splits.
   *
   * @param splits of one operator
   * @return the pieces in the order of the splits, and within each of the key groups
   */
  public static List<KeyedSplit> cut(List<KeyedSplit> splits, int threads) {
    if (threads == 1 || splits.isEmpty()) {
      return splits;
    }
    int maxParallelism = splits.get(0).operator().maxParallelism();
    int parallelism = (int) Math.min(maxParallelism, Math.max(threads, size(splits) / PIECE_BYTES));
    List<KeyGroupRange> ranges =
        IntStream.range(0, parallelism)
            .mapToObj(subtask -> KeyGroupRange.ofSubtask(subtask, parallelism, maxParallelism))
            .toList();
    List<KeyedSplit> pieces = new ArrayList<>();
    for (KeyedSplit split : splits) {
      if (!KeyedForms.of(split).isDivisible() || split.keyGroups().count() == 0) {
        pieces.add(split);
      } else {
        for (KeyGroupRange range : ranges) {
          if (split.keyGroups().intersect(range).count() > 0) {
            pieces.add(split.within(range));
          }
        }
      }
    }
    return pieces;
  }
}
