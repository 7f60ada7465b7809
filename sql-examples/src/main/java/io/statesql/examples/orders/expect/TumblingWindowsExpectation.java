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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Operators {@code revenue-per-minute}, keyed by a tuple, and {@code largest-order-per-hour}, keyed
 * by a POJO. A window stays until its allowed lateness has passed.
 */
final class TumblingWindowsExpectation {

  private static final String CONTENTS = "window-contents";

  private TumblingWindowsExpectation() {}

  static void fill(Tables tables, Input input) {
    fill(
        tables,
        input,
        "revenue-per-minute",
        new Windows(Duration.ofMinutes(1), Duration.ofMinutes(15)),
        order ->
            Columns.of("state_key_f0", order.customer().country())
                .and("state_key_f1", order.channel())
                .toMap(),
        CustomerTotalsExpectation::statistics);
    fill(
        tables,
        input,
        "largest-order-per-hour",
        new Windows(Duration.ofHours(1), Duration.ZERO),
        ProductsAndStoresExpectation::storeKey,
        TumblingWindowsExpectation::largest);
  }

  private record Windows(Duration size, Duration lateness) {
    Instant startOf(OrderFacts order) {
      long millis = order.time().toEpochMilli();
      return Instant.ofEpochMilli(millis - millis % size.toMillis());
    }
  }

  private static void fill(
      Tables tables,
      Input input,
      String uid,
      Windows windows,
      Function<OrderFacts, Map<String, Object>> key,
      Function<List<OrderFacts>, Map<String, Object>> contents) {
    tables.declare(uid, CONTENTS);
    tables.declare(uid, "timers");
    input
        .groupBy(
            order -> {
              Instant start = windows.startOf(order);
              return Columns.window(key.apply(order), start, start.plus(windows.size())).toMap();
            })
        .forEach(
            (window, orders) -> {
              Instant end = (Instant) window.get("window_end");
              if (WindowTimers.add(tables, uid, input, window, end, windows.lateness())) {
                tables.add(uid, CONTENTS, Columns.of(window).and(contents.apply(orders)));
              }
            });
  }

  private static Map<String, Object> largest(List<OrderFacts> orders) {
    return Columns.order(
        orders.stream()
            .min(
                Comparator.comparing(OrderFacts::amount)
                    .reversed()
                    .thenComparing(OrderFacts::orderId))
            .orElseThrow());
  }
}
