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

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.zip.CRC32C;

/**
 * The checksums of blocks and of the records of a log (table/format.cc and util/crc32c.h of RocksDB
 * 8.10).
 */
final class BlockChecksum {
  private static final int XXH3 = 4;
  private static final int LAST_BYTE_PRIME = 0x6b9083d9;
  private static final int MASK_DELTA = 0xa282ead8;
  private static final int MASK_ROTATION = 15;

  private BlockChecksum() {}

  /** Whether checksums of a type can be computed here; RocksDB itself knows more of them. */
  static boolean knows(int type) {
    return type == TableFooter.CRC32C || type == XXH3;
  }

  /**
   * The checksum of a block.
   *
   * @param length of the block and the byte of its type of compression
   */
  static int of(TableFooter footer, long offset, byte[] bytes, int length) {
    int checksum =
        footer.checksumType() == TableFooter.CRC32C
            ? masked(bytes, 0, length)
            : (int) Hashing.xxh3_64().hashBytesToLong(bytes, 0, length - 1)
                ^ (bytes[length - 1] & 0xFF) * LAST_BYTE_PRIME;
    int base = footer.checksumBase();
    return base == 0 ? checksum : checksum + (base ^ ((int) offset + (int) (offset >>> 32)));
  }

  /** CRC32C in the form in which RocksDB stores it beside the data. */
  static int masked(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return Integer.rotateRight((int) crc.getValue(), MASK_ROTATION) + MASK_DELTA;
  }
}
