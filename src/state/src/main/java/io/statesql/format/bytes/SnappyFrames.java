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

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.xerial.snappy.Snappy;

/**
 * Decompresses the snappy framing format as Flink writes it ({@code
 * org.apache.flink.runtime.state.SnappyStreamCompressionDecorator}, Flink 2.3: blocks of 64 KiB).
 *
 * <p>Unlike Flink's own reader it checks each block's CRC, so that a flipped bit is an error and
 * not another value, and it refuses a block that claims to be larger than the format allows before
 * it makes room for it.
 *
 * <p>What is {@linkplain #pass passed} is not checked.
 *
 * <p>The stream below may hold several framed streams one after the other. They are read as one,
 * or, with {@link #nextStream}, each by itself.
 *
 * <p>Reads whole frames from the stream below and never closes it. Not thread-safe.
 */
public final class SnappyFrames extends InputStream {
  /** The stream identifier chunk, which starts each framed stream and may recur within one. */
  private static final byte[] STREAM_HEADER = {
    (byte) 0xFF, 0x06, 0x00, 0x00, 0x73, 0x4E, 0x61, 0x50, 0x70, 0x59
  };

  private static final int MAX_BLOCK = 1 << 16;
  private static final int CHUNK_HEADER = 4;
  private static final int CRC_BYTES = 4;
  private static final int COMPRESSED = 0x00;
  private static final int STORED = 0x01;
  private static final int FIRST_SKIPPABLE = 0x80;
  private static final int STREAM_IDENTIFIER = 0xFF;

  private InputStream in = InputStream.nullInputStream();
  private final byte[] header = new byte[CHUNK_HEADER];
  private final byte[] block = new byte[MAX_BLOCK];
  private byte[] chunk = new byte[0];
  private int position;
  private int limit;
  private boolean started;

  /** Whether the data ends where another framed stream begins. */
  private boolean single;

  /** Whether the identifier of the next framed stream has been read already. */
  private boolean atNextStream;

  /** Offset in the file of the next chunk, for error messages. */
  private long offset;

  /** Without any data, until it is {@link #reset}. */
  public SnappyFrames() {}

  /**
   * @param in stands at the stream identifier
   * @param offset where that is in the file
   */
  public SnappyFrames(InputStream in, long offset) {
    reset(in, offset);
  }

  /**
   * Goes on with other data, into the same buffers.
   *
   * @param newInput stands at the stream identifier
   * @param newOffset where that is in the file
   */
  public void reset(InputStream newInput, long newOffset) {
    in = newInput;
    offset = newOffset;
    position = 0;
    limit = 0;
    started = false;
    single = false;
    atNextStream = false;
  }

  /**
   * Goes on within a stream whose identifier was read elsewhere. After the end of {@code in} it may
   * be read again once more bytes follow there.
   *
   * @param in stands at a chunk
   */
  public static SnappyFrames within(InputStream in, long offset) {
    SnappyFrames frames = new SnappyFrames(in, offset);
    frames.started = true;
    return frames;
  }

  /** Reads the identifier that starts a stream; anything else is an error. */
  public static void requireIdentifier(StateInput in) {
    long offset = in.offset();
    if (!Arrays.equals(in.readBytes(STREAM_HEADER.length), STREAM_HEADER)) {
      throw new MalformedValueException(
          offset, "a snappy stream should start here, but its identifier is missing");
    }
  }

  /**
   * Moves to the beginning of the next framed stream, of the first one in the beginning. From then
   * on, the data ends with each framed stream. What is left of the present one is passed over
   * without being decompressed or checked.
   *
   * @return false if no other framed stream follows
   */
  public boolean nextStream() throws IOException {
    single = true;
    position = 0;
    limit = 0;
    while (!atNextStream) {
      if (!readChunkHeader()) {
        return false;
      }
      int type = chunkType();
      int length = chunkLength();
      if (type == STREAM_IDENTIFIER) {
        readIdentifier(length);
        atNextStream = true;
      } else {
        requireStarted();
        skipChunk(length);
      }
      offset += CHUNK_HEADER + length;
    }
    atNextStream = false;
    return true;
  }

  @Override
  public int read() throws IOException {
    return fill() ? block[position++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, limit - position);
    System.arraycopy(block, position, target, from, count);
    position += count;
    return count;
  }

  /**
   * Moves over data that was read and checked before: blocks that lie wholly before the place are
   * neither decompressed nor checked.
   *
   * @param count of decompressed bytes
   * @throws MalformedValueException if there are not so many
   */
  public void pass(long count) throws IOException {
    long left = count;
    while (left > limit - position) {
      left -= limit - position;
      position = limit;
      if (!nextChunk(left)) {
        throw malformed("the data ends " + left + " bytes before a place that was found before");
      }
    }
    position += (int) left;
  }

  private boolean fill() throws IOException {
    while (position == limit) {
      if (!nextChunk(0)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads the next chunk.
   *
   * @param passed a block of at most so many bytes is not wanted; only its size is right then
   * @return false if there is none
   */
  private boolean nextChunk(long passed) throws IOException {
    if (atNextStream || !readChunkHeader()) {
      return false;
    }
    int type = chunkType();
    int length = chunkLength();
    if (type != STREAM_IDENTIFIER) {
      requireStarted();
    }
    switch (type) {
      case COMPRESSED, STORED -> readBlock(type, length, passed);
      case STREAM_IDENTIFIER -> readIdentifier(length);
      default -> {
        if (type < FIRST_SKIPPABLE) {
          throw malformed("a snappy chunk has the unknown type " + type);
        }
        skipChunk(length);
      }
    }
    offset += CHUNK_HEADER + length;
    atNextStream = single && type == STREAM_IDENTIFIER;
    return !atNextStream;
  }

  private boolean readChunkHeader() throws IOException {
    int got = in.readNBytes(header, 0, CHUNK_HEADER);
    if (got > 0 && got < CHUNK_HEADER) {
      throw malformed("the data ends within the header of a snappy chunk");
    }
    return got > 0;
  }

  private int chunkType() {
    return header[0] & 0xFF;
  }

  private int chunkLength() {
    return (header[1] & 0xFF) | ((header[2] & 0xFF) << 8) | ((header[3] & 0xFF) << 16);
  }

  private void requireStarted() {
    if (!started) {
      throw malformed("a snappy stream should start here, but its identifier is missing");
    }
  }

  private void skipChunk(int length) throws IOException {
    try {
      in.skipNBytes(length);
    } catch (EOFException e) {
      throw new MalformedValueException(offset, "the data ends within a snappy chunk", e);
    }
  }

  private void readIdentifier(int length) throws IOException {
    if (length != STREAM_HEADER.length - CHUNK_HEADER) {
      throw malformed("a snappy stream identifier has the length " + length);
    }
    byte[] identifier = in.readNBytes(length);
    if (!Arrays.equals(
        identifier, 0, identifier.length, STREAM_HEADER, CHUNK_HEADER, STREAM_HEADER.length)) {
      throw malformed("a snappy stream identifier is damaged");
    }
    started = true;
  }

  private void readBlock(int type, int length, long passed) throws IOException {
    SnappyLibrary.load();
    int maximum = CRC_BYTES + (type == STORED ? MAX_BLOCK : Snappy.maxCompressedLength(MAX_BLOCK));
    if (length < CRC_BYTES || length > maximum) {
      throw malformed("a snappy chunk has the impossible length " + length);
    }
    if (chunk.length < length) {
      chunk = new byte[maximum];
    }
    if (in.readNBytes(chunk, 0, length) < length) {
      throw malformed("the data ends within a snappy chunk");
    }
    int dataLength = length - CRC_BYTES;
    limit = type == STORED ? dataLength : uncompressedLength(dataLength);
    position = 0;
    if (limit <= passed) {
      return;
    }
    if (type == STORED) {
      System.arraycopy(chunk, CRC_BYTES, block, 0, dataLength);
    } else {
      uncompress(dataLength);
    }
    int expected =
        (chunk[0] & 0xFF)
            | ((chunk[1] & 0xFF) << 8)
            | ((chunk[2] & 0xFF) << 16)
            | ((chunk[3] & 0xFF) << 24);
    if (maskedCrc(limit) != expected) {
      throw malformed("the checksum of a snappy chunk does not match its data");
    }
  }

  private int uncompressedLength(int dataLength) {
    try {
      int uncompressedLength = Snappy.uncompressedLength(chunk, CRC_BYTES, dataLength);
      if (uncompressedLength < 0 || uncompressedLength > MAX_BLOCK) {
        throw malformed("a snappy chunk claims to hold " + uncompressedLength + " bytes");
      }
      return uncompressedLength;
    } catch (IOException e) {
      throw undecompressed(e);
    }
  }

  private void uncompress(int dataLength) {
    try {
      limit = Snappy.uncompress(chunk, CRC_BYTES, dataLength, block, 0);
    } catch (IOException e) {
      throw undecompressed(e);
    }
  }

  private MalformedValueException undecompressed(IOException fault) {
    return new MalformedValueException(offset, "a snappy chunk cannot be decompressed", fault);
  }

  /** The checksum as the framing format stores it: CRC-32C, rotated and shifted by a constant. */
  private int maskedCrc(int length) {
    CRC32C crc = new CRC32C();
    crc.update(block, 0, length);
    int value = (int) crc.getValue();
    return ((value >>> 15) | (value << 17)) + 0xa282ead8;
  }

  private MalformedValueException malformed(String reason) {
    return new MalformedValueException(offset, reason);
  }
}
