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

import com.google.common.io.ByteStreams;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.BlockInput;
import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.bytes.SnappyFrames;
import io.statesql.format.key.CompositeEntry;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.StateKind;
import io.statesql.format.scan.ElementMatcher;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.StateFile;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.UndelimitedParts;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Stream;

/**
 * Reads the layout of the heap backend's checkpoints and native savepoints: {@code
 * HeapSnapshotStrategy} and {@code HeapRestoreOperation} (Flink 2.3, in
 * org.apache.flink.runtime.state.heap). A key group is its number and then, for every state of the
 * header in any order, the state's number, a count, and so many entries of namespace, key and
 * value. With compression each state of a key group is a framed stream of its own.
 *
 * <p>Nothing here has a length: where a part ends, only its codec knows. Behind a part whose end
 * cannot be found the rest of that state of the key group is unreadable. The next state is a stream
 * of its own with compression; else {@link HeapStateSearch} looks for it, and if it does not find
 * it, the rest of the key group is unreadable, too. That is an error when a state there was asked
 * for. Takes memory for one value, list element or map entry at a time.
 */
public final class HeapElements extends FileElements {
  private final int stateCount;
  private final BlockInput in;

  /** The framed streams of the present key group; null without compression. */
  private final SnappyFrames frames;

  /** The states whose entries the present key group has shown so far. */
  private final BitSet seen = new BitSet();

  /** Whether the states of the present key group that are still to come had to be searched. */
  private boolean isFound;

  /** Where they begin then; none that is not wanted is among them. */
  private final Queue<Long> foundStates = new ArrayDeque<>();

  private final BitSet unreached = new BitSet();

  /** States of the present key group that are still to come. */
  private int statesLeft;

  /** Entries of the present state that are still to come. */
  private int entriesLeft;

  /** Elements of the present entry's list or map that are still to come. */
  private int partsLeft;

  private boolean inState;

  /** Namespace and key of the present list or map. */
  private byte[] scope = new byte[0];

  private final StateInput scopeNamespace = new StateInput();
  private final StateInput scopeKey = new StateInput();

  /**
   * @param file is closed with this reader
   */
  public HeapElements(SplitScan scan, StateFile file, KeyGroupExtents extents) {
    super(scan, file, extents);
    this.stateCount = split.header().states().size();
    this.in = new BlockInput(file.maxValueBytes());
    this.frames = compressed ? new SnappyFrames() : null;
  }

  @Override
  boolean advance() throws IOException {
    while (true) {
      if (partsLeft > 0) {
        if (readPart()) {
          return true;
        }
      } else if (entriesLeft > 0) {
        if (readEntry()) {
          return true;
        }
      } else if (!openNextState()) {
        return false;
      }
    }
  }

  /** Moves to the next state that is wanted, over those that are not. */
  private boolean openNextState() throws IOException {
    closeState();
    while (statesLeft > 0 || openNextKeyGroup()) {
      if (isFound) {
        openFoundState();
      }
      openState();
      if (scan.wantsState(element.state.id())) {
        return true;
      }
      skipState();
    }
    return false;
  }

  private boolean openNextKeyGroup() throws IOException {
    if (!nextExtent()) {
      return false;
    }
    element.keyGroup = extents.keyGroup(extent);
    element.state = null;
    long start = extents.start(extent);
    long end = end(start);
    file.seek(start);
    InputStream bytes = ByteStreams.limit(file, end - start);
    requireKeyGroup(bytes, start);
    if (compressed) {
      frames.reset(bytes, start + Integer.BYTES);
    } else {
      in.reset(bytes, start + Integer.BYTES, end);
    }
    seen.clear();
    isFound = false;
    statesLeft = stateCount;
    return true;
  }

  private long end(long start) {
    long end = extents.end(extent);
    return compressed && extents.mayEndBefore(extent)
        ? BaseFile.compressedHeapEnd(split, file, element.keyGroup, start, end)
        : end;
  }

  private void requireKeyGroup(InputStream bytes, long start) throws IOException {
    int found;
    try {
      found = new DataInputStream(bytes).readInt();
    } catch (EOFException e) {
      throw new MalformedValueException(start, "a key group has no room for its number", e);
    }
    if (found != element.keyGroup) {
      throw new MalformedValueException(
          start, "key group " + found + " stands where key group " + element.keyGroup + " should");
    }
  }

  private void openState() throws IOException {
    if (compressed) {
      if (!frames.nextStream()) {
        throw new MalformedValueException(
            0, "the key group ends " + statesLeft + " of " + stateCount + " states early");
      }
      in.reset(frames, 0);
    }
    in.mark();
    int id = in.readUnsignedShort();
    if (id >= stateCount || seen.get(id)) {
      throw new MalformedValueException(
          in.offset() - Short.BYTES,
          id < stateCount
              ? "the key group holds state number " + id + " twice"
              : "state number " + id + " follows but there are only " + stateCount);
    }
    seen.set(id);
    element.state = split.header().states().get(id);
    entriesLeft = in.readInt();
    if (entriesLeft < 0) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES, "a state has " + entriesLeft + " entries");
    }
    inState = true;
    if (scan.wantsState(id)) {
      requireDelimited();
    }
  }

  /** Refuses bytes that belong to no entry, at the end of a stream. */
  private void closeState() throws IOException {
    if (inState && isFound) {
      leaveState();
    } else if (inState) {
      leaveState();
      if (!compressed && statesLeft == 0 && extents.mayEndBefore(extent)) {
        BaseFile.requireHeapEnd(element.keyGroup, in);
      } else if (compressed || statesLeft == 0) {
        in.requireEnd();
      }
      if (compressed && statesLeft == 0 && frames.nextStream()) {
        throw new MalformedValueException(
            0, "the key group holds more than its " + stateCount + " states");
      }
    }
  }

  private void skipState() throws IOException {
    if (compressed) {
      // The next state begins with the next framed stream.
      leaveState();
      return;
    }
    try {
      requireDelimited();
      while (entriesLeft > 0) {
        skipEntry();
      }
      closeState();
    } catch (StateSqlException e) {
      if (e.code() != ErrorCode.UNDECODABLE_STATE) {
        throw e;
      }
      passUndelimited(e);
    }
  }

  /** Goes on with the wanted states behind a value whose end nobody knows. */
  private void passUndelimited(StateSqlException obstacle) throws IOException {
    leaveState();
    BitSet behind = (BitSet) scan.states().clone();
    behind.andNot(seen);
    int[] places = behind.isEmpty() ? new int[0] : places();
    unreached.clear();
    behind.stream().filter(id -> places[id] < 0).forEach(unreached::set);
    if (!unreached.isEmpty()) {
      throw new StateSqlException(
          obstacle.code(),
          "State \""
              + split.header().states().get(unreached.nextSetBit(0)).name()
              + "\" is stored behind another that cannot be passed over. "
              + obstacle.getMessage(),
          obstacle);
    }
    long start = in.offset();
    isFound = true;
    foundStates.clear();
    behind.stream().mapToLong(id -> start + places[id]).sorted().forEach(foundStates::add);
    statesLeft = foundStates.size();
  }

  /** Where the states behind the input's position begin, counted from there. */
  private int[] places() {
    long from = in.offset();
    long length = extents.end(extent) - from;
    int most = Math.min(HeapStateSearch.MOST_BYTES, file.maxValueBytes());
    boolean canBeSearched = length <= most && !extents.mayEndBefore(extent);
    byte[] rest = new byte[canBeSearched ? (int) length : 0];
    file.seek(from);
    file.readFully(rest, 0, rest.length);
    StateInput bytes = new StateInput().reset(rest, 0, rest.length, from);
    return HeapStateSearch.find(split, element.keyGroup, bytes, (BitSet) seen.clone());
  }

  private void openFoundState() {
    long start = foundStates.remove();
    long end = extents.end(extent);
    file.seek(start);
    in.reset(ByteStreams.limit(file, end - start), start, end);
  }

  private void leaveState() {
    inState = false;
    entriesLeft = 0;
    statesLeft--;
  }

  /** Refuses a state with entries of which a part has no known end. */
  private void requireDelimited() {
    String reason = entriesLeft == 0 ? null : undelimitedPart(element.state);
    if (reason != null) {
      throw SplitFault.undelimited(split, element, in.offset(), reason, null);
    }
  }

  /** Whether some part of a state's entries has no known end, whatever its bytes. */
  public static boolean isUndelimited(KeyedStateMeta state) {
    return undelimitedPart(state) != null;
  }

  /** Those that were wanted and are not found; each has a compressed stream of its own, if any. */
  @Override
  public Optional<BitSet> statesBehindFault() {
    return compressed ? Optional.empty() : Optional.of((BitSet) unreached.clone());
  }

  private static String undelimitedPart(KeyedStateMeta state) {
    ElementCodecs codecs = state.codecs();
    return Stream.of(codecs.namespace(), codecs.key(), codecs.mapKey(), codecs.value())
        .filter(codec -> codec != null && !codec.isDelimited())
        .map(UndelimitedParts::reason)
        .findFirst()
        .orElse(null);
  }

  private void skipEntry() throws IOException {
    in.mark();
    entriesLeft--;
    entries++;
    KeyedStateMeta state = element.state;
    if (state.kind() == StateKind.TIMER) {
      in.skip(Long.BYTES);
      take(state.codecs().key());
      in.mark();
      take(state.codecs().namespace());
      return;
    }
    take(state.codecs().namespace());
    take(state.codecs().key());
    in.mark();
    skipContent(state);
  }

  /** Moves over what stands behind namespace and key. */
  private void skipContent(KeyedStateMeta state) throws IOException {
    switch (state.kind()) {
      case LIST -> {
        for (int left = readCount(); left > 0; left--) {
          in.mark();
          takeValue();
        }
      }
      case MAP -> {
        for (int left = readCount(); left > 0; left--) {
          in.mark();
          take(state.codecs().mapKey());
          if (!in.readBoolean()) {
            takeValue();
          }
        }
      }
      default -> takeValue();
    }
  }

  /**
   * Reads the next entry, or of a list or map its scope.
   *
   * @return false if it is a list or map, or does not match
   */
  private boolean readEntry() throws IOException {
    in.mark();
    entriesLeft--;
    entries++;
    KeyedStateMeta state = element.state;
    element.listIndex = 0;
    element.valueIsNull = false;
    element.timestamp = 0;
    if (state.kind() == StateKind.TIMER) {
      readTimer(state.codecs());
      ElementMatcher ofTimers = scan.matcher(state.id());
      return ofTimers == null || ofTimers.matches(element);
    }
    int namespaceStart = take(state.codecs().namespace());
    int keyStart = take(state.codecs().key());
    int keyEnd = in.sinceMark();
    ElementMatcher matcher = scan.matcher(state.id());
    if (matcher != null && !matchesScope(matcher, namespaceStart, keyStart, keyEnd)) {
      in.mark();
      skipContent(state);
      return false;
    }
    if (state.kind() == StateKind.LIST || state.kind() == StateKind.MAP) {
      keepScope(keyStart, keyEnd);
      partsLeft = readCount();
      element.listIndex = -1;
      return false;
    }
    takeValue();
    int valueEnd = in.sinceMark();
    in.window(element.namespace, namespaceStart, keyStart - namespaceStart);
    in.window(element.key, keyStart, keyEnd - keyStart);
    in.window(element.mapKey, valueEnd, 0);
    in.window(element.value, keyEnd, valueEnd - keyEnd);
    return true;
  }

  private boolean matchesScope(
      ElementMatcher matcher, int namespaceStart, int keyStart, int keyEnd) {
    in.window(element.namespace, namespaceStart, keyStart - namespaceStart);
    in.window(element.key, keyStart, keyEnd - keyStart);
    return matcher.matchesScope(element);
  }

  private void readTimer(ElementCodecs codecs) throws IOException {
    int timeStart = in.readBlock(Long.BYTES);
    int keyStart = take(codecs.key());
    int namespaceStart = take(codecs.namespace());
    int end = in.sinceMark();
    element.timestamp =
        in.window(element.value, timeStart, Long.BYTES).readLong() ^ CompositeEntry.FLIPPED_SIGN;
    in.window(element.key, keyStart, namespaceStart - keyStart);
    in.window(element.namespace, namespaceStart, end - namespaceStart);
    in.window(element.mapKey, end, 0);
    in.window(element.value, end, 0);
  }

  /** Copies namespace and key, so that the buffer need not hold a whole list or map. */
  private void keepScope(int keyStart, int end) {
    if (scope.length < end) {
      scope = new byte[end];
    }
    StateInput bytes = in.window(element.key, 0, end);
    System.arraycopy(bytes.array(), bytes.position(), scope, 0, end);
    scopeNamespace.reset(scope, 0, keyStart, bytes.offset());
    scopeKey.reset(scope, keyStart, end - keyStart, bytes.offset() + keyStart);
  }

  /**
   * Reads one element of a list or one entry of a map.
   *
   * @return false if it does not match
   */
  private boolean readPart() throws IOException {
    in.mark();
    partsLeft--;
    int valueStart = 0;
    element.valueIsNull = false;
    if (element.state.kind() == StateKind.LIST) {
      element.listIndex++;
      takeValue();
    } else {
      element.listIndex = 0;
      take(element.state.codecs().mapKey());
      int mapKeyEnd = in.sinceMark();
      element.valueIsNull = in.readBoolean();
      valueStart = in.sinceMark();
      if (!element.valueIsNull) {
        takeValue();
      }
      in.window(element.mapKey, 0, mapKeyEnd);
    }
    int valueEnd = in.sinceMark();
    element.namespace.reset(scopeNamespace);
    element.key.reset(scopeKey);
    if (element.state.kind() == StateKind.LIST) {
      in.window(element.mapKey, valueEnd, 0);
    }
    in.window(element.value, valueStart, valueEnd - valueStart);
    ElementMatcher matcher = scan.matcher(element.state.id());
    return matcher == null || matcher.matchesMapKey(element);
  }

  private int readCount() throws IOException {
    int count = in.readInt();
    if (count < 0) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES, "a list or map has " + count + " elements");
    }
    return count;
  }

  private void takeValue() throws IOException {
    ElementCodecs codecs = element.state.codecs();
    if (codecs.hasTtl()) {
      in.readBlock(Long.BYTES);
    }
    take(codecs.value());
  }

  private int take(Codec codec) throws IOException {
    try {
      return in.readValue(codec);
    } catch (StateSqlException e) {
      throw e.code() == ErrorCode.UNDECODABLE_STATE
          ? SplitFault.undelimited(split, element, in.offset(), e.getMessage(), e)
          : e;
    }
  }
}
