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
package io.statesql.format.bytes;

import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.TruncatedValueException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A buffered reader of blocks that have a length before them, or values whose codec knows where
 * they end. What was read since {@link #mark} stays in the buffer together, so that an entry's key
 * and value can be looked at without copying them.
 *
 * <p>The buffer grows only as far as bytes really arrive: a hostile length costs nothing. Not
 * thread-safe; closes nothing.
 */
public final class BlockInput {
  /** Twice the buffer of a file, which lets larger reads pass it by. */
  private static final int INITIAL_BUFFER = 1 << 17;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /** How large the buffer may become. */
  private final int maxBuffer;

  private InputStream in = InputStream.nullInputStream();
  private final StateInput cursor = new StateInput();
  private byte[] buffer = new byte[INITIAL_BUFFER];
  private int mark;
  private int position;
  private int limit;

  /** Offset in the stream of {@code buffer[0]}. */
  private long base;

  /** Offset after the stream's last byte, or as far as one can count if it is not known. */
  private long end;

  /**
   * @param maxBuffer how many bytes may be kept together, at least those between two marks
   */
  public BlockInput(int maxBuffer) {
    this.maxBuffer = Math.max(maxBuffer, INITIAL_BUFFER);
  }

  /**
   * Goes on with another stream, from its beginning.
   *
   * @param offset of the stream's first byte, for error messages
   */
  public void reset(InputStream newInput, long offset) {
    reset(newInput, offset, Long.MAX_VALUE);
  }

  /**
   * As {@link #reset(InputStream, long)}, with an end: what claims to reach beyond it is refused
   * before anything is read.
   *
   * @param endOffset after the stream's last byte
   */
  public void reset(InputStream newInput, long offset, long endOffset) {
    in = newInput;
    base = offset;
    end = endOffset;
    mark = 0;
    position = 0;
    limit = 0;
  }

  /** Lets go of the blocks read so far. */
  public void mark() {
    mark = position;
  }

  /** Bytes from the mark to the next byte. */
  public int sinceMark() {
    return position - mark;
  }

  /** Offset in the stream of the next byte. */
  public long offset() {
    return base + position;
  }

  public int readUnsignedShort() throws IOException {
    require(Short.BYTES);
    int value = (short) SHORT.get(buffer, position) & 0xFFFF;
    position += Short.BYTES;
    return value;
  }

  public boolean readBoolean() throws IOException {
    require(1);
    boolean value = view(position, 1).readBoolean();
    position++;
    return value;
  }

  public int readInt() throws IOException {
    require(Integer.BYTES);
    int value = (int) INT.get(buffer, position);
    position += Integer.BYTES;
    return value;
  }

  /**
   * Takes the next {@code length} bytes into the buffer and moves after them.
   *
   * @return where they start, counted from the mark
   */
  public int readBlock(int length) throws IOException {
    if (length < 0) {
      throw new MalformedValueException(
          offset() - Integer.BYTES, "a length is negative: " + length);
    }
    require(length);
    int start = sinceMark();
    position += length;
    return start;
  }

  /**
   * Takes the next value into the buffer and moves after it. The codec looks for the end of the
   * value in what is buffered; where that is too little, twice as much is fetched and the codec
   * looks again.
   *
   * @param codec of values whose end can be found
   * @return where the value starts, counted from the mark
   */
  public int readValue(Codec codec) throws IOException {
    while (true) {
      StateInput value = view(position, limit - position);
      try {
        codec.skip(value);
        int start = sinceMark();
        position = value.position();
        return start;
      } catch (TruncatedValueException e) {
        fetchMissing(e);
      }
    }
  }

  /**
   * Reads something else whose bytes say where it ends, and moves after it. Where too little is
   * buffered, twice as much is fetched and the reader begins again.
   */
  public <T> T read(Function<StateInput, T> reader) throws IOException {
    while (true) {
      StateInput bytes = view(position, limit - position);
      try {
        T result = reader.apply(bytes);
        position = bytes.position();
        return result;
      } catch (TruncatedValueException e) {
        fetchMissing(e);
      }
    }
  }

  private void fetchMissing(TruncatedValueException fault) throws IOException {
    int buffered = limit - position;
    long needed = buffered + fault.missingBytes();
    if (needed > end - offset()) {
      throw fault;
    }
    int reachable = maxBuffer - (position - mark);
    if (needed > reachable) {
      // A count or length that is wrong asks for more than there is, too.
      throw fetch(reachable) ? tooLarge() : fault;
    }
    if (!fetch((int) needed)) {
      throw fault;
    }
    fetch((int) Math.min(2L * buffered, reachable));
  }

  /**
   * Moves after the next {@code length} bytes without keeping them, nor what was read since the
   * mark.
   */
  public void skip(int length) throws IOException {
    if (length < 0) {
      throw new MalformedValueException(
          offset() - Integer.BYTES, "a length is negative: " + length);
    }
    int buffered = Math.min(length, limit - position);
    position += buffered;
    long left = (long) length - buffered;
    if (left > 0) {
      long before = base + position;
      base = before;
      position = 0;
      limit = 0;
      mark = 0;
      try {
        in.skipNBytes(left);
      } catch (java.io.EOFException e) {
        throw new MalformedValueException(
            before, "the data ends within a block of " + length + " bytes", e);
      }
      base += left;
    }
  }

  /** Copies all that is left, and moves to the end. */
  public void copyRest(OutputStream out) throws IOException {
    out.write(buffer, position, limit - position);
    base += limit;
    position = 0;
    limit = 0;
    mark = 0;
    base += in.transferTo(out);
  }

  /**
   * Moves after two blocks, each behind its length, if they are buffered already.
   *
   * @return the first byte of the first block, from 0 to 255; -1 if nothing was done, because not
   *     all is buffered, a length is negative, or the first block is empty
   */
  public int skipBufferedPair() {
    int left = limit - position - 2 * Integer.BYTES;
    if (left <= 0) {
      return -1;
    }
    int first = (int) INT.get(buffer, position);
    if (first <= 0 || first > left) {
      return -1;
    }
    int start = position + Integer.BYTES;
    int second = (int) INT.get(buffer, start + first);
    if (second < 0 || second > left - first) {
      return -1;
    }
    position = start + first + Integer.BYTES + second;
    return buffer[start] & 0xFF;
  }

  /** Points {@code target} at bytes since the mark; valid until the next read. */
  public StateInput window(StateInput target, int startSinceMark, int length) {
    int from = mark + startSinceMark;
    return target.reset(buffer, from, length, base + from);
  }

  /** The byte so far behind the mark. */
  public byte byteAt(int sinceMark) {
    return buffer[mark + sinceMark];
  }

  /** Clears bits of the byte so far behind the mark. */
  public void clearBits(int sinceMark, int bits) {
    buffer[mark + sinceMark] &= (byte) ~bits;
  }

  /** Whether no bytes follow. */
  public boolean isAtEnd() throws IOException {
    return !fetch(1);
  }

  /** Refuses bytes that follow. */
  public void requireEnd() throws IOException {
    if (position < limit || in.read() >= 0) {
      throw new MalformedValueException(
          offset(), "bytes follow that belong to no entry of the key group");
    }
  }

  private StateInput view(int from, int length) {
    return cursor.reset(buffer, from, length, base + from);
  }

  private void require(int length) throws IOException {
    if (limit - position >= length) {
      return;
    }
    if (length > end - offset() || !fetch(length)) {
      throw new MalformedValueException(
          offset(),
          length
              + " bytes should follow but the data ends after "
              + (end == Long.MAX_VALUE ? limit - position : end - offset()));
    }
  }

  /** Buffers at least so many bytes from the position on; false if the stream ends before. */
  private boolean fetch(int length) throws IOException {
    while (limit - position < length) {
      if (limit == buffer.length) {
        makeRoom();
      }
      int got = in.read(buffer, limit, buffer.length - limit);
      if (got < 0) {
        return false;
      }
      limit += got;
    }
    return true;
  }

  private void makeRoom() {
    if (mark > 0) {
      System.arraycopy(buffer, mark, buffer, 0, limit - mark);
      base += mark;
      position -= mark;
      limit -= mark;
      mark = 0;
    } else {
      if (buffer.length == maxBuffer) {
        throw tooLarge();
      }
      buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, maxBuffer));
    }
  }

  private ValueTooLargeException tooLarge() {
    return new ValueTooLargeException(base + mark, maxBuffer);
  }
}
