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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The footer of a table file. It says where the index lies and how blocks are checksummed, and
 * (before format version 6) has no checksum of its own: with a wrong size RocksDB asks for that
 * much memory, and without checksums it trusts every byte of every block. Either ends the JVM.
 *
 * <p>Layout: {@code Footer} in RocksDB 8.10's table/format.cc. A byte of checksum type, 40 bytes
 * with the places of the meta index and index, four of the format version and eight of magic; the
 * oldest version has neither checksum type nor version.
 *
 * @param index null if the meta index says where it is
 * @param checksumBase what the checksums of blocks are varied by, with their places; 0 for nothing
 * @param start where the footer begins
 */
record TableFooter(
    int checksumType,
    long version,
    BlockPlace metaIndex,
    @Nullable BlockPlace index,
    int checksumBase,
    long start) {
  /** Bytes of the longest footer. */
  static final int BYTES = 53;

  static final int CRC32C = 1;
  private static final int OLDEST_BYTES = 48;
  private static final long OLDEST_MAGIC = 0xdb4775248b80fb57L;
  private static final long MAGIC = 0x88e241b785f4cff7L;
  private static final int NO_CHECKSUM = 0;

  /** From this version on, the footer has a checksum of its own and places of a fixed width. */
  private static final int CHECKSUMMED_VERSION = 6;

  /** Magic and checksum of the footer, before what the checksums of blocks are varied by. */
  private static final int BEFORE_CHECKSUM_BASE = 8;

  /**
   * @param tail the last bytes of the file: {@link #BYTES}, or all of a shorter file
   * @param fileLength of the whole file
   * @throws MalformedValueException if it is no footer, or points outside of the file
   */
  static TableFooter read(byte[] tail, long fileLength) {
    ByteBuffer bytes = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
    if (tail.length < OLDEST_BYTES) {
      throw new MalformedValueException(0, "it is too short for a table");
    }
    long magic = bytes.getLong(tail.length - Long.BYTES);
    if (magic == OLDEST_MAGIC) {
      return withPlaces(CRC32C, 0, tail, tail.length - OLDEST_BYTES, fileLength - OLDEST_BYTES);
    }
    if (magic != MAGIC || tail.length < BYTES) {
      throw new MalformedValueException(
          fileLength - Long.BYTES, "it does not end as a table of RocksDB does");
    }
    int checksumType = bytes.get();
    long start = fileLength - BYTES;
    if (checksumType == NO_CHECKSUM) {
      throw new MalformedValueException(
          start, "it has no checksums, so that damage could not be told");
    }
    long version = Integer.toUnsignedLong(bytes.getInt(tail.length - Long.BYTES - Integer.BYTES));
    if (version < CHECKSUMMED_VERSION) {
      return withPlaces(checksumType, version, tail, 1, start);
    }
    bytes.position(bytes.position() + BEFORE_CHECKSUM_BASE);
    int checksumBase = bytes.getInt();
    long size = Integer.toUnsignedLong(bytes.getInt());
    BlockPlace metaIndex = new BlockPlace(start - BlockPlace.TRAILER - size, size);
    requireInside(metaIndex, start);
    return new TableFooter(checksumType, version, metaIndex, null, checksumBase, start);
  }

  private static TableFooter withPlaces(
      int checksumType, long version, byte[] tail, int from, long start) {
    RocksDbInput in =
        new RocksDbInput(
            tail,
            from,
            tail.length - Long.BYTES,
            (position, reason) -> new MalformedValueException(start, "in its footer, " + reason));
    BlockPlace metaIndex = BlockPlace.read(in);
    BlockPlace index = BlockPlace.read(in);
    requireInside(metaIndex, start);
    requireInside(index, start);
    return new TableFooter(checksumType, version, metaIndex, index, 0, start);
  }

  private static void requireInside(BlockPlace place, long start) {
    if (!place.isWithin(start)) {
      throw new MalformedValueException(start, "its footer points outside of the file");
    }
  }
}
