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
package io.statesql.acceptance;

import static io.statesql.acceptance.EditedSample.rows;
import static io.statesql.acceptance.OrdersExpectationTest.assertHoldsWhatItsInputImplies;
import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.acceptance.OrdersRun.Form;
import io.statesql.examples.orders.expect.OrdersExpectation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Flink restores the job from a savepoint that SQL edited and that was moved since, at the same and
 * at other parallelisms, while the source of the edits is away, and goes on from the edited state:
 * its next snapshot holds what the edits and the further input imply, and for all other state what
 * the input alone implies.
 */
class EditedSavepointRestoreTest {
  private static final int BEFORE = 100;
  private static final int AFTER = 130;

  private static final OrdersRun ROCKSDB_NATIVE =
      OrdersRun.of("rocksdb", Form.NATIVE, false, BEFORE, 2, 128);

  @TempDir private Path folder;

  static List<OrdersRun> oneForm() {
    return List.of(ROCKSDB_NATIVE.continued(AFTER, 3));
  }

  static List<OrdersRun> allForms() {
    List<OrdersRun> runs = new ArrayList<>();
    for (OrdersRun run :
        List.of(
            OrdersRun.of("rocksdb", Form.INCREMENTAL_CHECKPOINT, false, BEFORE, 2, 128),
            OrdersRun.of("hashmap", Form.NATIVE, false, BEFORE, 2, 128),
            OrdersRun.of("hashmap", Form.CANONICAL, true, BEFORE, 2, 300),
            OrdersRun.of("rocksdb", Form.CANONICAL, false, BEFORE, 2, 128),
            OrdersRun.of("hashmap", Form.NATIVE, true, BEFORE, 2, 128),
            ROCKSDB_NATIVE)) {
      runs.add(run.continued(AFTER, 2));
      runs.add(run.continued(AFTER, 3));
    }
    return runs;
  }

  @ParameterizedTest
  @MethodSource("oneForm")
  void theJobGoesOnFromTheEditedState(OrdersRun run) throws Exception {
    assertGoesOn(run, OrdersRun::startedFrom);
  }

  /** At one of the parallelisms, the edited savepoint is the job's own from then on. */
  @ParameterizedTest
  @MethodSource("allForms")
  @Tag("proof")
  void theJobGoesOnFromTheEditedStateOfEveryForm(OrdersRun run) throws Exception {
    assertGoesOn(
        run, run.parallelism() == 3 ? OrdersRun::startedByClaiming : OrdersRun::startedFrom);
  }

  static List<OrdersRun> allFormsOfOldFlink() {
    return allForms().stream()
        .filter(run -> run.parallelism() == 3)
        .map(run -> run.on(FlinkVersion.V1_20))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("allFormsOfOldFlink")
  @Tag("proof")
  void theJobGoesOnFromTheEditedStateInTheFlinkThatWroteIt(OrdersRun run) throws Exception {
    assertGoesOn(run, OrdersRun::startedFrom);
  }

  @Test
  @Tag("proof")
  void listsKeepTheirCountsInThreeRestores() throws Exception {
    Path edited = new OrdersRepair(true).of(ROCKSDB_NATIVE.snapshot(), folder);
    OrdersSnapshot first = restoredWithLists(edited, 110, 3);
    OrdersSnapshot second = restoredWithLists(first.folder(), 120, 2);
    OrdersSnapshot third = restoredWithLists(second.folder(), AFTER, 3);
    assertHoldsWhatItsInputImplies(third, assertIsAsEdited(third, true));
  }

  /** A SPLIT_LIST and a UNION_LIST hold what the input implies, and the element that was added. */
  private static OrdersSnapshot restoredWithLists(Path from, int orders, int parallelism)
      throws Exception {
    OrdersSnapshot next = ROCKSDB_NATIVE.continued(orders, parallelism).startedFrom(from);
    try (Connection connection = QueryResult.connect(next.folder())) {
      for (String list : List.of("latest-orders", "lane-progress")) {
        assertThat(rows(connection, "SELECT COUNT(*) FROM \"order-intake\".\"" + list + "\""))
            .as("%s after %d orders", list, orders)
            .containsExactly("" + (implied(orders, "order-intake/" + list, Map.of()).size() + 1));
      }
    }
    return next;
  }

  /** Starts the job from an edited savepoint. */
  @FunctionalInterface
  private interface Start {
    OrdersSnapshot from(OrdersRun run, Path edited) throws IOException;
  }

  private void assertGoesOn(OrdersRun run, Start start) throws IOException, SQLException {
    boolean isHeapNative = run.backend().equals("hashmap") && run.form() == Form.NATIVE;
    // Flink 1.20 writes the lists within the POJO of customers by Kryo.
    boolean customersToo = !isHeapNative && run.flink() == FlinkVersion.V2_3;
    Path source = run.from().snapshot().folder();
    Path edited = new OrdersRepair(customersToo).of(run.from().snapshot(), folder);
    // All of the heap backend's state can be read where lengths stand before values.
    OrdersRun next = isHeapNative ? run.as(Form.CANONICAL) : run;
    OrdersSnapshot after;
    // The files of a checkpoint lie in the folder of its job.
    Path files = source.getFileName().toString().startsWith("chk-") ? source.getParent() : source;
    Path away = Files.move(files, files.resolveSibling(files.getFileName() + "-away"));
    try {
      after = start.from(next, edited);
    } finally {
      Files.move(away, files);
    }
    Set<String> leftOut = assertIsAsEdited(after, customersToo);
    if (run.flink() == FlinkVersion.V2_3) {
      assertHoldsWhatItsInputImplies(after, leftOut);
    }
  }

  /** Returns the tables that the edits show in. */
  private static Set<String> assertIsAsEdited(OrdersSnapshot after, boolean customersToo)
      throws SQLException {
    Set<String> leftOut = new TreeSet<>(OrdersRepair.EDITED);
    try (Connection connection = QueryResult.connect(after.folder())) {
      assertKeyedStateIsAsEdited(connection);
      assertTimersAreAsEdited(connection);
      assertOperatorStateIsAsEdited(connection);
      if (customersToo) {
        assertCustomersAreAsEdited(connection);
        leftOut.addAll(OrdersRepair.EDITED_OF_CUSTOMERS);
      }
    }
    return leftOut;
  }

  private static void assertKeyedStateIsAsEdited(Connection connection) throws SQLException {
    assertThat(
            rows(
                connection,
                "SELECT state_key, state_value FROM \"orders-per-customer\".\"order-count\""
                    + " WHERE state_key IN (1, 2, 3, 700) ORDER BY 1"))
        .containsExactly(
            "1, " + (count(AFTER, 1) + 1000),
            "2, " + (count(AFTER, 2) - count(BEFORE, 2)),
            "3, " + (count(AFTER, 3) - count(BEFORE, 3) + 1000),
            "700, 5");
    assertThat(
            rows(
                connection,
                "SELECT f0 FROM \"orders-per-customer\".\"order-statistics\" WHERE state_key = 1"))
        .containsExactly("" + (count(AFTER, 1) + 1000));
    List<String> ids = new ArrayList<>(orderIds(AFTER, 4));
    ids.add(orderIds(BEFORE, 4).size(), "4242");
    assertThat(
            rows(
                connection,
                "SELECT list_value FROM \"orders-per-customer\".\"order-ids\""
                    + " WHERE state_key = 4 ORDER BY list_index"))
        .isEqualTo(ids);
    assertThat(
            rows(
                connection,
                "SELECT map_key, f0, f1 FROM \"orders-per-customer\".\"latest-per-day\""
                    + " WHERE state_key = 700"))
        .containsExactly("2020-01-01, 9, gift");
    assertThat(
            rows(
                connection,
                "SELECT state_key, map_key, map_value FROM \"page-visits\".\"visits-per-page\""
                    + " WHERE map_key = '/gift' OR state_key IN ('dora', 'eve')"
                    + " AND map_key = '/coffee' ORDER BY 1, 2"))
        .containsExactly(
            "dora, /coffee, " + (coffees(AFTER, "dora") - coffees(BEFORE, "dora") + 100),
            "eve, /coffee, " + (coffees(AFTER, "eve") + 100),
            "eve, /gift, 6",
            "newcomer 新, /gift, 7");
    assertThat(
            rows(
                connection,
                "SELECT state_value FROM stock.\"sold-units\""
                    + " WHERE state_key = 'tea' AND namespace = 'north'"))
        .containsExactly(
            ""
                + (number(
                        AFTER,
                        "stock/sold-units",
                        Map.of("state_key", "tea", "namespace", "north"),
                        "state_value")
                    + 1000));
  }

  /** Of 1090, 1093 and 5000, timers would be due by now. */
  private static void assertTimersAreAsEdited(Connection connection) throws SQLException {
    assertThat(
            rows(
                connection,
                "SELECT state_key FROM \"order-timeouts\".\"expired-at\""
                    + " WHERE state_key IN (1090, 1093, 5000, 5001) ORDER BY 1"))
        .containsExactly("1090", "5000");
    assertThat(
            rows(
                connection,
                "SELECT state_key FROM \"order-timeouts\".\"pending-order\""
                    + " WHERE state_key <= 1093"))
        .containsExactly("1093");
    assertThat(
            rows(
                connection,
                "SELECT state_key, timer_timestamp FROM \"order-timeouts\".timers"
                    + " WHERE state_key IN (1090, 1093, 5000, 5001)"))
        .containsExactly("5001, 4102444800000");
  }

  private static void assertOperatorStateIsAsEdited(Connection connection) throws SQLException {
    assertThat(rows(connection, "SELECT * FROM \"fraud-detector\".\"active-rules\" ORDER BY 1"))
        .containsExactly("1, true", "2, true", "3, true", "4, true", "7, true");
    assertThat(
            rows(connection, "SELECT f0, f1 FROM \"order-intake\".\"latest-orders\" WHERE f0 > 1"))
        .containsExactly("7, 8");
    assertThat(
            rows(
                connection,
                "SELECT lane, orders FROM \"order-intake\".\"lane-progress\" ORDER BY 1"))
        .containsExactly("0, " + ordersOfLane(0), "1, " + (ordersOfLane(1) + 1000), "5, 50");
  }

  private static void assertCustomersAreAsEdited(Connection connection) throws SQLException {
    assertThat(rows(connection, "SELECT orders FROM customers.profile WHERE state_key = 'eve'"))
        .containsExactly(
            "" + (number(AFTER, "customers/profile", Map.of("state_key", "eve"), "orders") + 1000));
    assertThat(
            rows(
                connection,
                "SELECT map_key, map_value FROM customers.notes WHERE state_key = 'newcomer 新'"))
        .containsExactly("2020-01-01, a");
  }

  private static long count(int orders, long customer) {
    return number(
        orders, "orders-per-customer/order-count", Map.of("state_key", customer), "state_value");
  }

  private static long coffees(int orders, String customer) {
    return number(
        orders,
        "page-visits/visits-per-page",
        Map.of("state_key", customer, "map_key", "/coffee"),
        "map_value");
  }

  private static long ordersOfLane(int lane) {
    return number(AFTER, "order-intake/lane-progress", Map.of("lane", lane), "orders");
  }

  private static List<String> orderIds(int orders, long customer) {
    return implied(orders, "orders-per-customer/order-ids", Map.of("state_key", customer)).stream()
        .map(row -> row.get("list_value").toString())
        .toList();
  }

  private static long number(int orders, String table, Map<String, ?> key, String column) {
    List<Map<String, Object>> rows = implied(orders, table, key);
    assertThat(rows).as("%s %s", table, key).hasSize(1);
    return ((Number) rows.get(0).get(column)).longValue();
  }

  /** The rows of a key that the input alone implies. */
  private static List<Map<String, Object>> implied(int orders, String table, Map<String, ?> key) {
    return OrdersExpectation.of(orders, 2).tables().get(table).stream()
        .filter(row -> row.entrySet().containsAll(key.entrySet()))
        .toList();
  }
}
