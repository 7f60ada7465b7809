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

import io.statesql.format.bytes.SnappyLibrary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.commons.compress.compressors.lz4.BlockLZ4CompressorInputStream;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.Snappy;

/**
 * Decompresses blocks: those of Snappy, zlib and LZ4. All but Snappy's have their length in front,
 * from format version 2 on (util/compression.h of RocksDB 8.10).
 */
final class Compression {
  private static final int NONE = 0;
  private static final int SNAPPY = 1;
  private static final int ZLIB = 2;
  private static final int LZ4 = 4;
  private static final int LZ4HC = 5;
  private static final int FIRST_WITH_LENGTH = 2;

  /** No byte of any of them stands for more bytes than this; deflate's is the highest. */
  private static final int MAX_RATIO = 1032;

  /** Of the heap, for one block. */
  private static final int HEAP_SHARE = 4;

  private Compression() {}

  /**
   * The bytes of a block as they were before they were compressed.
   *
   * @param bytes the block with the byte of its type of compression behind it
   * @return null if the type is none of those above
   */
  static @Nullable TableBlock decompress(
      BlockPlace place, String what, byte[] bytes, long formatVersion) {
    int length = (int) place.size();
    RocksDbInput in =
        new RocksDbInput(
            bytes,
            0,
            length,
            (position, reason) -> TableBlock.fault(place, what, "compressed, " + reason));
    int type = bytes[length] & 0xFF;
    if (type == NONE) {
      return new TableBlock(place, what, in.rest());
    }
    boolean known = type == SNAPPY || type == ZLIB || type == LZ4 || type == LZ4HC;
    if (!known || (type != SNAPPY && formatVersion < FIRST_WITH_LENGTH)) {
      return null;
    }
    byte[] out = new byte[decompressedLength(in, type)];
    if (!decompress(in, type, out)) {
      throw in.fault(0, "its bytes are not what was compressed");
    }
    return new TableBlock(place, what, out);
  }

  /** Snappy has the same number in front, as a part of its format. */
  private static int decompressedLength(RocksDbInput in, int type) {
    int start = in.position();
    int compressed = in.remaining();
    long length = in.varint32();
    if (length > (long) compressed * MAX_RATIO
        || length > Runtime.getRuntime().maxMemory() / HEAP_SHARE
        || length > Integer.MAX_VALUE) {
      throw in.fault(start, "it claims to be " + length + " bytes long");
    }
    if (type == SNAPPY) {
      in.back(start);
    }
    return (int) length;
  }

  private static boolean decompress(RocksDbInput in, int type, byte[] out) {
    int from = in.position();
    int length = in.remaining();
    if (type == SNAPPY) {
      SnappyLibrary.load();
    }
    try {
      return switch (type) {
        case SNAPPY -> Snappy.uncompress(in.bytes(), from, length, out, 0) == out.length;
        case ZLIB -> inflate(in.bytes(), from, length, out);
        default -> lz4(in.bytes(), from, length, out);
      };
    } catch (IOException | DataFormatException e) {
      throw in.fault(from, e.getMessage());
    }
  }

  private static boolean lz4(byte[] bytes, int from, int length, byte[] out) throws IOException {
    try (var block =
        new BlockLZ4CompressorInputStream(new ByteArrayInputStream(bytes, from, length))) {
      return block.readNBytes(out, 0, out.length) == out.length && block.read() < 0;
    }
  }

  private static boolean inflate(byte[] bytes, int from, int length, byte[] out)
      throws DataFormatException {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(bytes, from, length);
      int filled = 0;
      int more;
      do {
        more = inflater.inflate(out, filled, out.length - filled);
        filled += more;
      } while (more > 0 && filled < out.length);
      return filled == out.length;
    } finally {
      inflater.end();
    }
  }
}
