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

/** How a collection marks a null element: a boolean before it, of either sense, or not at all. */
public enum NullFlag {
  /** Elements cannot be null, or say so themselves. */
  NONE,
  /** A boolean that is true before nothing. */
  IS_NULL,
  /** A boolean that is true before a value. */
  IS_PRESENT;

  /** Whether a value follows; reads the flag if there is one. */
  public boolean isValueNext(StateInput in) {
    return this == NONE || in.readBoolean() == (this == IS_PRESENT);
  }

  /** Writes the flag if there is one. */
  public void write(boolean isPresent, StateOutput out) {
    if (this != NONE) {
      out.writeBoolean(isPresent == (this == IS_PRESENT));
    }
  }

  public int length() {
    return this == NONE ? 0 : 1;
  }
}
