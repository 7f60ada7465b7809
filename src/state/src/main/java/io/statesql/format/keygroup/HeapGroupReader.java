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

import com.google.common.base.Preconditions;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.BlockInput;
import io.statesql.format.bytes.SnappyFrames;
import io.statesql.format.key.CompositeEntry;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.StateKind;
import io.statesql.snapshot.Bytes;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.UndelimitedParts;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.stream.Stream;

/**
 * Walks the entries of one key group in the layout of the heap backend, each as a whole; see {@link
 * HeapElements} for the layout. Takes memory for one entry, which may be a whole list or map. Not
 * thread-safe.
 */
final class HeapGroupReader {
  private final KeyedSplit split;
  private final BlockInput in = new BlockInput(KeyGroupFile.maxEntryBytes());
  private final SnappyFrames frames;
  private final StateInput window = new StateInput();
  private int statesLeft;
  private KeyedStateMeta state;
  private int entryCount;
  private int entriesLeft;
  private Bytes key = Bytes.EMPTY;
  private Bytes namespace = Bytes.EMPTY;
  private long timestamp;
  private int valueStart;

  /**
   * @param index of a key group that is not empty
   */
  HeapGroupReader(KeyGroupFile file, int index) throws IOException {
    this.split = file.split();
    this.statesLeft = split.header().states().size();
    InputStream bytes = file.bytes(index);
    int found = new DataInputStream(bytes).readInt();
    if (found != file.keyGroup(index)) {
      throw new MalformedValueException(
          file.start(index),
          "key group " + found + " stands where key group " + file.keyGroup(index) + " should");
    }
    long offset = file.start(index) + Integer.BYTES;
    if (split.header().compressed()) {
      this.frames = new SnappyFrames(bytes, offset);
    } else {
      this.frames = null;
      in.reset(bytes, offset, file.start(index) + file.length(index));
    }
  }

  /**
   * Moves to the next state, whose entries follow; all entries of the one before must have been
   * read.
   *
   * @return false after the last one
   */
  boolean nextState() throws IOException {
    Preconditions.checkState(entriesLeft == 0, "entries are left");
    if (statesLeft == 0) {
      return false;
    }
    if (frames != null) {
      if (!frames.nextStream()) {
        throw new MalformedValueException(0, "a key group ends " + statesLeft + " states early");
      }
      in.reset(frames, 0);
    }
    statesLeft--;
    in.mark();
    int id = in.readUnsignedShort();
    if (id >= split.header().states().size()) {
      throw new MalformedValueException(
          in.offset() - Short.BYTES, "there is no state number " + id);
    }
    state = split.header().states().get(id);
    entryCount = in.readInt();
    entriesLeft = entryCount;
    if (entryCount < 0) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES, "a state has " + entryCount + " entries");
    }
    return true;
  }

  /** The present state. */
  KeyedStateMeta state() {
    return state;
  }

  /** How many entries of the present state are stored. */
  int entryCount() {
    return entryCount;
  }

  /**
   * Copies the entries of the present state, and with them, unless the key group is compressed, all
   * states that follow, without looking into them.
   */
  void copyRest(OutputStream out) throws IOException {
    in.copyRest(out);
    entriesLeft = 0;
    if (frames == null) {
      statesLeft = 0;
    }
  }

  /**
   * Moves to the next entry of the present state.
   *
   * @return false after the last one
   * @throws StateSqlException if its end cannot be found
   */
  boolean nextEntry() throws IOException {
    if (entriesLeft == 0) {
      return false;
    }
    requireDelimited();
    entriesLeft--;
    in.mark();
    ElementCodecs codecs = state.codecs();
    if (state.kind() == StateKind.TIMER) {
      int timeStart = in.readBlock(Long.BYTES);
      int keyStart = in.readValue(codecs.key());
      int namespaceStart = in.readValue(codecs.namespace());
      valueStart = in.sinceMark();
      timestamp = in.window(window, timeStart, Long.BYTES).readLong() ^ CompositeEntry.FLIPPED_SIGN;
      key = Bytes.rest(in.window(window, keyStart, namespaceStart - keyStart));
      namespace = Bytes.rest(in.window(window, namespaceStart, valueStart - namespaceStart));
      return true;
    }
    int namespaceStart = in.readValue(codecs.namespace());
    int keyStart = in.readValue(codecs.key());
    valueStart = in.sinceMark();
    readValue(codecs);
    key = Bytes.rest(in.window(window, keyStart, valueStart - keyStart));
    namespace = Bytes.rest(in.window(window, namespaceStart, keyStart - namespaceStart));
    return true;
  }

  private void readValue(ElementCodecs codecs) throws IOException {
    switch (state.kind()) {
      case LIST -> {
        for (int left = readCount(); left > 0; left--) {
          readPart(codecs);
        }
      }
      case MAP -> {
        for (int left = readCount(); left > 0; left--) {
          in.readValue(codecs.mapKey());
          if (!in.readBoolean()) {
            readPart(codecs);
          }
        }
      }
      default -> readPart(codecs);
    }
  }

  private void readPart(ElementCodecs codecs) throws IOException {
    if (codecs.hasTtl()) {
      in.readBlock(Long.BYTES);
    }
    in.readValue(codecs.value());
  }

  private int readCount() throws IOException {
    int count = in.readInt();
    if (count < 0) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES, "a list or map has " + count + " elements");
    }
    return count;
  }

  private void requireDelimited() {
    ElementCodecs codecs = state.codecs();
    Stream.of(codecs.namespace(), codecs.key(), codecs.mapKey(), codecs.value())
        .filter(codec -> codec != null && !codec.isDelimited())
        .findFirst()
        .ifPresent(
            codec -> {
              throw undelimited(codec);
            });
  }

  private StateSqlException undelimited(Codec codec) {
    return new StateSqlException(
        ErrorCode.UNDECODABLE_STATE,
        SplitFault.where(split, state.name(), -1)
            + "its entries in the layout of the heap backend have no known end: "
            + UndelimitedParts.reason(codec)
            + "; take a savepoint in canonical form (flink savepoint --type canonical).");
  }

  /** The key of the present entry. */
  Bytes key() {
    return key;
  }

  Bytes namespace() {
    return namespace;
  }

  /** The time of a timer, in epoch milliseconds. */
  long timestamp() {
    return timestamp;
  }

  /**
   * The value of the present entry, or its whole list or map behind the number of parts; valid
   * until the next call.
   */
  StateInput value() {
    return in.window(window, valueStart, in.sinceMark() - valueStart);
  }

  /** All of the present entry; valid until the next call. */
  StateInput entry() {
    return in.window(window, 0, in.sinceMark());
  }
}
