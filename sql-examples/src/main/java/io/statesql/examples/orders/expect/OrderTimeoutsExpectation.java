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

import io.statesql.examples.orders.input.OrderFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Operator {@code order-timeouts}, keyed by the order's id: unpaid orders wait half an hour. */
final class OrderTimeoutsExpectation {

  private static final String UID = "order-timeouts";
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private OrderTimeoutsExpectation() {}

  static void fill(Tables tables, Input input) {
    KeyedStates states =
        new KeyedStates(UID, tables)
            .declare("pending-order", pending(new OrderFacts(0)).keySet())
            .declare("expired-at");
    for (OrderFacts order : input.orders()) {
      if (order.isPaid()) {
        continue;
      }
      Map<String, Object> key = Columns.key(order.orderId());
      Instant timeout = order.time().plus(PATIENCE);
      if (input.hasPassed(timeout)) {
        states.value("expired-at", key, timeout);
      } else {
        states.fields("pending-order", key, pending(order));
        tables.addTimer(UID, Columns.of(key), "EVENT", timeout, "user-timers");
      }
    }
    states.join();
  }

  private static Map<String, Object> pending(OrderFacts order) {
    return Columns.of("order_id", order.orderId())
        .and("customer", order.customer().id())
        .and("note", order.note())
        .and("channel", order.channel())
        .and("rating", order.rating())
        .and(
            "lines",
            List.of(
                Columns.of("product", order.product()).and("quantity", order.quantity()).toMap()))
        .and(
            "labels", Map.of("warehouse", order.warehouse(), "country", order.customer().country()))
        .and("placed_at", order.time())
        .toMap();
  }
}
