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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Changes something in one record of a log of tables, and makes the checksum right again. */
public final class HostileManifest {
  private static final int BLOCK = 1 << 15;
  private static final int HEADER = 7;
  private static final int CHECKED_FROM = 6;

  private final byte[] bytes;
  private final Random random;

  /** A fragment of a record. */
  private record Fragment(int start, int length) {}

  /**
   * @param bytes of the whole log
   */
  public HostileManifest(byte[] bytes, Random random) {
    this.bytes = bytes;
    this.random = random;
  }

  /** Changes the bytes, and says how. */
  public String change() {
    List<Fragment> fragments = fragments();
    Fragment fragment = fragments.get(random.nextInt(fragments.size()));
    int from = fragment.start + HEADER;
    String what = new HostileBytes(bytes, from, fragment.length, random).change();
    int checked = fragment.start + CHECKED_FROM;
    int checksum = BlockChecksum.masked(bytes, checked, HEADER - CHECKED_FROM + fragment.length);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(fragment.start, checksum);
    return "record at " + fragment.start + " " + what;
  }

  private List<Fragment> fragments() {
    List<Fragment> result = new ArrayList<>();
    int at = 0;
    while (at + HEADER <= bytes.length) {
      if (BLOCK - at % BLOCK < HEADER) {
        at += BLOCK - at % BLOCK;
      } else {
        int length = (bytes[at + 4] & 0xFF) | (bytes[at + 5] & 0xFF) << 8;
        result.add(new Fragment(at, length));
        at += HEADER + length;
      }
    }
    return result;
  }
}
