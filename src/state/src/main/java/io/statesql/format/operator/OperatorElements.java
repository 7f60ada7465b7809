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
package io.statesql.format.operator;

import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.SnappyFrames;
import io.statesql.format.bytes.ValueTooLargeException;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.OperatorExtents;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.SubtaskFile;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Walks the elements of one state of one operator state handle, in stored order: the elements of a
 * list one by one, the entries of a BROADCAST state out of a buffer that holds all of it ({@code
 * PartitionableListState}, {@code HeapBroadcastState}, Flink 2.3).
 *
 * <p>Not thread-safe. Whoever opened it closes it, also after an exception.
 */
public final class OperatorElements implements KeyedElements {
  private static final int INITIAL_BUFFER = 1 << 12;

  private final OperatorSplit split;
  private final OperatorStateMeta state;
  private final OperatorExtents.Extent extent;
  private final KeyedElement element = new KeyedElement();
  private final StateInput entries = new StateInput();

  /** Null when the bytes of the elements are not wanted. */
  private final StateFile file;

  private final Span span;
  private final InputStream in;
  private byte[] buffer = new byte[INITIAL_BUFFER];
  private int index = -1;
  private int entriesLeft;

  private OperatorElements(OperatorSplit split, OperatorStateMeta state, StateFile file) {
    this.split = split;
    this.state = state;
    this.extent = split.extents().of(state.name());
    this.file = file;
    this.element.subtask = split.subtask();
    this.span = new Span(file);
    this.in =
        split.header().compressed()
            ? SnappyFrames.within(span, extent.count() == 0 ? 0 : extent.start(0))
            : span;
  }

  /**
   * Opens a state.
   *
   * @param withBytes false if the number of list elements is all that counts: then nothing is read
   * @throws StateSqlException if the file cannot be had
   */
  public static OperatorElements open(
      Snapshot snapshot, OperatorSplit split, OperatorStateMeta state, boolean withBytes) {
    boolean needsFile = withBytes && split.extents().of(state.name()).count() > 0;
    StateFile file =
        needsFile
            ? SubtaskFile.open(
                snapshot, split.operator(), split.subtask(), split.handle().delegate())
            : null;
    if (file != null) {
      file.seek(split.extents().of(state.name()).start(0));
    }
    return new OperatorElements(split, state, file);
  }

  @Override
  public KeyedElement element() {
    return element;
  }

  @Override
  public boolean next() {
    try {
      return state.kind() == StateKind.BROADCAST ? nextEntry() : nextListElement();
    } catch (MalformedValueException e) {
      throw malformed(e);
    } catch (ValueTooLargeException e) {
      throw tooLarge(e);
    } catch (IOException e) {
      throw unreadable(e);
    } catch (StateSqlException e) {
      // Only a class tells where a part of an entry ends.
      throw e.code() == ErrorCode.UNDECODABLE_STATE ? split.located(state.name(), e) : e;
    }
  }

  private StateSqlException tooLarge(ValueTooLargeException fault) {
    return split.located(
        state.name(),
        new StateSqlException(ErrorCode.MEMORY_LIMIT, fault.sentence(split.file(), false), fault));
  }

  private StateSqlException unreadable(IOException cause) {
    return new StateSqlException(
        ErrorCode.IO_ERROR,
        "Cannot read " + split.file() + ": " + FaultText.of(cause) + ".",
        cause);
  }

  private boolean nextListElement() throws IOException {
    if (index + 1 == extent.count()) {
      return false;
    }
    index++;
    element.listIndex = index;
    if (file != null) {
      element.value.reset(readExtent(index));
    }
    return true;
  }

  private boolean nextEntry() throws IOException {
    if (index < 0 && extent.count() > 0) {
      readExtent(0);
      Codec key = state.codecs().mapKey();
      Codec value = state.codecs().value();
      entriesLeft = entries.readCount(key.minimumLength() + value.minimumLength());
      // Keys differ, so at most one entry takes no bytes.
      if (entriesLeft - 1 > entries.remaining()) {
        throw entries.malformed("%d entries have only %d bytes", entriesLeft, entries.remaining());
      }
    }
    index = 0;
    if (entriesLeft == 0) {
      entries.requireEnd();
      return false;
    }
    entriesLeft--;
    int keyStart = entries.position();
    state.codecs().mapKey().skip(entries);
    int valueStart = entries.position();
    state.codecs().value().skip(entries);
    element.mapKey.window(entries, keyStart, valueStart - keyStart);
    element.value.window(entries, valueStart, entries.position() - valueStart);
    return true;
  }

  /** The decompressed bytes of a BROADCAST state that has not been moved yet; empty for none. */
  byte[] readAll() {
    try {
      if (extent.count() == 0) {
        return new byte[0];
      }
      StateInput all = readExtent(0);
      return all.readBytes(all.remaining());
    } catch (ValueTooLargeException e) {
      throw tooLarge(e);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Reads the bytes that belong to one offset. */
  private StateInput readExtent(int i) throws IOException {
    span.end = extent.end(i);
    int length = fill();
    return entries.reset(buffer, 0, length, split.header().compressed() ? 0 : extent.start(i));
  }

  private int fill() throws IOException {
    int length = 0;
    try {
      int got = in.read(buffer, 0, buffer.length);
      while (got >= 0) {
        length += got;
        if (length == buffer.length) {
          grow();
        }
        got = in.read(buffer, length, buffer.length - length);
      }
      return length;
    } catch (MalformedValueException e) {
      // A fault of the snappy frames, whose offset is one of the file.
      throw split.malformed(state.name(), false, e);
    } catch (EOFException e) {
      throw split.malformed(
          state.name(), false, new MalformedValueException(span.end, e.getMessage(), e));
    }
  }

  private void grow() {
    int maximum = Math.max(INITIAL_BUFFER, file.maxValueBytes());
    if (buffer.length == maximum) {
      throw new ValueTooLargeException(extent.start(Math.max(index, 0)), maximum);
    }
    buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, maximum));
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    return split.malformed(state.name(), split.header().compressed(), fault);
  }

  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }

  /** The file up to an end that moves on. */
  private static final class Span extends InputStream {
    private final StateFile file;
    private long end;

    Span(StateFile file) {
      this.file = file;
    }

    @Override
    public int read() {
      return file.position() < end ? file.read() : -1;
    }

    @Override
    public int read(byte[] target, int from, int length) {
      long left = end - file.position();
      return left <= 0 ? -1 : file.read(target, from, (int) Math.min(length, left));
    }
  }
}
