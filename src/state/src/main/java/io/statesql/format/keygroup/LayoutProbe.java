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

import io.statesql.ReadCounters;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.key.CompositeKey;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.BitSet;

/**
 * Tells the two layouts apart that a plain {@code KeyGroupsStateHandle} may stand for: that of the
 * heap backend and the canonical one, which RocksDB used for full checkpoints and, before Flink
 * 1.13, for savepoints. The handle does not say which, and Flink goes by the backend that the job
 * is configured with.
 *
 * <p>Looks at the first bytes of one key group, and at those of others only while both layouts fit.
 */
final class LayoutProbe {
  /** In heap layout: key group, number of the first state, count of its entries. */
  private static final int HEAP_START = Integer.BYTES + Short.BYTES + Integer.BYTES;

  /** In canonical layout: number of the first state, length of a key, key group of the key. */
  private static final int CANONICAL_START = Short.BYTES + Integer.BYTES + Short.BYTES;

  private static final int SNAPPY_IDENTIFIER = 0xFF060000;

  private final KeyedSplit split;
  private final StateFile file;
  private final KeyGroupExtents extents;
  private final boolean compressed;
  private final int stateCount;

  /**
   * @param split of any layout; its header is read
   * @param file the state that the split's handle names
   */
  LayoutProbe(KeyedSplit split, StateFile file, KeyGroupExtents extents) {
    this.split = split;
    this.file = file;
    this.extents = extents;
    this.compressed = split.header().compressed();
    this.stateCount = split.header().states().size();
  }

  /**
   * Finds the layout.
   *
   * @throws MalformedValueException if neither fits, or both do
   */
  KeyedLayout find() {
    boolean ambiguous = false;
    for (int i = 0; i < extents.count(); i++) {
      if (extents.isEmpty(i)) {
        // The heap backend writes every key group.
        return KeyedLayout.CANONICAL;
      }
      boolean heap = startsAsHeap(i);
      boolean canonical = startsAsCanonical(i);
      if (heap != canonical) {
        return heap ? KeyedLayout.HEAP : KeyedLayout.CANONICAL;
      }
      if (!heap) {
        throw new MalformedValueException(
            extents.start(i),
            "key group "
                + extents.keyGroup(i)
                + " begins neither as the heap backend writes it nor in canonical form");
      }
      ambiguous = true;
    }
    return ambiguous ? findByReading() : KeyedLayout.CANONICAL;
  }

  /**
   * Tests a header by what follows it.
   *
   * @throws MalformedValueException if a key group begins with no entry of its states
   */
  void requireCanonical() {
    for (int i = 0; i < extents.count(); i++) {
      if (!extents.isEmpty(i) && !startsAsCanonical(i)) {
        throw new MalformedValueException(
            extents.start(i),
            "key group "
                + extents.keyGroup(i)
                + " begins with no entry of the states that the header seems to describe");
      }
    }
  }

  private boolean startsAsHeap(int index) {
    StateInput in = start(index, HEAP_START);
    if (in.remaining() < HEAP_START || in.readInt() != extents.keyGroup(index)) {
      return false;
    }
    return compressed
        ? in.readInt() == SNAPPY_IDENTIFIER
        : in.readUnsignedShort() < stateCount && in.readInt() >= 0;
  }

  private boolean startsAsCanonical(int index) {
    StateInput in = start(index, CANONICAL_START);
    if (in.remaining() < CANONICAL_START) {
      return false;
    }
    if (compressed) {
      return in.readInt() == SNAPPY_IDENTIFIER;
    }
    int state = in.readUnsignedShort();
    int keyLength = in.readInt();
    int prefixBytes = CompositeKey.prefixBytes(split.operator().maxParallelism());
    if (state >= stateCount
        || keyLength < prefixBytes
        || keyLength > extents.end(index) - extents.start(index)) {
      return false;
    }
    int prefix = in.readUnsignedShort() & ~(CanonicalElements.LAST_OF_STATE << Byte.SIZE);
    return (prefixBytes == 1 ? prefix >>> Byte.SIZE : prefix) == extents.keyGroup(index);
  }

  /** The first bytes of a key group, fewer if it has not so many. */
  private StateInput start(int index, int length) {
    byte[] bytes = new byte[(int) Math.min(length, extents.end(index) - extents.start(index))];
    file.seek(extents.start(index));
    file.readFully(bytes, 0, bytes.length);
    return new StateInput(bytes);
  }

  /** What reading in a layout to the end says of it. */
  private enum Fit {
    YES,
    NO,
    /** A part cannot be passed over, or seems to take more memory than it may. */
    UNKNOWN
  }

  /**
   * Reads the key groups in both layouts to the end, or to where one is found not to fit. Of two
   * that may fit it is the one that surely does.
   */
  private KeyedLayout findByReading() {
    BitSet all = new BitSet();
    all.set(0, stateCount);
    SplitScan scan = new SplitScan(split, all, ElementCondition.NONE, new ReadCounters());
    Fit canonical = fit(new CanonicalElements(scan, file, extents));
    Fit heap = fit(new HeapElements(scan, file, extents));
    if (heap == canonical) {
      throw new MalformedValueException(
          extents.start(0),
          heap == Fit.NO
              ? "the key groups are neither in canonical form nor as the heap backend writes them"
              : "the key groups may be in canonical form and also as the heap backend writes them,"
                  + " with different results");
    }
    return canonical == Fit.YES || heap == Fit.NO ? KeyedLayout.CANONICAL : KeyedLayout.HEAP;
  }

  /** The elements are not closed, since the file is still needed. */
  private static Fit fit(KeyedElements elements) {
    try {
      while (elements.next()) {
        // Reading is all that is wanted.
      }
      return Fit.YES;
    } catch (StateSqlException e) {
      return switch (e.code()) {
        case MALFORMED_SNAPSHOT -> Fit.NO;
        case UNDECODABLE_STATE, MEMORY_LIMIT -> Fit.UNKNOWN;
        default -> throw e;
      };
    }
  }
}
