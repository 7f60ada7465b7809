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
import java.util.stream.Collectors;

/**
 * Operator {@code page-visits}: states with time-to-live, keyed by the customer's id. Their tables
 * have a column {@code last_access}; {@code keyed_state} does without.
 */
final class PageVisitsExpectation {

  private static final String UID = "page-visits";

  private PageVisitsExpectation() {}

  static void fill(Tables tables, Input input) {
    KeyedStates states =
        new KeyedStates(UID, tables)
            .declare("last-page")
            .declare("pages")
            .declare("visits-per-page");
    input
        .byCustomer()
        .forEach(
            (customer, orders) -> {
              Map<String, Object> key = Columns.key(customer.id());
              List<String> pages = orders.stream().map(PageVisitsExpectation::page).toList();
              states.value("last-page", key, pages.get(pages.size() - 1));
              states.list("pages", key, pages);
              states.map(
                  "visits-per-page",
                  key,
                  pages.stream()
                      .collect(
                          Collectors.groupingBy(page -> page, Collectors.summingInt(visit -> 1))));
            });
    states.join();
    for (String state : List.of("last-page", "pages", "visits-per-page")) {
      tables
          .toMap()
          .get(UID + "/" + state)
          .forEach(row -> row.put("last_access", OrdersExpectation.WallClock.DURING_THE_RUN));
    }
  }

  private static String page(OrderFacts order) {
    return "/" + order.product();
  }
}
