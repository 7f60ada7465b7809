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
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Operator {@code orders-per-customer}, keyed by the customer's number. */
final class CustomerTotalsExpectation {

  private CustomerTotalsExpectation() {}

  static void fill(Tables tables, Input input) {
    KeyedStates states =
        new KeyedStates("orders-per-customer", tables)
            .declare("order-count")
            .declare("order-ids")
            .declare("latest-per-day")
            .declare("largest-order")
            .declare("order-statistics", List.of("f0", "f1", "f2"));
    input
        .byCustomer()
        .forEach(
            (customer, orders) -> {
              Map<String, Object> key = Columns.key((long) customer.number());
              states.value("order-count", key, (long) orders.size());
              states.list("order-ids", key, orders.stream().map(OrderFacts::orderId).toList());
              states.map("latest-per-day", key, latestPerDay(orders));
              states.value(
                  "largest-order",
                  key,
                  orders.stream().mapToLong(OrderFacts::amountInCents).max().orElseThrow());
              states.fields("order-statistics", key, statistics(orders));
            });
    states.join();
  }

  private static Map<Object, Map<String, Object>> latestPerDay(List<OrderFacts> orders) {
    Map<Object, Map<String, Object>> latest = new LinkedHashMap<>();
    for (OrderFacts order : orders) {
      latest.put(order.day(), Columns.of("f0", order.orderId()).and("f1", order.product()).toMap());
    }
    return latest;
  }

  /** Count, sum of amounts and units. */
  static Map<String, Object> statistics(List<OrderFacts> orders) {
    return Columns.of("f0", (long) orders.size())
        .and("f1", orders.stream().map(OrderFacts::amount).reduce(BigDecimal.ZERO, BigDecimal::add))
        .and("f2", orders.stream().mapToInt(OrderFacts::quantity).sum())
        .toMap();
  }
}
