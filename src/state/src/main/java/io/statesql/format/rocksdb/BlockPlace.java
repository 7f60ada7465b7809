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
 * Where a block lies in a table: {@code BlockHandle} of RocksDB.
 *
 * @param size without the trailer
 */
record BlockPlace(long offset, long size) {
  /** The type of compression and the checksum behind each block. */
  static final int TRAILER = 5;

  static BlockPlace read(RocksDbInput in) {
    int start = in.position();
    BlockPlace place = new BlockPlace(in.varint64(), in.varint64());
    if (place.offset < 0 || place.size < 0) {
      throw in.fault(start, "it names a block beyond the end of any file");
    }
    return place;
  }

  /** Behind the trailer; without overflow for places {@link #isWithin} a file. */
  long end() {
    return offset + size + TRAILER;
  }

  /** Whether block and trailer end at or before a place in the file. */
  boolean isWithin(long limit) {
    return offset >= 0 && size >= 0 && offset <= limit && size <= limit - offset - TRAILER;
  }
}
