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
package io.statesql.format.keygroup;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.key.OwnKeys;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the states of a key group begin in heap layout, behind a value whose end nobody
 * knows. From the right place on, all states of the header that were not come to yet follow, each
 * once, with as many entries as its count says, under keys of the key group, and end where the key
 * group ends. So the right place always fits, and what is the same for all places that fit is known
 * to be right. What differs between them is not known, nor is anything if the search takes too
 * long. Not thread-safe.
 */
final class HeapStateSearch {
  /** The largest rest of a key group that is searched, in bytes. */
  static final int MOST_BYTES = 16 << 20;

  /** Stands for a state that is found nowhere, or in several places. */
  static final int UNKNOWN = -1;

  /** How many bytes are looked at in all while places are tried. */
  private static final long MOST_READ = 256L << 20;

  private static final int HEAD = Short.BYTES + Integer.BYTES;

  private final KeyedSplit split;
  private final OwnKeys keys;
  private final int keyGroup;
  private final StateInput in;
  private final Map<Place, Optional<int[]>> found = new HashMap<>();
  private long read;

  private HeapStateSearch(KeyedSplit split, int keyGroup, StateInput in) {
    this.split = split;
    this.keys = new OwnKeys(split);
    this.keyGroup = keyGroup;
    this.in = in;
  }

  /** What is searched: from a position on, states that were not seen. */
  private record Place(int position, BitSet seen) {}

  /** That so many places were tried that the search is given up. */
  private static final class EndlessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndlessException() {
      super(null, null, false, false);
    }
  }

  /**
   * Searches the rest of a key group.
   *
   * @param rest from the value of unknown end to the end of the key group
   * @param seen the states up to the one of that value
   * @return for each state of the header where it begins in the array of {@code rest}, or {@link
   *     #UNKNOWN}
   */
  static int[] find(KeyedSplit split, int keyGroup, StateInput rest, BitSet seen) {
    HeapStateSearch search = new HeapStateSearch(split, keyGroup, rest);
    try {
      Optional<int[]> places = search.find(rest.position(), seen);
      if (places.isPresent()) {
        return places.get();
      }
    } catch (EndlessException e) {
      // Then nothing is known.
    }
    return search.nowhere();
  }

  private int[] nowhere() {
    int[] places = new int[split.header().states().size()];
    Arrays.fill(places, UNKNOWN);
    return places;
  }

  private Optional<int[]> find(int from, BitSet seen) {
    Place place = new Place(from, seen);
    Optional<int[]> known = found.get(place);
    if (known == null) {
      known = Optional.ofNullable(search(from, seen));
      found.put(place, known);
    }
    return known;
  }

  /** What all places that fit have in common; null if none fits. */
  private int @Nullable [] search(int from, BitSet seen) {
    note(in.limit() - from);
    int[] common = null;
    for (int start = from; start <= in.limit() - HEAD; start++) {
      int[] places = isHead(start, seen) ? walk(start, seen) : null;
      if (places != null && common == null) {
        common = places;
      } else if (places != null) {
        for (int id = 0; id < common.length; id++) {
          common[id] = common[id] == places[id] ? common[id] : UNKNOWN;
        }
      }
    }
    return common;
  }

  /** Whether the number of a state to come and a count may stand there. */
  private boolean isHead(int start, BitSet seen) {
    in.position(start);
    int id = in.readUnsignedShort();
    int count = in.readInt();
    return id < split.header().states().size()
        && !seen.get(id)
        && count >= 0
        && count <= in.remaining();
  }

  /** Where the states to come begin if they follow from there on, up to the end; else null. */
  private int @Nullable [] walk(int start, BitSet seenBefore) {
    BitSet seen = (BitSet) seenBefore.clone();
    int[] places = nowhere();
    int position = start;
    while (seen.cardinality() < places.length) {
      if (position > in.limit() - HEAD || !isHead(position, seen)) {
        return null;
      }
      in.position(position);
      KeyedStateMeta state = split.header().states().get(in.readUnsignedShort());
      seen.set(state.id());
      places[state.id()] = position;
      int count = in.readInt();
      try {
        if (count > 0 && HeapElements.isUndelimited(state)) {
          return walkBehind(places, seen);
        }
        for (; count > 0; count--) {
          skipEntry(state);
        }
      } catch (MalformedValueException e) {
        return null;
      } catch (StateSqlException e) {
        return e.code() == ErrorCode.UNDECODABLE_STATE ? walkBehind(places, seen) : null;
      } finally {
        note(in.position() - position);
      }
      position = in.position();
    }
    return position == in.limit() ? places : null;
  }

  /** As {@link #walk}, behind a further value of unknown end at the input's position. */
  private int @Nullable [] walkBehind(int[] places, BitSet seen) {
    if (seen.cardinality() == places.length) {
      return places;
    }
    Optional<int[]> behind = find(in.position(), seen);
    if (behind.isEmpty()) {
      return null;
    }
    for (int id = 0; id < places.length; id++) {
      places[id] = seen.get(id) ? places[id] : behind.get()[id];
    }
    return places;
  }

  private void note(int bytes) {
    read += HEAD + Math.max(0, bytes);
    if (read > MOST_READ) {
      throw new EndlessException();
    }
  }

  private void skipEntry(KeyedStateMeta state) {
    ElementCodecs codecs = state.codecs();
    if (state.kind() == StateKind.TIMER) {
      in.skip(Long.BYTES);
      keys.skip(state, keyGroup, in);
      codecs.namespace().skip(in);
      return;
    }
    codecs.namespace().skip(in);
    keys.skip(state, keyGroup, in);
    switch (state.kind()) {
      case LIST -> {
        for (int left = in.readCount(0); left > 0; left--) {
          skipValue(codecs);
        }
      }
      case MAP -> {
        for (int left = in.readCount(1); left > 0; left--) {
          codecs.mapKey().skip(in);
          if (!in.readBoolean()) {
            skipValue(codecs);
          }
        }
      }
      default -> skipValue(codecs);
    }
  }

  private void skipValue(ElementCodecs codecs) {
    if (codecs.hasTtl()) {
      in.skip(Long.BYTES);
    }
    int start = in.position();
    try {
      codecs.value().skip(in);
    } catch (StateSqlException e) {
      in.position(start);
      throw e;
    }
  }
}
