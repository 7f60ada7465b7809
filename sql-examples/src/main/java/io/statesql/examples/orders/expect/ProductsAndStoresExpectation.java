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
import java.util.Map;

/** Operators {@code stock}, keyed by product, and {@code orders-per-store}, by a POJO. */
final class ProductsAndStoresExpectation {

  private ProductsAndStoresExpectation() {}

  static void fill(Tables tables, Input input) {
    input
        .groupBy(
            order ->
                Columns.of("state_key", order.product())
                    .and("namespace", order.warehouse())
                    .toMap())
        .forEach(
            (key, orders) ->
                tables.add(
                    "stock",
                    "sold-units",
                    Columns.of(key)
                        .and(
                            "state_value", orders.stream().mapToLong(OrderFacts::quantity).sum())));

    KeyedStates stores = new KeyedStates("orders-per-store", tables).declare("revenue-in-cents");
    input
        .groupBy(ProductsAndStoresExpectation::storeKey)
        .forEach(
            (key, orders) ->
                stores.value(
                    "revenue-in-cents",
                    key,
                    orders.stream().mapToLong(OrderFacts::amountInCents).sum()));
    stores.join();
  }

  static Map<String, Object> storeKey(OrderFacts order) {
    return Columns.of("state_key_country", order.customer().country())
        .and("state_key_channel", order.channel())
        .toMap();
  }
}
