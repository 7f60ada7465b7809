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

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the states begin in those key groups of one handle that a reader passed from their first
 * byte to their last and found whole. Who wants some of the states goes there at once, and stops
 * after the last of them. Safe for use by many threads.
 */
public final class StatePlaces {
  /** Smaller key groups are passed as fast as they are found. */
  private static final long LEAST_BYTES = 1 << 12;

  private final ConcurrentMap<Integer, OfKeyGroup> byKeyGroup = new ConcurrentHashMap<>();

  /** Of one key group, the states that it has, in stored order. Immutable. */
  private static final class OfKeyGroup {
    private final int[] numbers;
    private final long[] starts;

    /**
     * @param numbers of the states
     * @param starts how many bytes of the key group stand before each state's number
     */
    OfKeyGroup(int[] numbers, long[] starts) {
      this.numbers = numbers;
      this.starts = starts;
    }
  }

  /**
   * The way through a key group.
   *
   * @param wanted the numbers of the states that a reader wants
   * @return null if nobody has passed the key group yet
   */
  public @Nullable Walk walk(int keyGroup, BitSet wanted) {
    OfKeyGroup places = byKeyGroup.get(keyGroup);
    return places == null ? null : new Walk(places, wanted);
  }

  /** The states of a key group that one reader wants, one after the other. */
  public static final class Walk {
    private final OfKeyGroup places;
    private final BitSet wanted;
    private int position;

    private Walk(OfKeyGroup places, BitSet wanted) {
      this.places = places;
      this.wanted = wanted;
      toWanted();
    }

    private void toWanted() {
      while (hasNext() && !wanted.get(places.numbers[position])) {
        position++;
      }
    }

    public boolean hasNext() {
      return position < places.numbers.length;
    }

    /** How many bytes of the key group stand before the next state's number. */
    public long start() {
      return places.starts[position];
    }

    /** Moves to the next state, and tells its number. */
    public int next() {
      int number = places.numbers[position];
      position++;
      toWanted();
      return number;
    }
  }

  /** Notes the states of a key group while a reader passes it. */
  public final class Notes {
    private final int[] numbers;
    private final long[] starts;
    private int count;

    /**
     * @param states how many there are at most
     */
    public Notes(int states) {
      this.numbers = new int[states];
      this.starts = new long[states];
    }

    public void startKeyGroup() {
      count = 0;
    }

    /** As {@link OfKeyGroup}; each state at most once. */
    public void add(int number, long start) {
      numbers[count] = number;
      starts[count] = start;
      count++;
    }

    /** Says that the key group ended as it should, after so many bytes. */
    public void endKeyGroup(int keyGroup, long bytes) {
      if (bytes >= LEAST_BYTES) {
        byKeyGroup.put(
            keyGroup, new OfKeyGroup(Arrays.copyOf(numbers, count), Arrays.copyOf(starts, count)));
      }
    }
  }
}
