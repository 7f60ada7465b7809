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
package io.statesql.format.changelog;

import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.BlockInput;
import io.statesql.format.bytes.SnappyFrames;
import io.statesql.format.bytes.ValueTooLargeException;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.SubtaskFile;
import io.statesql.snapshot.KeyedStateHandle.ChangelogPart;
import io.statesql.snapshot.KeyedStateHandle.ChangelogSegment;
import io.statesql.snapshot.KeyedStateHandle.ChangelogStream;
import io.statesql.snapshot.KeyedStateHandle.InMemoryChangelog;
import io.statesql.snapshot.KeyedStateHandle.StateChange;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.BitSet;

/**
 * The changes that the changelog state backend logged since its base, in the order in which they
 * are to be applied. They stand in the metadata itself ({@code InMemoryChangelogStateHandle}) or in
 * files: see {@code org.apache.flink.changelog.fs.StateChangeFormat} and {@code
 * ChangelogStreamHandleReader} (flink-dstl-dfs 2.3). The size that a handle gives such a file is
 * never its own: {@code OutputStreamWithPos} counts what it was given before compression, and not
 * the first byte. The counts in the file say where its changes end, and the metadata how many bytes
 * they have together.
 */
final class Changelog {
  private static final int PLAIN = 0;
  private static final int COMPRESSED = 1;

  private final Snapshot snapshot;
  private final KeyedSplit split;

  /**
   * @param split whose handle is a changelog
   */
  Changelog(Snapshot snapshot, KeyedSplit split) {
    this.snapshot = snapshot;
    this.split = split;
  }

  /** Takes the changes one by one. */
  @FunctionalInterface
  interface Consumer {
    /**
     * Takes the next change.
     *
     * @param keyGroup {@link StateChange#METADATA} for a change that describes a state
     * @param change the bytes; good until the method returns
     */
    void accept(int keyGroup, StateInput change);
  }

  /**
   * Reads all changes.
   *
   * @throws StateSqlException if they are damaged, also where {@code consumer} finds that, or
   *     cannot be had
   */
  void read(Iterable<ChangelogPart> parts, Consumer consumer) {
    for (ChangelogPart part : parts) {
      if (part instanceof InMemoryChangelog inMemory) {
        readInMemory(inMemory, consumer);
      } else {
        readStream((ChangelogStream) part, consumer);
      }
    }
  }

  private void readStream(ChangelogStream stream, Consumer consumer) {
    long bytes = 0;
    for (ChangelogSegment segment : stream.segments()) {
      bytes += readSegment(segment, consumer);
    }
    // Of a part that was cut out when a job was rescaled, Flink does not know the size.
    if (stream.stateSize() > 0 && stream.stateSize() != bytes) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          SplitFault.where(split, null, -1)
              + "the logged changes have "
              + bytes
              + " bytes where "
              + snapshot.metadataFile()
              + " says "
              + stream.stateSize()
              + ": one of both is damaged.");
    }
  }

  private void readInMemory(InMemoryChangelog part, Consumer consumer) {
    try {
      for (StateChange change : part.changes()) {
        consumer.accept(change.keyGroup(), change.change().input());
      }
    } catch (MalformedValueException e) {
      throw SplitFault.malformed(split, null, -1, false, e);
    }
  }

  /** Returns how many bytes its changes have. */
  private long readSegment(ChangelogSegment segment, Consumer consumer) {
    try (StateFile file =
        SubtaskFile.openToEnd(snapshot, split.operator(), split.subtask(), segment.handle())) {
      KeyedSplit inFile = split.withFile(file.name());
      boolean compressed = false;
      try {
        compressed = readCompression(file);
        InputStream changes = compressed ? new SnappyFrames(file, 1) : file;
        BlockInput in = new BlockInput(file.maxValueBytes());
        skip(changes, segment.offset());
        // Offsets count what is decompressed, after the byte that says so.
        in.reset(changes, segment.offset(), compressed ? Long.MAX_VALUE : file.length() - 1);
        return readChangeSet(in, consumer);
      } catch (MalformedValueException e) {
        throw SplitFault.malformed(inFile, null, -1, compressed, e);
      } catch (ValueTooLargeException e) {
        throw SplitFault.tooLarge(inFile, null, -1, compressed, e);
      } catch (IOException e) {
        throw new StateSqlException(
            ErrorCode.IO_ERROR, "Cannot read " + file.name() + ": " + FaultText.of(e) + ".", e);
      }
    }
  }

  private static boolean readCompression(StateFile file) {
    int compression = file.read();
    if (compression != PLAIN && compression != COMPRESSED) {
      throw new MalformedValueException(
          0, "a file of changes starts with 0 or 1 but here with " + compression);
    }
    return compression == COMPRESSED;
  }

  private static void skip(InputStream in, long offset) throws IOException {
    try {
      in.skipNBytes(offset);
    } catch (EOFException e) {
      throw new MalformedValueException(offset, "the file ends before its changes begin", e);
    }
  }

  private long readChangeSet(BlockInput in, Consumer consumer) throws IOException {
    StateInput change = new StateInput();
    BitSet seen = new BitSet();
    long bytes = 0;
    for (int groups = readCount(in); groups > 0; groups--) {
      int changes = readCount(in);
      int keyGroup = readKeyGroup(in, seen);
      for (; changes > 0; changes--) {
        in.mark();
        int length = in.readInt();
        int start = in.readBlock(length);
        bytes += length;
        consumer.accept(keyGroup, in.window(change, start, length));
      }
    }
    return bytes;
  }

  /**
   * Reads the number of a key group; in a set of changes each stands once.
   *
   * @param seen those before it, each under the next number
   */
  private int readKeyGroup(BlockInput in, BitSet seen) throws IOException {
    int keyGroup = in.readInt();
    if (keyGroup < StateChange.METADATA || keyGroup >= split.operator().maxParallelism()) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES,
          "a change is of key group %d, which the operator does not have".formatted(keyGroup));
    }
    if (seen.get(keyGroup + 1)) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES,
          "key group %d stands twice in a set of changes".formatted(keyGroup));
    }
    seen.set(keyGroup + 1);
    return keyGroup;
  }

  private static int readCount(BlockInput in) throws IOException {
    in.mark();
    int count = in.readInt();
    if (count < 0) {
      throw new MalformedValueException(in.offset() - Integer.BYTES, "a count is " + count);
    }
    return count;
  }
}
