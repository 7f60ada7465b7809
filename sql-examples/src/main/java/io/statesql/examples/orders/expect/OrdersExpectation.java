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

import java.util.List;
import java.util.Map;

/**
 * What every state of the orders job holds after a number of orders, computed from the input
 * formula and the rules of the domain. It knows neither Flink nor a reader of snapshots and loads
 * no class of the job, so it may stand beside a reader that must do without them.
 *
 * <p>Values by type: text and enum constants {@link String}; {@link Integer}, {@link Long}, {@link
 * Double}, {@link Boolean}; decimals and big integers {@link java.math.BigDecimal}, equal in scale
 * too; {@link java.time.LocalDate}; times {@link java.time.Instant} or {@link
 * java.time.LocalDateTime}, the way the job keeps them, with nanoseconds; {@code byte[]}; arrays
 * {@link List}, or {@link java.util.Set} where they have no order; maps {@link Map}; nested rows
 * {@code Map} from field names; null. A column {@code last_access} holds {@link
 * WallClock#DURING_THE_RUN}. The order of rows and of columns has no meaning.
 *
 * <p>Not covered: the column {@code key_group}; the merging set of the session windows, which is no
 * data; window columns of a global window, which has no bounds.
 */
public final class OrdersExpectation {

  /** Stands for a value that is no function of the input. */
  public enum WallClock {
    /** Some time between begin and end of the run that wrote the snapshot. */
    DURING_THE_RUN
  }

  private final Map<String, List<Map<String, Object>>> tables;

  private OrdersExpectation(Map<String, List<Map<String, Object>>> tables) {
    this.tables = tables;
  }

  /**
   * The content after a number of orders.
   *
   * @param orders at least one
   * @param parallelism of the job: decides the subtasks of operator state, and how far event time
   *     has come
   */
  public static OrdersExpectation of(long orders, int parallelism) {
    if (orders < 1 || parallelism < 1) {
      throw new IllegalArgumentException(
          "Expected at least one order and subtask but got " + orders + " and " + parallelism);
    }
    Input input = Input.of(orders, parallelism);
    Tables tables = new Tables();
    SourcesExpectation.fill(tables, input);
    CustomersExpectation.fill(tables, input);
    CustomerTotalsExpectation.fill(tables, input);
    PageVisitsExpectation.fill(tables, input);
    OrderTimeoutsExpectation.fill(tables, input);
    ProductsAndStoresExpectation.fill(tables, input);
    TumblingWindowsExpectation.fill(tables, input);
    SessionsExpectation.fill(tables, input);
    BatchesExpectation.fill(tables, input);
    FraudExpectation.fill(tables, input);
    return new OrdersExpectation(tables.toMap());
  }

  /**
   * The rows of every table, by {@code uid/table}. Tables are the states, {@code timers} and {@code
   * keyed_state}; a table that exists without rows has an empty list.
   */
  public Map<String, List<Map<String, Object>>> tables() {
    return tables;
  }

  /** The rows of one table. */
  public List<Map<String, Object>> table(String uid, String table) {
    List<Map<String, Object>> rows = tables.get(uid + "/" + table);
    if (rows == null) {
      throw new IllegalArgumentException("No table '" + table + "' of operator '" + uid + "'");
    }
    return rows;
  }
}
