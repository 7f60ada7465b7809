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

import java.util.HashSet;
import java.util.Set;

/**
 * Names for the tables of one operator. A state's table has the name of the state, unless the name
 * is one of ours ({@code keyed_state}, {@code timers}), or an operator state has the name of a
 * keyed one: then it gets the first of {@code name_2}, {@code name_3} and so on that no state has.
 * Who asks in a stable order gets stable names.
 */
final class TableNames {
  static final String KEYED_STATE = "keyed_state";
  static final String TIMERS = "timers";

  private final Set<String> keyedStates;
  private final Set<String> taken;

  /**
   * @param keyedStates the names of all keyed states
   * @param operatorStates the names of all operator states
   */
  TableNames(Set<String> keyedStates, Set<String> operatorStates) {
    this.keyedStates = Set.copyOf(keyedStates);
    this.taken = new HashSet<>(keyedStates);
    taken.addAll(operatorStates);
  }

  String ofKeyedState(String state) {
    return isOurs(state) ? numbered(state) : state;
  }

  String ofOperatorState(String state) {
    return isOurs(state) || keyedStates.contains(state) ? numbered(state) : state;
  }

  private static boolean isOurs(String name) {
    return name.equals(KEYED_STATE) || name.equals(TIMERS);
  }

  private String numbered(String name) {
    int number = 2;
    while (!taken.add(name + "_" + number)) {
      number++;
    }
    return name + "_" + number;
  }
}
