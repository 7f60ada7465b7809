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

/**
 * One block of LZ4: runs of new bytes and copies of earlier ones in turn (lz4_Block_format.md of
 * LZ4). Not thread-safe.
 */
final class Lz4Block {
  private static final int FULL = 15;
  private static final int MORE = 255;
  private static final int MIN_COPY = 4;

  private final RocksDbInput in;
  private final byte[] out;
  private int filled;

  Lz4Block(RocksDbInput in, byte[] out) {
    this.in = in;
    this.out = out;
  }

  /** False if the block does not fill the output exactly. */
  boolean decompress() {
    while (!in.isAtEnd()) {
      int token = in.unsignedByte();
      long literals = length(token >> 4);
      if (literals > out.length - filled) {
        return false;
      }
      System.arraycopy(in.bytes(), in.skip(literals), out, filled, (int) literals);
      filled += (int) literals;
      if (!in.isAtEnd() && !copy(token & FULL)) {
        return false;
      }
    }
    return filled == out.length;
  }

  private boolean copy(int shortLength) {
    int distance = in.unsignedByte() | in.unsignedByte() << Byte.SIZE;
    long length = length(shortLength) + MIN_COPY;
    if (distance == 0 || distance > filled || length > out.length - filled) {
      return false;
    }
    // Byte by byte: a copy may overlap what it writes.
    for (int i = 0; i < length; i++) {
      out[filled] = out[filled - distance];
      filled++;
    }
    return true;
  }

  private long length(int first) {
    long length = first;
    if (first == FULL) {
      int more;
      do {
        more = in.unsignedByte();
        length += more;
      } while (more == MORE);
    }
    return length;
  }
}
