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
package io.statesql.format.bytes;

import io.statesql.type.MalformedValueException;
import java.util.BitSet;

/**
 * The numbers by which a key group in canonical form says whose entries come next. Flink writes all
 * entries of a state in a key group together ({@code FullSnapshotAsyncWriter}, flink-runtime 2.3),
 * so that each number comes once; one that comes again is another that was damaged.
 */
public final class StateNumbers {
  /** Stands where the next number would. */
  public static final int END_OF_KEY_GROUP = 0xFFFF;

  private final int count;
  private final BitSet seen = new BitSet();

  /**
   * @param count how many states the header has
   */
  public StateNumbers(int count) {
    this.count = count;
  }

  public void startKeyGroup() {
    seen.clear();
  }

  /**
   * Notes a number.
   *
   * @param offset where it stands
   * @throws MalformedValueException if it cannot be next
   */
  public void next(int number, long offset) {
    if (number >= count) {
      throw new MalformedValueException(
          offset, "an entry is of state number " + number + " but there are only " + count);
    }
    if (seen.get(number)) {
      throw new MalformedValueException(
          offset, "entries of state number " + number + " come a second time in their key group");
    }
    seen.set(number);
  }
}
