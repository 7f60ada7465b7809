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
package io.statesql.format.rocksdb;

import io.statesql.type.MalformedValueException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An open table, of which single blocks are read. Not thread-safe. */
final class TableFile implements Closeable {
  private final FileChannel channel;
  private final long length;
  private final TableFooter footer;

  private TableFile(FileChannel channel) throws IOException {
    this.channel = channel;
    this.length = channel.size();
    int tail = (int) Math.min(length, TableFooter.BYTES);
    this.footer = TableFooter.read(bytes(length - tail, tail), length);
  }

  /**
   * @throws MalformedValueException if the file does not end as a table does
   */
  static TableFile open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file);
    try {
      return new TableFile(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  long length() {
    return length;
  }

  TableFooter footer() {
    return footer;
  }

  /** Bytes that are known to lie within the file. */
  byte[] bytes(long offset, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        throw new EOFException("The file ends before its byte " + (offset + count));
      }
    }
    return buffer.array();
  }

  /**
   * Reads a block and compares its checksum.
   *
   * @param what names the block in messages
   * @return null if it is compressed in a way that only RocksDB undoes
   */
  @Nullable TableBlock block(BlockPlace place, String what) throws IOException {
    if (!place.isWithin(footer.start()) || place.end() - place.offset() > Integer.MAX_VALUE) {
      throw new MalformedValueException(
          footer.start(), "a place of " + what + " is outside of the file");
    }
    int size = (int) place.size();
    byte[] bytes = bytes(place.offset(), size + BlockPlace.TRAILER);
    if (BlockChecksum.knows(footer.checksumType())) {
      int stored = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(size + 1);
      int computed = BlockChecksum.of(footer, place.offset(), bytes, size + 1);
      if (stored != computed) {
        throw TableBlock.fault(
            place,
            what,
            String.format("block checksum mismatch: stored %08x, computed %08x", stored, computed));
      }
    }
    return Compression.decompress(place, what, bytes, footer.version());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
