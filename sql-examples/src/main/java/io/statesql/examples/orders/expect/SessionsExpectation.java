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
package io.statesql.examples.orders.expect;

import io.statesql.examples.orders.input.CustomerFacts;
import io.statesql.examples.orders.input.OrderFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Operator {@code shopping-sessions}: a customer's orders with no more than five minutes between
 * them. The window of a row is the whole session, wherever Flink keeps its content.
 */
final class SessionsExpectation {

  private static final String UID = "shopping-sessions";
  private static final Duration GAP = Duration.ofMinutes(5);
  private static final Duration LATENESS = Duration.ofMinutes(45);

  private SessionsExpectation() {}

  static void fill(Tables tables, Input input) {
    tables.declare(UID, "window-contents");
    tables.declare(UID, "timers");
    input
        .byCustomer()
        .forEach(
            (customer, orders) ->
                sessions(orders).forEach(session -> fill(tables, input, customer, session)));
  }

  private static void fill(
      Tables tables, Input input, CustomerFacts customer, List<OrderFacts> session) {
    Instant end = Input.last(session).time().plus(GAP);
    Map<String, Object> window =
        Columns.window(Columns.key(customer.id()), session.get(0).time(), end).toMap();
    if (!WindowTimers.add(tables, UID, input, window, end, LATENESS)) {
      return;
    }
    for (int index = 0; index < session.size(); index++) {
      tables.add(
          UID,
          "window-contents",
          Columns.of(window)
              .and("list_index", (long) index)
              .and(Columns.order(session.get(index))));
    }
  }

  private static List<List<OrderFacts>> sessions(List<OrderFacts> orders) {
    List<List<OrderFacts>> sessions = new ArrayList<>();
    Instant end = Instant.MIN;
    for (OrderFacts order : orders) {
      if (order.time().isAfter(end)) {
        sessions.add(new ArrayList<>());
      }
      sessions.get(sessions.size() - 1).add(order);
      end = order.time().plus(GAP);
    }
    return sessions;
  }
}
