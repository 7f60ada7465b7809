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
package io.statesql.plan;

import io.statesql.StateSqlAssert;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plans and rows over the sample snapshot that ships with the project. */
class StateScanTest {
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection =
        DriverManager.getConnection(
            "jdbc:statesql:snapshot=" + Path.of("../sql-examples/snapshots/orders"));
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void readsOnlyTheColumnsUsed() throws SQLException {
    sql("SELECT upper(state_value) FROM customers.\"last-channel\" WHERE state_key = 'ada'")
        .explainContains("StateScan(table=[[orders, customers, last-channel]]")
        .explainContains("fields=[[state_key, state_value]]")
        .returns("STORE");
  }

  @Test
  void rowsAreCountedWithoutBeingHandedOver() throws SQLException {
    sql("SELECT count(*) FROM customers.profile")
        .explainContains(
            "StateCount(table=[[orders, customers, profile]], access=[full], splits=[2])")
        .returns("12");
    sql("SELECT count(*) + 1 FROM customers.profile HAVING count(*) > 11")
        .explainContains("StateCount")
        .returns("13");
    sql("SELECT p.n, o.n FROM (SELECT count(*) AS n FROM customers.profile) AS p,"
            + " (SELECT count(state_key) AS n FROM customers.notes) AS o")
        .returns("12, 24");
    sql("SELECT count(*) FROM customers.profile WHERE state_key = 'ada'").returns("1");
    sql("SELECT count(*), max(tier) FROM customers.profile").returns("12, SILVER");
  }

  @Test
  void rowsWithoutValuesReadTheKeyGroupAlone() throws SQLException {
    sql("SELECT count(*) FROM (SELECT 1 FROM customers.profile LIMIT 7)")
        .explainContains("fields=[[key_group]]")
        .returns("7");
  }

  @Test
  void theFirstColumnReadIsNotTakenForTheKey() throws SQLException {
    sql("SELECT DISTINCT tier FROM customers.profile")
        .explainContains("fields=[[tier]]")
        .returnsUnordered("GOLD", "SILVER", "null");
  }

  @Test
  void oneColumnCanBeSortedGroupedAndJoined() throws SQLException {
    sql("SELECT tier FROM customers.profile ORDER BY tier NULLS LAST LIMIT 1").returns("GOLD");
    sql("SELECT tier, count(*) FROM customers.profile GROUP BY tier HAVING tier = 'GOLD'")
        .returns("GOLD, 2");
    sql("SELECT count(*) FROM (SELECT state_key FROM customers.profile) AS a JOIN"
            + " (SELECT state_key FROM customers.notes) AS b USING (state_key)")
        .returns("24");
  }

  /** Sorting all rows of a large state to show the first few takes memory for all of them. */
  @Test
  void theFirstRowsOfAnOrderAreKeptAlone() throws SQLException {
    sql("SELECT state_key FROM customers.profile ORDER BY state_key LIMIT 2 OFFSET 1")
        .explainContains("EnumerableLimitSort(sort0=[$0], dir0=[ASC], offset=[1], fetch=[2])")
        .returns("François", "Zoë");
    sql("SELECT state_key FROM customers.profile ORDER BY state_key LIMIT 0").returnsCount(0);
    sql("SELECT state_key FROM customers.profile ORDER BY state_key OFFSET 11").returnsCount(1);
    sql("SELECT state_key FROM customers.profile ORDER BY state_key LIMIT 5 OFFSET 12")
        .returnsCount(0);
    sql("SELECT state_key FROM customers.profile ORDER BY tier NULLS LAST LIMIT 12")
        .returnsCount(12);
  }

  private StateSqlAssert.Query sql(String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }
}
