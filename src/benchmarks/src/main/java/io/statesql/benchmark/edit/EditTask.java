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
package io.statesql.benchmark.edit;

import java.util.List;

/** A change of the users. */
enum EditTask {
  CHANGE_ONE("change one key"),
  DELETE_TENTH("delete 10 % of the keys");

  private static final long USER = 4_711;
  private static final long MULTIPLE = 10;

  /** What holds of the users after a change. */
  static final String LOOK =
      "SELECT COUNT(*), SUM(\"total\"), SUM(profile_visits) FROM users.keyed_state";

  private final String title;

  EditTask(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  String sql() {
    return switch (this) {
      case CHANGE_ONE ->
          "UPDATE users.\"total\" SET state_value = state_value + 1 WHERE state_key = " + USER;
      case DELETE_TENTH ->
          "DELETE FROM users.keyed_state WHERE MOD(state_key, " + MULTIPLE + ") = 0";
    };
  }

  /** What the program for the State Processor API is told. */
  List<String> peerArguments() {
    return switch (this) {
      case CHANGE_ONE -> List.of("add", String.valueOf(USER));
      case DELETE_TENTH -> List.of("remove", String.valueOf(MULTIPLE));
    };
  }
}
