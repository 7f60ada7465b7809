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

import io.statesql.type.MalformedValueException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Checks the footer of a table file before RocksDB sees it. The footer says where the index lies
 * and how blocks are checksummed, and (before format version 6) has no checksum of its own: with a
 * wrong size RocksDB asks for that much memory, and without checksums it trusts every byte of every
 * block. Either ends the JVM.
 *
 * <p>Layout: {@code Footer} in RocksDB 8.10's table/format.cc. A byte of checksum type, 40 bytes
 * with the places of the meta index and index, four of the format version and eight of magic; the
 * oldest version has neither checksum type nor version.
 */
final class RocksDbTableFooter {
  /** Bytes of the longest footer. */
  static final int BYTES = 53;

  private static final int OLDEST_BYTES = 48;
  private static final long OLDEST_MAGIC = 0xdb4775248b80fb57L;
  private static final long MAGIC = 0x88e241b785f4cff7L;
  private static final int NO_CHECKSUM = 0;

  /** From this version on, the footer has a checksum of its own and places of a fixed width. */
  private static final int CHECKSUMMED_VERSION = 6;

  /** Magic, footer checksum and base context, before the size of the meta index. */
  private static final int BEFORE_META_INDEX_SIZE = 12;

  /** Compression type and checksum after each block. */
  private static final int BLOCK_TRAILER = 5;

  private static final int VARINT_BITS = 7;

  private RocksDbTableFooter() {}

  /**
   * @param tail the last bytes of the file: {@link #BYTES}, or all of a shorter file
   * @param fileLength of the whole file
   * @throws MalformedValueException if it is no footer, or points outside of the file
   */
  static void check(byte[] tail, long fileLength) {
    ByteBuffer bytes = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
    if (tail.length < OLDEST_BYTES) {
      throw new MalformedValueException(0, "it is too short for a table");
    }
    long magic = bytes.getLong(tail.length - Long.BYTES);
    if (magic == OLDEST_MAGIC) {
      bytes.position(tail.length - OLDEST_BYTES);
      requireBlocksInside(bytes, fileLength - OLDEST_BYTES);
      return;
    }
    if (magic != MAGIC || tail.length < BYTES) {
      throw new MalformedValueException(
          fileLength - Long.BYTES, "it does not end as a table of RocksDB does");
    }
    if (bytes.get() == NO_CHECKSUM) {
      throw new MalformedValueException(
          fileLength - BYTES, "it has no checksums, so that damage could not be told");
    }
    long version = Integer.toUnsignedLong(bytes.getInt(tail.length - Long.BYTES - Integer.BYTES));
    if (version < CHECKSUMMED_VERSION) {
      requireBlocksInside(bytes, fileLength - BYTES);
    } else {
      bytes.position(bytes.position() + BEFORE_META_INDEX_SIZE);
      long size = Integer.toUnsignedLong(bytes.getInt());
      requireInside(0, size, fileLength - BYTES);
    }
  }

  /** The meta index and the index. */
  private static void requireBlocksInside(ByteBuffer bytes, long end) {
    requireInside(readVarint(bytes, end), readVarint(bytes, end), end);
    requireInside(readVarint(bytes, end), readVarint(bytes, end), end);
  }

  private static void requireInside(long offset, long size, long end) {
    if (offset < 0 || size < 0 || offset > end || size > end - offset - BLOCK_TRAILER) {
      throw new MalformedValueException(end, "its footer points outside of the file");
    }
  }

  private static long readVarint(ByteBuffer bytes, long end) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
      byte next = bytes.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new MalformedValueException(end, "its footer holds a number that never ends");
  }
}
