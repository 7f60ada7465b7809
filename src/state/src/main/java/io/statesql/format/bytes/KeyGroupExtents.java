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
package io.statesql.format.bytes;

import com.google.common.primitives.ImmutableLongArray;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.type.MalformedValueException;
import java.util.Arrays;

/**
 * Where the key groups of one handle lie in its file. A handle stores where each begins; each ends
 * where the next in the file begins, because writers leave no gaps. The last one of a part of a
 * file ends where its own bytes say.
 */
public final class KeyGroupExtents {
  /** What stands for the start of an empty key group; the header, if any, starts at 0. */
  public static final long EMPTY = 0;

  /** {@code KeyedStateCheckpointOutputStream.NO_OFFSET_SET} (Flink 2.3). */
  public static final long EMPTY_RAW = -1;

  private final KeyGroupRange keyGroups;
  private final ImmutableLongArray starts;
  private final long empty;

  /** The starts and the end of the file, sorted. */
  private final long[] borders;

  /** Whether key groups of others may follow in the file. */
  private final boolean isPart;

  /**
   * The key groups of managed state.
   *
   * @param headerLength bytes before the first key group
   * @param fileLength bytes of the whole file
   * @throws MalformedValueException if a key group would lie outside of these
   */
  public KeyGroupExtents(
      KeyGroupRange keyGroups, ImmutableLongArray starts, long headerLength, long fileLength) {
    this(keyGroups, starts, EMPTY, headerLength, fileLength, false);
  }

  private KeyGroupExtents(
      KeyGroupRange keyGroups,
      ImmutableLongArray starts,
      long empty,
      long[] borders,
      boolean isPart) {
    this.keyGroups = keyGroups;
    this.starts = starts;
    this.empty = empty;
    this.borders = borders;
    this.isPart = isPart;
  }

  private KeyGroupExtents(
      KeyGroupRange keyGroups,
      ImmutableLongArray starts,
      long empty,
      long headerLength,
      long fileLength,
      boolean isPart) {
    this.isPart = isPart;
    this.keyGroups = keyGroups;
    this.starts = starts;
    this.empty = empty;
    this.borders = borders(starts, fileLength);
    for (int i = 0; i < starts.length(); i++) {
      long start = starts.get(i);
      if (start != empty && (start < headerLength || start >= fileLength)) {
        throw new MalformedValueException(
            start,
            "key group "
                + (keyGroups.start() + i)
                + " should begin there, but the state lies between "
                + headerLength
                + " and "
                + fileLength);
      }
    }
  }

  /**
   * The key groups of raw state, which has no header.
   *
   * @throws MalformedValueException if a key group would lie outside of the file
   */
  public static KeyGroupExtents ofRaw(
      KeyGroupRange keyGroups, ImmutableLongArray starts, long fileLength) {
    return new KeyGroupExtents(keyGroups, starts, EMPTY_RAW, 0, fileLength, false);
  }

  /**
   * The key groups of managed state, in a file that may hold others before and behind them.
   *
   * @throws MalformedValueException if a key group would lie outside of the file or in its header
   */
  public static KeyGroupExtents ofPart(
      KeyGroupRange keyGroups, ImmutableLongArray starts, long headerLength, long fileLength) {
    return new KeyGroupExtents(keyGroups, starts, EMPTY, headerLength, fileLength, true);
  }

  /** Those of some of these key groups. */
  public KeyGroupExtents within(KeyGroupRange range) {
    KeyGroupRange common = keyGroups.intersect(range);
    int from = common.count() == 0 ? 0 : common.start() - keyGroups.start();
    return new KeyGroupExtents(
        common, starts.subArray(from, from + common.count()), empty, borders, isPart);
  }

  private static long[] borders(ImmutableLongArray starts, long fileLength) {
    long[] borders = Arrays.copyOf(starts.toArray(), starts.length() + 1);
    borders[starts.length()] = fileLength;
    Arrays.sort(borders);
    return borders;
  }

  /** Where the header must end: at the first key group, or at the end if all are empty. */
  public static long headerLength(ImmutableLongArray starts, long fileLength) {
    return starts.stream().filter(start -> start > 0).min().orElse(fileLength);
  }

  public int count() {
    return starts.length();
  }

  public int keyGroup(int index) {
    return keyGroups.start() + index;
  }

  /** Whether a key group has no entries: no offset is stored for it. */
  public boolean isEmpty(int index) {
    return starts.get(index) == empty;
  }

  public long start(int index) {
    return starts.get(index);
  }

  /** Whether a key group that is not empty may end before {@link #end}. */
  public boolean mayEndBefore(int index) {
    return isPart && end(index) == borders[borders.length - 1];
  }

  /** The offset after the last byte of a key group that is not empty. */
  public long end(int index) {
    int border = Arrays.binarySearch(borders, starts.get(index));
    while (borders[border] <= starts.get(index)) {
      border++;
    }
    return borders[border];
  }
}
