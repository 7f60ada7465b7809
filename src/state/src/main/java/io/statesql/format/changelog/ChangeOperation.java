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
package io.statesql.format.changelog;

import io.statesql.type.StateInput;

/**
 * What a logged change does, by its code: {@code
 * org.apache.flink.state.changelog.StateChangeOperation} (flink-statebackend-changelog 2.3).
 */
enum ChangeOperation {
  CLEAR,
  SET,
  SET_INTERNAL,
  ADD,
  MERGE_NAMESPACES,
  ADD_ELEMENT,
  ADD_OR_UPDATE_ELEMENT,
  REMOVE_ELEMENT,
  METADATA;

  private static final ChangeOperation[] BY_CODE = values();

  static ChangeOperation read(StateInput in) {
    int code = in.readUnsignedByte();
    if (code >= BY_CODE.length) {
      throw in.malformed("%d is no code of a change", code);
    }
    return BY_CODE[code];
  }
}
