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
package io.statesql.format.key;

import io.statesql.type.StateInput;
import java.util.Arrays;

/**
 * Watches that the keys of entries rise, byte by byte without sign, as RocksDB sorts them: an entry
 * that stands twice, or at a wrong place, is damage. Not thread-safe.
 */
public final class KeyOrder {
  private byte[] last = new byte[64];
  private int length = -1;

  /** Says that what follows is sorted anew. */
  public void restart() {
    length = -1;
  }

  /**
   * Takes the next key.
   *
   * @throws io.statesql.type.MalformedValueException if it does not follow the one before
   */
  public void next(StateInput key) {
    int start = key.position();
    int end = key.limit();
    if (length >= 0 && Arrays.compareUnsigned(last, 0, length, key.array(), start, end) >= 0) {
      throw key.malformed("an entry does not follow the one before it in the order of their keys");
    }
    length = end - start;
    if (length > last.length) {
      last = new byte[Math.max(length, 2 * last.length)];
    }
    System.arraycopy(key.array(), start, last, 0, length);
  }
}
