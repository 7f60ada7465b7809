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
package io.statesql.snapshot;

import io.statesql.ErrorCode;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.apache.flink.core.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one state handle, to be read from any position through a buffer. Positions count
 * from the start of the handle, also where it is a segment of a larger file. Failures are {@link
 * StateSqlException}s that name the file. The caller closes it; not safe for use by many threads.
 */
public final class StateFile extends InputStream {
  /** A read of Flink's local files is a system call, and one of remote files a request. */
  private static final int BUFFER_BYTES = 1 << 16;

  private final String name;
  private final long length;

  /** Null when all bytes stand in the buffer. */
  private final @Nullable FSDataInputStream source;

  private final long sourceStart;
  private final ScanContext scan;
  private final byte[] buffer;

  /** Position of the first byte of the buffer; below 0 when the state begins within it. */
  private long bufferPosition;

  /** How many bytes of the buffer are valid. */
  private int bufferLimit;

  private long position;

  private StateFile(
      String name,
      long length,
      @Nullable FSDataInputStream source,
      long sourceStart,
      byte[] buffer,
      int bufferLimit,
      ScanContext scan) {
    this.name = name;
    this.length = length;
    this.source = source;
    this.sourceStart = sourceStart;
    this.buffer = buffer;
    this.bufferLimit = bufferLimit;
    this.scan = scan;
  }

  /**
   * @param name for error messages
   */
  static StateFile ofBytes(String name, Bytes bytes, ScanContext scan) {
    StateFile file =
        new StateFile(
            name, bytes.length(), null, 0, bytes.array(), bytes.from() + bytes.length(), scan);
    file.bufferPosition = -bytes.from();
    return file;
  }

  /**
   * @param source closed with the state file
   * @param start where in the source the state begins
   * @param scan whose cancellation is asked before each read of the source
   */
  static StateFile ofStream(
      String name, FSDataInputStream source, long start, long length, ScanContext scan) {
    byte[] buffer = new byte[(int) Math.min(length, BUFFER_BYTES)];
    return new StateFile(name, length, source, start, buffer, 0, scan);
  }

  /** How many bytes one value in it may have for the scan that reads it. */
  public int maxValueBytes() {
    return scan.limits().valueBytes();
  }

  /** What the bytes are from, for error messages: a path, or the name of an inlined state. */
  public String name() {
    return name;
  }

  public long length() {
    return length;
  }

  /** Where the next byte is read. */
  public long position() {
    return position;
  }

  public long remaining() {
    return length - position;
  }

  /**
   * Moves to a position from 0 to {@link #length}. Nothing is read before the next read, and what
   * the buffer holds is not read again.
   *
   * @throws StateSqlException when the position is outside: some offset in the snapshot is wrong
   */
  public void seek(long newPosition) {
    if (newPosition < 0 || newPosition > length) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "The state in "
              + name
              + " has "
              + length
              + " bytes, but an offset of the snapshot points to "
              + newPosition
              + ".");
    }
    position = newPosition;
  }

  @Override
  public int read() {
    if (position >= length) {
      return -1;
    }
    if (!isBuffered()) {
      fill();
    }
    return buffer[(int) (position++ - bufferPosition)] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int count) {
    Objects.checkFromIndexSize(from, count, target.length);
    if (count == 0) {
      return 0;
    }
    if (position >= length) {
      return -1;
    }
    if (!isBuffered()) {
      if (count >= buffer.length) {
        return readThrough(target, from, (int) Math.min(count, length - position));
      }
      fill();
    }
    int inBuffer = (int) (position - bufferPosition);
    int copied = Math.min(count, bufferLimit - inBuffer);
    System.arraycopy(buffer, inBuffer, target, from, copied);
    position += copied;
    return copied;
  }

  /**
   * Fills a part of an array.
   *
   * @throws StateSqlException when fewer bytes are left
   */
  public void readFully(byte[] target, int from, int count) {
    if (count > length - position) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "The state in "
              + name
              + " ends early: "
              + count
              + " bytes are needed at offset "
              + position
              + " but only "
              + remaining()
              + " are left.");
    }
    int done = 0;
    while (done < count) {
      done += read(target, from + done, count - done);
    }
  }

  @Override
  public long skip(long count) {
    long skipped = Math.max(0, Math.min(count, length - position));
    position += skipped;
    return skipped;
  }

  @Override
  public int available() {
    return isBuffered() ? (int) (bufferPosition + bufferLimit - position) : 0;
  }

  @Override
  public void close() {
    if (source != null) {
      try {
        source.close();
      } catch (IOException e) {
        throw failure(name, e);
      }
    }
  }

  private boolean isBuffered() {
    return position >= bufferPosition && position < bufferPosition + bufferLimit;
  }

  private void fill() {
    long start = position;
    bufferLimit = 0;
    int wanted = (int) Math.min(buffer.length, length - start);
    readSource(start, buffer, 0, wanted);
    bufferPosition = start;
    bufferLimit = wanted;
  }

  private int readThrough(byte[] target, int from, int count) {
    readSource(position, target, from, count);
    position += count;
    return count;
  }

  private void readSource(long start, byte[] target, int from, int count) {
    FSDataInputStream stream = Objects.requireNonNull(source, "everything is in the buffer");
    scan.cancellation().check();
    try {
      if (stream.getPos() != sourceStart + start) {
        stream.seek(sourceStart + start);
      }
      int read = stream.readNBytes(target, from, count);
      scan.counters().addBytes(read);
      if (read < count) {
        throw new StateSqlException(
            ErrorCode.MALFORMED_SNAPSHOT,
            "The state file "
                + name
                + " ends at offset "
                + (sourceStart + start + read)
                + " although the snapshot says that more follows.");
      }
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  /** What it means that a file which was there a moment ago cannot be read. */
  static StateSqlException failure(String name, IOException e) {
    return SnapshotPaths.isNotFound(e)
        ? new StateSqlException(
            ErrorCode.FILE_NOT_FOUND,
            "The state file "
                + name
                + " was removed while it was read; Flink removes a checkpoint that newer ones"
                + " replace. Connect again to see what is there now.",
            e)
        : SnapshotPaths.failure("The state file " + name, e);
  }
}
