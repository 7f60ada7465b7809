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
package io.statesql.schema;

/**
 * What {@code sys.states} says of one state.
 *
 * @param name null for state that cannot be read so far as to know its name
 * @param state null where nothing but the name is known
 * @param tableName the table that shows it; null if none does
 * @param reason why it is not or not wholly decoded, or in what its copies differ; null if there is
 *     nothing to say
 */
record StateListing(String name, StateDefinition state, String tableName, String reason) {
  StateListing(StateDefinition state, String tableName, String reason) {
    this(state.name(), state, tableName, reason);
  }

  /** State of which nothing can be read, because of a damaged header for example. */
  static StateListing unreadable(String reason) {
    return new StateListing(null, null, null, reason);
  }
}
