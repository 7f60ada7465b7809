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
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * Edits the orders job's state of many kinds, in two transactions.
 *
 * @param ofCustomersToo the operator {@code customers}, which the heap backend's own form cannot be
 *     read of without the job's classes
 */
record OrdersRepair(boolean ofCustomersToo) {
  private static final String REPAIR =
      """
      UPDATE "orders-per-customer"."order-count" SET state_value = state_value + 1000
        WHERE state_key = 1;
      UPDATE "orders-per-customer"."order-statistics" SET f0 = f0 + 1000 WHERE state_key = 1;
      INSERT INTO "orders-per-customer"."order-count" VALUES (700, 5);
      INSERT INTO "orders-per-customer"."order-ids" (state_key, list_value) VALUES (4, 4242);
      INSERT INTO "orders-per-customer"."latest-per-day" (state_key, map_key, f0, f1)
        VALUES (700, DATE '2020-01-01', 9, 'gift');
      DELETE FROM "orders-per-customer".keyed_state WHERE state_key IN (2, 3);
      UPDATE "page-visits"."visits-per-page" SET map_value = map_value + 100
        WHERE state_key = 'eve' AND map_key = '/coffee';
      INSERT INTO "page-visits"."visits-per-page" (state_key, map_key, map_value)
        VALUES ('eve', '/gift', 6), ('newcomer 新', '/gift', 7);
      DELETE FROM "page-visits".keyed_state WHERE state_key = 'dora';
      UPDATE stock."sold-units" SET state_value = state_value + 1000
        WHERE state_key = 'tea' AND namespace = 'north';
      INSERT INTO "order-timeouts".timers (state_key, time_domain, timer_timestamp)
        VALUES (5000, 'EVENT', 1772325600000), (5001, 'EVENT', 4102444800000);
      DELETE FROM "order-timeouts".timers WHERE state_key = 1093;
      DELETE FROM "fraud-detector"."active-rules" WHERE map_key = 0;
      UPDATE "fraud-detector"."active-rules" SET map_value = TRUE WHERE map_key = 2;
      INSERT INTO "fraud-detector"."active-rules" VALUES (7, TRUE);
      INSERT INTO "order-intake"."latest-orders" (subtask, f0, f1) VALUES (1, 7, 8);
      UPDATE "order-intake"."lane-progress" SET orders = orders + 1000 WHERE lane = 1;
      INSERT INTO "order-intake"."lane-progress" (subtask, lane, orders) VALUES (0, 5, 50)""";

  /** Edits what was edited before. The job gets orders of these keys, so it has to find them. */
  private static final String SECOND_REPAIR =
      """
      INSERT INTO "orders-per-customer"."order-count" VALUES (3, 1000);
      INSERT INTO "page-visits"."visits-per-page" (state_key, map_key, map_value)
        VALUES ('dora', '/coffee', 100)""";

  /** Of an operator that the heap backend's own form cannot be read of without its classes. */
  private static final String REPAIR_OF_CUSTOMERS =
      """
      UPDATE customers.profile SET orders = orders + 1000 WHERE state_key = 'eve';
      INSERT INTO customers.notes VALUES ('newcomer 新', DATE '2020-01-01', 'a')""";

  /** The tables that the edits show in. */
  static final Set<String> EDITED =
      Set.of(
          "orders-per-customer/order-count",
          "orders-per-customer/order-ids",
          "orders-per-customer/latest-per-day",
          "orders-per-customer/largest-order",
          "orders-per-customer/order-statistics",
          "orders-per-customer/keyed_state",
          "page-visits/last-page",
          "page-visits/pages",
          "page-visits/visits-per-page",
          "page-visits/keyed_state",
          "stock/sold-units",
          "stock/keyed_state",
          "order-timeouts/pending-order",
          "order-timeouts/expired-at",
          "order-timeouts/timers",
          "order-timeouts/keyed_state",
          "fraud-detector/active-rules",
          "order-intake/latest-orders",
          "order-intake/lane-progress");

  static final Set<String> EDITED_OF_CUSTOMERS =
      Set.of("customers/profile", "customers/notes", "customers/keyed_state");

  /** The savepoint that it makes in a folder, at another place than it was written to. */
  Path of(OrdersSnapshot snapshot, Path folder) throws IOException, SQLException {
    Path written;
    try (Connection connection =
        QueryResult.connect(snapshot.folder(), "commitTo=" + folder.resolve("written"))) {
      connection.setAutoCommit(false);
      run(connection, REPAIR);
      if (ofCustomersToo) {
        run(connection, REPAIR_OF_CUSTOMERS);
      }
      connection.commit();
      run(connection, SECOND_REPAIR);
      connection.commit();
      written = Path.of(rows(connection, "SELECT savepoint FROM sys.commits").get(0));
    }
    return Files.move(written, folder.resolve("moved"));
  }

  private static void run(Connection connection, String script) throws SQLException {
    for (String sql : script.split(";", 0)) {
      try (Statement statement = connection.createStatement()) {
        assertThat(statement.executeLargeUpdate(sql)).as(sql).isPositive();
      }
    }
  }
}
