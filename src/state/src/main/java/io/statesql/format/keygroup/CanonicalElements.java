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
import io.statesql.Cancellation;
import io.statesql.format.bytes.BlockInput;
import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.bytes.SnappyFrames;
import io.statesql.format.bytes.StateNumbers;
import io.statesql.format.bytes.StatePlaces;
import io.statesql.format.key.CompositeEntry;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.scan.ElementMatcher;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the canonical layout, in which every backend writes its savepoints: {@code
 * FullSnapshotAsyncWriter} and {@code FullSnapshotRestoreOperation} (Flink 2.3, in
 * org.apache.flink.runtime.state). A key group is a run of entries, state after state; a state's
 * last entry has the top bit of its key set, and the next state's number or the end mark follows.
 */
public final class CanonicalElements extends FileElements {
  public static final int LAST_OF_STATE = 0x80;

  private final CompositeEntry entry;
  private final BlockInput in;

  /** The framed stream of the present key group; null without compression. */
  private final SnappyFrames frames;

  private final StateNumbers numbers;
  private final StatePlaces.Notes notes;

  /** Where the states of the present key group are; null if that is not known. */
  private StatePlaces.@Nullable Walk walk;

  private boolean inKeyGroup;

  /** Offset of the key group's first byte. */
  private long keyGroupStart;

  private int stateId;

  /** Whether {@link #stateId} is wanted. */
  private boolean wanted;

  /** Whether each entry of {@link #stateId} is one element that is wanted. */
  private boolean isElement;

  /**
   * @param file is closed with this reader
   */
  public CanonicalElements(SplitScan scan, StateFile file, KeyGroupExtents extents) {
    super(scan, file, extents);
    this.in = new BlockInput(file.maxValueBytes());
    this.numbers = new StateNumbers(split.header().states().size());
    this.notes = split.places().new Notes(split.header().states().size());
    this.frames = compressed ? new SnappyFrames() : null;
    this.entry = new CompositeEntry(element, split);
  }

  @Override
  boolean advance() throws IOException {
    if (entry.hasMoreElements()) {
      entry.nextElement();
      return true;
    }
    while (inKeyGroup || openNextKeyGroup()) {
      if (!wanted) {
        passUnwanted();
      } else if (readEntry()) {
        return true;
      }
    }
    return false;
  }

  /** Of entries that are one element each, no more than the key is looked at. */
  @Override
  long advanceToEnd(Cancellation cancellation) throws IOException {
    long passed = 0;
    while (entry.hasMoreElements() || inKeyGroup || openNextKeyGroup()) {
      if (entry.hasMoreElements() || (wanted && !isElement)) {
        if (!advance()) {
          return passed;
        }
        cancellation.check();
        passed++;
      } else if (wanted) {
        passed++;
        passEntry();
      } else {
        passUnwanted();
      }
    }
    return passed;
  }

  private boolean openNextKeyGroup() throws IOException {
    do {
      if (!nextExtent()) {
        return false;
      }
      walk = split.places().walk(extents.keyGroup(extent), scan.states());
    } while (extents.isEmpty(extent) || (walk != null && !walk.hasNext()));
    entry.startKeyGroup(extents.keyGroup(extent));
    inKeyGroup = true;
    numbers.startKeyGroup();
    notes.startKeyGroup();
    openAt(walk == null ? 0 : walk.start());
    nextState(in.readUnsignedShort());
    return true;
  }

  /** Goes to a byte of the present key group, decompressed. */
  private void openAt(long byteOfKeyGroup) throws IOException {
    long start = extents.start(extent);
    file.seek(compressed ? start : start + byteOfKeyGroup);
    InputStream bytes = ByteStreams.limit(file, extents.end(extent) - file.position());
    if (compressed) {
      frames.reset(bytes, start);
      frames.pass(byteOfKeyGroup);
      in.reset(frames, byteOfKeyGroup);
      keyGroupStart = 0;
    } else {
      in.reset(bytes, file.position());
      keyGroupStart = start;
    }
    in.mark();
  }

  private void nextState(int id) throws IOException {
    if (id == StateNumbers.END_OF_KEY_GROUP) {
      inKeyGroup = false;
      long end = in.offset();
      if (extents.mayEndBefore(extent)) {
        BaseFile.requireCanonicalEnd(split, in);
      } else {
        in.requireEnd();
      }
      if (walk == null) {
        notes.endKeyGroup(extents.keyGroup(extent), end - keyGroupStart);
      } else if (walk.hasNext()) {
        throw changedMeanwhile();
      }
      return;
    }
    long offset = in.offset() - Short.BYTES;
    numbers.next(id, offset);
    notes.add(id, offset - keyGroupStart);
    stateId = id;
    wanted = scan.wantsState(id);
    isElement =
        wanted
            && scan.matcher(id) == null
            && split.header().states().get(id).kind() != StateKind.LIST;
    if (wanted && walk != null && (!walk.hasNext() || walk.next() != id)) {
      throw changedMeanwhile();
    }
  }

  /** Passes an entry of a state that is not wanted, or all until the next that is. */
  private void passUnwanted() throws IOException {
    if (walk == null) {
      skipEntry();
    } else if (!walk.hasNext()) {
      inKeyGroup = false;
    } else {
      openAt(walk.start());
      nextState(in.readUnsignedShort());
      if (!wanted) {
        throw changedMeanwhile();
      }
    }
  }

  private MalformedValueException changedMeanwhile() {
    return new MalformedValueException(
        in.offset() - Short.BYTES,
        "another state begins here than when the key group was read before: the file was changed");
  }

  private void skipEntry() throws IOException {
    entries++;
    in.mark();
    int firstByte = in.skipBufferedPair();
    if (firstByte < 0) {
      firstByte = skipInParts();
    }
    if ((firstByte & LAST_OF_STATE) != 0) {
      in.mark();
      nextState(in.readUnsignedShort());
    }
  }

  /** Skips an entry that is not wholly buffered, or is damaged, and returns its first byte. */
  private int skipInParts() throws IOException {
    int keyLength = readKeyLength();
    byte firstByte = in.byteAt(in.readBlock(1));
    in.skip(keyLength - 1);
    in.skip(in.readInt());
    return firstByte & 0xFF;
  }

  /** Passes an entry whose key is one of the state and key group. */
  private void passEntry() throws IOException {
    entries++;
    in.mark();
    int keyLength = readKeyLength();
    int keyStart = in.readBlock(keyLength);
    boolean last = takeLastMark(keyStart);
    in.window(entry.key(), keyStart, keyLength);
    entry.pass(split.header().states().get(stateId));
    in.skip(in.readInt());
    if (last) {
      in.mark();
      nextState(in.readUnsignedShort());
    }
  }

  private boolean takeLastMark(int keyStart) {
    boolean last = (in.byteAt(keyStart) & LAST_OF_STATE) != 0;
    if (last) {
      in.clearBits(keyStart, LAST_OF_STATE);
    }
    return last;
  }

  /** Shows an entry, or passes one that does not match. */
  private boolean readEntry() throws IOException {
    entries++;
    KeyedStateMeta state = split.header().states().get(stateId);
    element.state = state;
    in.mark();
    int keyLength = readKeyLength();
    int keyStart = in.readBlock(keyLength);
    boolean last = takeLastMark(keyStart);
    in.window(entry.key(), keyStart, keyLength);
    ElementMatcher matcher = scan.matcher(stateId);
    if (matcher != null) {
      if (!entry.matches(state, matcher)) {
        in.skip(in.readInt());
        if (last) {
          in.mark();
          nextState(in.readUnsignedShort());
        }
        return false;
      }
    }
    int valueLength = in.readInt();
    int valueStart = in.readBlock(valueLength);
    if (last) {
      nextState(in.readUnsignedShort());
    }
    in.window(entry.key(), keyStart, keyLength);
    in.window(entry.value(), valueStart, valueLength);
    entry.split(state);
    return true;
  }

  /** A key holds at least its key group, whose first byte carries the mark of the last entry. */
  private int readKeyLength() throws IOException {
    int length = in.readInt();
    if (length < 1) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES, "a key cannot have the length " + length);
    }
    return length;
  }
}
