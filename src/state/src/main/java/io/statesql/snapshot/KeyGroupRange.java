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
package io.statesql.snapshot;

import java.io.Serializable;

/**
 * A run of key groups.
 *
 * @param start the first key group
 * @param count how many key groups; 0 for none
 */
public record KeyGroupRange(int start, int count) implements Serializable {
  /** Flink allows at most this many key groups (its {@code UPPER_BOUND_MAX_PARALLELISM}). */
  public static final int MAX_KEY_GROUPS = 1 << 15;

  public KeyGroupRange {
    if (start < 0 || count < 0 || start > MAX_KEY_GROUPS - count) {
      throw new IllegalArgumentException(
          "Key groups lie between 0 and " + (MAX_KEY_GROUPS - 1) + ": " + start + "+" + count);
    }
  }

  /**
   * The key groups that Flink gives to a subtask ({@code KeyGroupRangeAssignment}, flink-runtime
   * 2.3).
   *
   * @param parallelism at most {@code maxParallelism}
   */
  public static KeyGroupRange ofSubtask(int subtask, int parallelism, int maxParallelism) {
    int start = (subtask * maxParallelism + parallelism - 1) / parallelism;
    int end = ((subtask + 1) * maxParallelism - 1) / parallelism;
    return new KeyGroupRange(start, end - start + 1);
  }

  /** The last key group; one below {@link #start} when the range is empty. */
  public int end() {
    return start + count - 1;
  }

  public boolean contains(int keyGroup) {
    return keyGroup >= start && keyGroup <= end();
  }

  /** The key groups that both have. */
  public KeyGroupRange intersect(KeyGroupRange other) {
    int from = Math.max(start, other.start);
    int to = Math.min(end(), other.end());
    return new KeyGroupRange(from, Math.max(0, to - from + 1));
  }

  @Override
  public String toString() {
    return count == 0 ? "no key groups" : "key groups " + start + " to " + end();
  }
}
