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
package io.statesql.type;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.StringWriter;

/** Collects a text and stops before it outgrows memory. */
public final class LimitedWriter extends StringWriter {
  /** Characters. */
  static final int MAX_LENGTH = 1 << 25;

  @Override
  public void write(char[] text, int from, int length) {
    requireRoom(length);
    super.write(text, from, length);
  }

  @Override
  public void write(String text, int from, int length) {
    requireRoom(length);
    super.write(text, from, length);
  }

  @Override
  public void write(String text) {
    requireRoom(text.length());
    super.write(text);
  }

  @Override
  public void write(int character) {
    requireRoom(1);
    super.write(character);
  }

  /**
   * Refuses what would be too much, before it is made.
   *
   * @param length characters to come
   * @throws StateSqlException with {@link ErrorCode#UNDECODABLE_STATE} if they have no room
   */
  public void requireRoom(long length) {
    if (length > MAX_LENGTH - getBuffer().length()) {
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "the JSON text of the value is longer than " + MAX_LENGTH + " characters");
    }
  }
}
