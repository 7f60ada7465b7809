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
package io.statesql.format.model;

import io.statesql.snapshot.OperatorId;
import java.util.List;
import java.util.Set;

/** The names under which Stateful Functions 3.3 keeps state. */
public final class StatefulFunctions {
  /** The operator of all functions ({@code StatefulFunctionsJobConstants}). */
  public static final String FUNCTIONS = "functions_uid1";

  /** All of its operators; its snapshots, of Flink 1.16, know only the hashes of these. */
  public static final List<String> UIDS =
      List.of(FUNCTIONS, "feedback_union_uid1", "feedback_uid1");

  private static final OperatorId FUNCTIONS_ID = OperatorId.ofUid(FUNCTIONS);

  private static final Set<String> OWN_STATES =
      Set.of(
          "asyncOperations",
          "delayed-messages-buffer",
          "delayed-message-index",
          "_timer_state/event_delayed-messages-timer-service",
          "_timer_state/processing_delayed-messages-timer-service");

  /** What each remote function has beside its values ({@code RequestReplyFunction}). */
  private static final String REQUESTS = ".request-state";

  private static final String BATCH = ".batch";

  private StatefulFunctions() {}

  /**
   * The state that holds a persisted value of a function ({@code FlinkState.flinkStateName}). The
   * way back is not certain, for any part may have points in it.
   */
  public static String stateName(String namespace, String type, String value) {
    return namespace + "." + type + "." + value;
  }

  /**
   * Whether a state is the book-keeping of Stateful Functions, and no data of a function.
   *
   * @param all the names of the operator's states
   */
  public static boolean isInternal(OperatorId operator, String state, Set<String> all) {
    if (!operator.equals(FUNCTIONS_ID)) {
      return false;
    }
    return OWN_STATES.contains(state)
        || isOneOfPair(state, REQUESTS, BATCH, all)
        || isOneOfPair(state, BATCH, REQUESTS, all);
  }

  private static boolean isOneOfPair(String state, String end, String otherEnd, Set<String> all) {
    return state.endsWith(end)
        && all.contains(state.substring(0, state.length() - end.length()) + otherEnd);
  }
}
