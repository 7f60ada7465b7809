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
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The prefix of the input that a snapshot covers.
 *
 * @param orders in order of their index
 * @param parallelism of the job
 */
record Input(List<OrderFacts> orders, int parallelism) {

  static Input of(long count, int parallelism) {
    return new Input(LongStream.range(0, count).mapToObj(OrderFacts::new).toList(), parallelism);
  }

  /** The subtask of the source that reads a lane. */
  int subtaskOfLane(int lane) {
    return lane % Math.min(OrderFacts.LANES, parallelism);
  }

  /**
   * How far event time has come, in milliseconds: just before the last order of that subtask of the
   * source which is behind the others.
   */
  long watermark() {
    return groupBy(order -> subtaskOfLane(order.lane())).values().stream()
            .map(orders -> orders.get(orders.size() - 1).time())
            .mapToLong(Instant::toEpochMilli)
            .min()
            .orElseThrow()
        - 1;
  }

  /** Whether a timer of event time has fired. */
  boolean hasPassed(Instant time) {
    return time.toEpochMilli() <= watermark();
  }

  Map<CustomerFacts, List<OrderFacts>> byCustomer() {
    return groupBy(OrderFacts::customer);
  }

  <K> Map<K, List<OrderFacts>> groupBy(Function<OrderFacts, K> key) {
    Map<K, List<OrderFacts>> groups = new LinkedHashMap<>();
    for (OrderFacts order : orders) {
      groups.computeIfAbsent(key.apply(order), none -> new ArrayList<>()).add(order);
    }
    return groups;
  }

  static OrderFacts last(List<OrderFacts> orders) {
    return orders.get(orders.size() - 1);
  }

  static List<OrderFacts> lastOf(List<OrderFacts> orders, int count) {
    return orders.subList(Math.max(0, orders.size() - count), orders.size());
  }
}
