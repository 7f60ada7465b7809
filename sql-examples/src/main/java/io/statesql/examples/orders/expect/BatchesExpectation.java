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
import java.util.List;
import java.util.Map;

/**
 * Operator {@code order-batches}: every fourth order of a customer completes a batch, and what is
 * left waits in the one global window.
 */
final class BatchesExpectation {

  private static final String UID = "order-batches";
  private static final int SIZE = 4;

  private BatchesExpectation() {}

  static void fill(Tables tables, Input input) {
    tables.declare(UID, "window-contents");
    tables.declare(UID, "count");
    tables.declare(UID, "timers");
    input
        .byCustomer()
        .forEach(
            (customer, orders) -> {
              List<OrderFacts> waiting = Input.lastOf(orders, orders.size() % SIZE);
              Map<String, Object> key = Columns.key(customer.id());
              for (int index = 0; index < waiting.size(); index++) {
                tables.add(
                    UID,
                    "window-contents",
                    Columns.of(key)
                        .and("list_index", (long) index)
                        .and(Columns.order(waiting.get(index))));
              }
              if (!waiting.isEmpty()) {
                tables.add(UID, "count", Columns.of(key).and("state_value", (long) waiting.size()));
              }
            });
  }
}
