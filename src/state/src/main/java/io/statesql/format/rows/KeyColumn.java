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
package io.statesql.format.rows;

import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.StoredElement;
import java.io.Serializable;

/** Where the value of one column comes from, in rows that show all states of a key together. */
public sealed interface KeyColumn extends Serializable {

  /** What is known of the key itself: a source of the part KEY, or the key group. */
  record OfKey(ColumnSource source) implements KeyColumn {}

  /** From the value of a state that holds one value for a key; null where the key has none. */
  record OfState(String state, ColumnSource source) implements KeyColumn {}

  /**
   * Stands for a state that no column can show; an error for a statement that asks for it.
   *
   * @param reason why, without the full stop
   */
  record Unreadable(String state, String reason) implements KeyColumn {}

  /** Whether the key has the state. */
  record Presence(String state) implements KeyColumn {}

  /** All elements of the key's states, a list of {@link StoredElement}: what statements change. */
  record Stored() implements KeyColumn {}

  /** All elements of a LIST state as a {@link java.util.List}, or of a MAP state as a map. */
  record Collected(String state) implements KeyColumn {}
}
