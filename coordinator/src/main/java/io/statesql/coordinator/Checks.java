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
package io.statesql.coordinator;

/** What an argument must be, told in the words of the wire. */
final class Checks {
  /** The longest checkpoint location; file systems allow no longer path. */
  static final int MAX_LOCATION = 4096;

  /** The longest id or name. */
  static final int MAX_NAME = 256;

  private Checks() {}

  /**
   * A text of at least one character.
   *
   * @throws IllegalArgumentException if it is null, empty, too long or holds a control character,
   *     with which a line of the log would look like two
   */
  static String text(String name, String value, int maxLength) {
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    if (value.isEmpty() || value.length() > maxLength) {
      throw new IllegalArgumentException(
          name + " must have 1 to " + maxLength + " characters, not " + value.length());
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(name + " must not hold control characters");
    }
    return value;
  }

  static long notNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must not be negative, but is " + value);
    }
    return value;
  }
}
