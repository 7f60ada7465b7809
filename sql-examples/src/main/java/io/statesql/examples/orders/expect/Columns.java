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
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Columns and their values, in order; a value may be null. */
final class Columns {

  private final Map<String, Object> values = new LinkedHashMap<>();

  private Columns() {}

  static Columns of(String name, Object value) {
    return new Columns().and(name, value);
  }

  /** A copy to go on from. */
  static Columns of(Map<String, Object> values) {
    Columns columns = new Columns();
    columns.values.putAll(values);
    return columns;
  }

  /** The key column of a scalar key. */
  static Map<String, Object> key(Object value) {
    return of("state_key", value).toMap();
  }

  static Columns window(Map<String, Object> key, Instant start, Instant end) {
    return of(key).and("window_start", start).and("window_end", end);
  }

  /** The fields of an order as the job keeps it in its windows. */
  static Map<String, Object> order(OrderFacts order) {
    return of("id", order.orderId())
        .and("index", order.index())
        .and("lane", order.lane())
        .and("customerNumber", order.customer().number())
        .and("customerId", order.customer().id())
        .and("country", order.customer().country())
        .and("channel", order.channel())
        .and("product", order.product())
        .and("warehouse", order.warehouse())
        .and("quantity", order.quantity())
        .and("price", order.price())
        .and("amount", order.amount())
        .and("paid", order.isPaid())
        .and("rating", order.rating())
        .and("note", order.note())
        .and("time", order.time())
        .toMap();
  }

  Columns and(String name, Object value) {
    if (values.containsKey(name)) {
      throw new IllegalArgumentException("Two columns are called '" + name + "'");
    }
    values.put(name, value);
    return this;
  }

  Columns and(Map<String, Object> more) {
    more.forEach(this::and);
    return this;
  }

  Map<String, Object> toMap() {
    return values;
  }
}
