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
import io.statesql.examples.orders.input.RuleFacts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;

/** Operator {@code fraud-detector}: broadcast rules, and amounts keyed by the customer's id. */
final class FraudExpectation {

  private static final String UID = "fraud-detector";

  private FraudExpectation() {}

  static void fill(Tables tables, Input input) {
    KeyedStates states = new KeyedStates(UID, tables).declare("amounts");
    input
        .byCustomer()
        .forEach(
            (customer, orders) -> {
              Map<Long, Object> amounts = new LinkedHashMap<>();
              for (OrderFacts order : orders) {
                amounts.put(order.orderId(), order.amount());
              }
              states.map("amounts", Columns.key(customer.id()), amounts);
            });
    states.join();
    LongStream.range(0, RuleFacts.COUNT)
        .mapToObj(RuleFacts::new)
        .forEach(rule -> fill(tables, rule));
  }

  private static void fill(Tables tables, RuleFacts rule) {
    tables.add(
        UID,
        "rules",
        Columns.of("map_key", rule.name())
            .and("name", rule.name())
            .and("threshold", rule.threshold())
            .and("country", rule.country())
            .and("active", rule.isActive()));
    tables.add(
        UID,
        "active-rules",
        Columns.of("map_key", (int) rule.index()).and("map_value", rule.isActive()));
  }
}
