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
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Operators {@code order-source}, {@code rule-source} and {@code order-intake}: operator state. */
final class SourcesExpectation {

  private static final int LATEST_PER_LANE = 3;

  private final Tables tables;
  private final Input input;

  /** How many elements each list has so far, by table and subtask. */
  private final Map<String, Long> listSizes = new HashMap<>();

  private SourcesExpectation(Tables tables, Input input) {
    this.tables = tables;
    this.input = input;
  }

  static void fill(Tables tables, Input input) {
    new SourcesExpectation(tables, input).fill();
  }

  private void fill() {
    tables.declare("order-source", "SourceReaderState");
    tables.declare("order-intake", "latest-orders");
    tables.declare("order-intake", "lane-progress");
    Map<Integer, List<OrderFacts>> byLane = input.groupBy(OrderFacts::lane);
    for (int lane = 0; lane < OrderFacts.LANES; lane++) {
      fill(lane, byLane.getOrDefault(lane, List.of()));
    }
    add("rule-source", "SourceReaderState", 0, "list_value", split(0, RuleFacts.COUNT));
  }

  private void fill(int lane, List<OrderFacts> orders) {
    int subtask = input.subtaskOfLane(lane);
    long next = orders.isEmpty() ? 0 : Input.last(orders).index() + 1;
    add("order-source", "SourceReaderState", subtask, "list_value", split(lane, next));
    for (OrderFacts order : Input.lastOf(orders, LATEST_PER_LANE)) {
      add(
          "order-intake",
          "latest-orders",
          subtask,
          Columns.of("f0", lane).and("f1", order.orderId()).toMap());
    }
    if (!orders.isEmpty()) {
      add(
          "order-intake",
          "lane-progress",
          subtask,
          Columns.of("lane", lane)
              .and("orders", (long) orders.size())
              .and("lastTime", Input.last(orders).time())
              .toMap());
    }
  }

  /** As Flink wraps it: version, length, then the lane's number and next index. */
  private static byte[] split(int lane, long next) {
    int length = Integer.BYTES + Long.BYTES;
    return ByteBuffer.allocate(2 * Integer.BYTES + length)
        .putInt(1)
        .putInt(length)
        .putInt(lane)
        .putLong(next)
        .array();
  }

  private void add(String uid, String state, int subtask, String column, Object value) {
    add(uid, state, subtask, Columns.of(column, value).toMap());
  }

  private void add(String uid, String state, int subtask, Map<String, Object> value) {
    long size = listSizes.merge(uid + "/" + state + "/" + subtask, 1L, Long::sum);
    tables.add(uid, state, Columns.of("subtask", subtask).and("list_index", size - 1).and(value));
  }
}
