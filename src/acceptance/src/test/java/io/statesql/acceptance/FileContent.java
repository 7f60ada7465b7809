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
package io.statesql.acceptance;

import com.google.common.primitives.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What tells of wrong bytes in a file of a snapshot. */
enum FileContent {
  /** A table of RocksDB: each of its blocks has a checksum. */
  ROCKSDB_TABLE,
  /** Entries in frames of snappy, each with a checksum; the header before them has none. */
  COMPRESSED,
  /** Nothing but its structure. */
  UNCHECKED;

  /** {@code kBlockBasedTableMagicNumber}, with which a table ends. */
  private static final byte[] TABLE_END = {
    (byte) 0xF7, (byte) 0xCF, (byte) 0xF4, (byte) 0x85, (byte) 0xB7, 0x41, (byte) 0xE2, (byte) 0x88
  };

  private static final byte[] FRAMES = "sNaPpY".getBytes(StandardCharsets.US_ASCII);

  static FileContent of(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    byte[] end =
        Arrays.copyOfRange(bytes, Math.max(0, bytes.length - TABLE_END.length), bytes.length);
    if (Arrays.equals(end, TABLE_END)) {
      return ROCKSDB_TABLE;
    }
    return Bytes.indexOf(bytes, FRAMES) >= 0 ? COMPRESSED : UNCHECKED;
  }
}
