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

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.examples.orders.expect.OrdersExpectation;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What SQL shows of the orders job's savepoints is what the job's input implies: every value of
 * every table of every operator, whichever backend wrote it, compressed or not.
 */
class OrdersExpectationTest {

  /**
   * Tables as {@code uid/table}, or columns of one as {@code uid/table.column}, that are not shown
   * as the job has them: {@link PaymentsTable} compares these.
   */
  private static final Set<String> NOT_YET_READ =
      Set.of(
          // a subclass whose serializer the snapshot lacks: its fields show as bytes
          "customers/last-payment", "customers/keyed_state.last-payment");

  @Test
  void theClassPathHoldsNothingOfTheJob() {
    for (String name : List.of("OrdersJob", "Order", "Customer", "CustomerProfiles")) {
      for (String part : List.of("job", "model", "source")) {
        assertThatThrownBy(() -> Class.forName("io.statesql.examples.orders." + part + "." + name))
            .isInstanceOf(ClassNotFoundException.class);
      }
    }
  }

  @Test
  void theSampleHoldsWhatItsInputImplies() throws SQLException {
    assertHoldsWhatItsInputImplies(OrdersSnapshot.COMMITTED, Set.of());
  }

  @ParameterizedTest
  @CsvSource({
    "hashmap, true, 100, 2, 300",
    "rocksdb, false, 130, 2, 128",
    "rocksdb, true, 100, 3, 300",
  })
  void everyCanonicalSavepointHoldsWhatItsInputImplies(
      String backend, boolean compressed, int orders, int parallelism, int maxParallelism)
      throws IOException, InterruptedException, SQLException {
    assertHoldsWhatItsInputImplies(
        OrdersSnapshot.of(
            new OrdersSnapshot.Run(backend, compressed, orders, parallelism, maxParallelism)),
        Set.of());
  }

  /**
   * Compares all tables.
   *
   * @param leftOut tables as {@code uid/table} whose rows are not looked at
   */
  static void assertHoldsWhatItsInputImplies(OrdersSnapshot snapshot, Set<String> leftOut)
      throws SQLException {
    Map<String, List<Map<String, Object>>> expected =
        OrdersExpectation.of(snapshot.orders(), snapshot.parallelism()).tables();
    SoftAssertions softly = new SoftAssertions();
    try (Connection connection = QueryResult.connect(snapshot.folder(), "composites=json")) {
      softly.assertThat(known(tables(connection))).isEqualTo(known(expected.keySet()));
      Set<String> compared = known(expected.keySet());
      compared.removeAll(leftOut);
      for (String table : compared) {
        OrdersTable rows = new OrdersTable(snapshot, table, expected.get(table), NOT_YET_READ);
        try {
          softly
              .assertThat(rows.stored(connection))
              .as(table)
              .containsExactlyInAnyOrderElementsOf(rows.expected());
        } catch (SQLException | AssertionError e) {
          softly.fail(table + ": " + e.getMessage(), e);
        }
      }
      if (!leftOut.contains("customers/last-payment")) {
        new PaymentsTable(connection, "last-payment", "")
            .assertHolds(expected.get("customers/last-payment"));
      }
      if (!leftOut.contains("customers/keyed_state")) {
        new PaymentsTable(connection, "keyed_state", "last-payment_")
            .assertHolds(expected.get("customers/keyed_state"));
      }
    }
    softly.assertAll();
  }

  private static Set<String> known(Set<String> tables) {
    Set<String> known = new TreeSet<>(tables);
    known.removeAll(NOT_YET_READ);
    return known;
  }

  /** The tables of all operators, as {@code uid/table}. */
  private static Set<String> tables(Connection connection) throws SQLException {
    Set<String> tables = new TreeSet<>();
    try (ResultSet results = connection.getMetaData().getTables(null, null, null, null)) {
      while (results.next()) {
        if (!results.getString("TABLE_SCHEM").equals("sys")) {
          tables.add(results.getString("TABLE_SCHEM") + "/" + results.getString("TABLE_NAME"));
        }
      }
    }
    return tables;
  }
}
