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
package io.statesql.format;

import com.google.common.io.ByteStreams;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import java.io.IOException;
import java.io.InputStream;
import java.util.BitSet;

/**
 * Reads the canonical layout, in which every backend writes its savepoints: {@code
 * FullSnapshotAsyncWriter} and {@code FullSnapshotRestoreOperation} (Flink 2.3, in
 * org.apache.flink.runtime.state). A key group is a run of entries, state after state; a state's
 * last entry has the top bit of its key set, and the next state's number or the end mark follows.
 */
final class CanonicalElements extends FileElements {
  static final int END_OF_KEY_GROUP = 0xFFFF;
  static final int LAST_OF_STATE = 0x80;

  private final CompositeEntry entry;
  private final BlockInput in;

  /** The framed stream of the present key group; null without compression. */
  private final SnappyFrames frames;

  private boolean inKeyGroup;
  private int stateId;

  /**
   * @param file is closed with this reader
   * @param wanted the numbers of the states whose elements are wanted
   */
  CanonicalElements(KeyedSplit split, StateFile file, KeyGroupExtents extents, BitSet wanted) {
    super(split, file, extents, wanted);
    this.in = new BlockInput(file.maxValueBytes());
    this.frames = compressed ? new SnappyFrames() : null;
    this.entry =
        new CompositeEntry(
            element, split.operator().maxParallelism(), split.header().states().size());
  }

  @Override
  boolean advance() throws IOException {
    if (entry.hasMoreElements()) {
      entry.nextElement();
      return true;
    }
    while (inKeyGroup || openNextKeyGroup()) {
      if (wanted.get(stateId)) {
        readEntry();
        return true;
      }
      skipEntry();
    }
    return false;
  }

  private boolean openNextKeyGroup() throws IOException {
    do {
      extent++;
      if (extent == extents.count()) {
        return false;
      }
    } while (extents.isEmpty(extent));
    entry.startKeyGroup(extents.keyGroup(extent));
    long start = extents.start(extent);
    file.seek(start);
    InputStream bytes = ByteStreams.limit(file, extents.end(extent) - start);
    if (compressed) {
      frames.reset(bytes, start);
      in.reset(frames, 0);
    } else {
      in.reset(bytes, start);
    }
    in.mark();
    inKeyGroup = true;
    nextState(in.readUnsignedShort());
    return true;
  }

  private void nextState(int id) throws IOException {
    if (id == END_OF_KEY_GROUP) {
      inKeyGroup = false;
      in.requireEnd();
      return;
    }
    if (id >= split.header().states().size()) {
      throw new MalformedValueException(
          in.offset() - Short.BYTES,
          "an entry is of state number "
              + id
              + " but there are only "
              + split.header().states().size());
    }
    stateId = id;
  }

  private void skipEntry() throws IOException {
    in.mark();
    int keyLength = readKeyLength();
    int keyStart = in.readBlock(1);
    boolean last = (in.byteAt(keyStart) & LAST_OF_STATE) != 0;
    in.skip(keyLength - 1);
    in.skip(in.readInt());
    if (last) {
      in.mark();
      nextState(in.readUnsignedShort());
    }
  }

  private void readEntry() throws IOException {
    in.mark();
    int keyLength = readKeyLength();
    int keyStart = in.readBlock(keyLength);
    boolean last = (in.byteAt(keyStart) & LAST_OF_STATE) != 0;
    int valueLength = in.readInt();
    int valueStart = in.readBlock(valueLength);
    KeyedStateMeta state = split.header().states().get(stateId);
    if (last) {
      in.clearBits(keyStart, LAST_OF_STATE);
      nextState(in.readUnsignedShort());
    }
    in.window(entry.key(), keyStart, keyLength);
    in.window(entry.value(), valueStart, valueLength);
    entry.split(state);
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
