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

/**
 * The bytes of a block, decompressed.
 *
 * @param what names the block in messages, as "its index"
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and read by those alone who made it
record TableBlock(BlockPlace place, String what, byte[] bytes) {
  MalformedValueException fault(int position, String reason) {
    return fault(place, what, "at byte " + position + " " + reason);
  }

  static MalformedValueException fault(BlockPlace place, String what, String reason) {
    return new MalformedValueException(place.offset(), "in " + what + ", " + reason);
  }

  RocksDbInput input(int end) {
    return new RocksDbInput(bytes, 0, end, this::fault);
  }
}
