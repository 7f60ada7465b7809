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
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.BitSet;

/**
 * Reads the canonical layout, in which every backend writes its savepoints: {@code
 * FullSnapshotAsyncWriter} and {@code FullSnapshotRestoreOperation} (Flink 2.3, in
 * org.apache.flink.runtime.state). A key group is a run of entries, state after state; a state's
 * last entry has the top bit of its key set, and the next state's number or the end mark follows.
 */
final class CanonicalElements implements KeyedElements {
  private static final int END_OF_KEY_GROUP = 0xFFFF;
  static final int LAST_OF_STATE = 0x80;
  private static final byte LIST_DELIMITER = ',';

  /** The sign bit that Flink flips so that times sort as bytes. */
  static final long FLIPPED_SIGN = Long.MIN_VALUE;

  private final KeyedSplit split;
  private final StateFile file;
  private final KeyGroupExtents extents;
  private final BitSet wanted;
  private final boolean compressed;
  private final CompositeKey[] compositeKeys;
  private final KeyedElement element = new KeyedElement();
  private final StateInput entryKey = new StateInput();
  private final StateInput entryValue = new StateInput();
  private final BlockInput in = new BlockInput();

  /** Index into the extents of the key group being read, or to be read next. */
  private int extent = -1;

  private boolean inKeyGroup;
  private int stateId;

  /** Whether more elements of the present LIST entry follow. */
  private boolean inList;

  /**
   * @param file is closed with this reader
   * @param wanted the numbers of the states whose elements are wanted
   */
  CanonicalElements(KeyedSplit split, StateFile file, KeyGroupExtents extents, BitSet wanted) {
    this.split = split;
    this.file = file;
    this.extents = extents;
    this.wanted = wanted;
    this.compressed = split.header().compressed();
    this.compositeKeys = new CompositeKey[split.header().states().size()];
  }

  @Override
  public KeyedElement element() {
    return element;
  }

  @Override
  public boolean next() {
    try {
      return advance();
    } catch (MalformedValueException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR, "Cannot read " + split.file() + ": " + e.getMessage(), e);
    }
  }

  private boolean advance() throws IOException {
    if (inList) {
      nextListElement();
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
    element.keyGroup = extents.keyGroup(extent);
    element.state = null;
    long start = extents.start(extent);
    file.seek(start);
    InputStream bytes = ByteStreams.limit(file, extents.end(extent) - start);
    if (compressed) {
      in.reset(new SnappyFrames(bytes, start), 0);
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
    element.state = state;
    in.window(entryKey, keyStart, keyLength);
    in.window(entryValue, valueStart, valueLength);
    element.listIndex = 0;
    element.valueIsNull = false;
    element.timestamp = 0;
    switch (state.kind()) {
      case TIMER -> splitTimer(state);
      case LIST -> startList(state);
      case MAP -> splitMapEntry(state);
      default -> {
        splitKey(state);
        element.value.reset(entryValue);
      }
    }
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

  private void splitKey(KeyedStateMeta state) {
    CompositeKey composite = compositeKey(state);
    composite.split(entryKey, element.keyGroup);
    showKey(composite);
  }

  private void showKey(CompositeKey composite) {
    element.key.window(entryKey, composite.keyStart(), composite.keyLength());
    element.namespace.window(entryKey, composite.namespaceStart(), composite.namespaceLength());
    element.mapKey.window(
        entryKey, composite.mapKeyStart(), entryKey.limit() - composite.mapKeyStart());
  }

  private CompositeKey compositeKey(KeyedStateMeta state) {
    CompositeKey composite = compositeKeys[state.id()];
    if (composite == null) {
      composite = new CompositeKey(split.operator().maxParallelism(), state.codecs());
      compositeKeys[state.id()] = composite;
    }
    return composite;
  }

  private void splitMapEntry(KeyedStateMeta state) {
    splitKey(state);
    element.valueIsNull = entryValue.readBoolean();
    // After the mark of a null the heap backend still writes a value, which means nothing.
    element.value.reset(entryValue);
  }

  private void splitTimer(KeyedStateMeta state) {
    element.value.reset(entryValue);
    entryValue.requireEnd();
    ElementCodecs codecs = state.codecs();
    int prefix = CompositeKey.prefixBytes(split.operator().maxParallelism());
    int found = prefix == 1 ? entryKey.readUnsignedByte() : entryKey.readUnsignedShort();
    if (found != element.keyGroup) {
      throw entryKey.malformed(
          "a timer of key group %d stands in key group %d", found, element.keyGroup);
    }
    element.timestamp = entryKey.readLong() ^ FLIPPED_SIGN;
    int start = entryKey.position();
    if (codecs.key().isDelimited()) {
      codecs.key().skip(entryKey);
    } else {
      entryKey.skip((long) entryKey.remaining() - codecs.namespaceBytes());
    }
    element.key.window(entryKey, start, entryKey.position() - start);
    start = entryKey.position();
    codecs.namespace().skip(entryKey);
    element.namespace.window(entryKey, start, entryKey.position() - start);
    element.mapKey.window(entryKey, entryKey.position(), 0);
    entryKey.requireEnd();
  }

  private void startList(KeyedStateMeta state) {
    splitKey(state);
    element.listIndex = -1;
    nextListElement();
  }

  private void nextListElement() {
    ElementCodecs codecs = element.state.codecs();
    element.listIndex++;
    if (element.listIndex > 0) {
      showKey(compositeKey(element.state));
      byte delimiter = entryValue.readByte();
      if (delimiter != LIST_DELIMITER) {
        throw entryValue.malformed("elements of a list must be parted by a comma");
      }
    }
    int start = entryValue.position();
    if (codecs.wholeList()) {
      entryValue.skip(entryValue.remaining());
    } else {
      if (codecs.hasTtl()) {
        entryValue.skip(Long.BYTES);
      }
      codecs.value().skip(entryValue);
    }
    element.value.window(entryValue, start, entryValue.position() - start);
    inList = entryValue.remaining() > 0;
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    String state = element.state == null ? null : element.state.name();
    return SplitFault.malformed(split, state, element.keyGroup, compressed, fault);
  }

  @Override
  public void close() {
    file.close();
  }
}
