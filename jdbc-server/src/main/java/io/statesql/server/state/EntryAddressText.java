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
package io.statesql.server.state;

import io.statesql.format.model.StatefulFunctions;

/**
 * The address of an entry, as text.
 *
 * @param mount the name of the catalog
 * @param operator its uid or id
 */
record EntryAddressText(String mount, String operator, String key, String state) {
  /**
   * Where a function keeps a persisted value.
   *
   * @param id of the function's address
   * @param value the name of the persisted value
   */
  static EntryAddressText ofFunction(
      String mount, String namespace, String type, String id, String value) {
    return new EntryAddressText(
        mount,
        StatefulFunctions.FUNCTIONS,
        id,
        StatefulFunctions.stateName(namespace, type, value));
  }

  boolean isFunction() {
    return operator.equals(StatefulFunctions.FUNCTIONS);
  }
}
