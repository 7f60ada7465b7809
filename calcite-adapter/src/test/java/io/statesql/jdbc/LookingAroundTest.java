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
package io.statesql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code SHOW}, {@code DESCRIBE} and {@code USE} tell and move where a connection looks. */
class LookingAroundTest {
  private static final Path SAMPLE = Path.of("..", "sql-examples", "snapshots", "orders");

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = StateSqlAssert.connect(ToyCatalogs::open, "snapshot=/toy");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private StateSqlAssert.Query sql(String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }

  @Test
  void catalogsAndSchemasAreListed() throws SQLException {
    sql("SHOW CATALOGS").returns("other-shop", "shop");
    sql("SHOW CATALOGS LIKE 'other%'").returns("other-shop");
    sql("SHOW SCHEMAS").returns("My-Uid", "a.b \"c\"", "my-uid", "orders", "other-shop", "sys");
    sql("show databases like '%uid'").returns("my-uid");
    sql("SHOW SCHEMAS FROM \"other-shop\"").returns("far", "orders", "sys");
    sql("SHOW SCHEMAS FROM shops")
        .throwsSql(
            "3D000", "Line 1, column 19", "Unknown catalog \"shops\"; did you mean \"shop\"");
  }

  @Test
  void tablesAreThoseOfAllOperatorsOrOfOneSchema() throws SQLException {
    sql("SHOW TABLES FROM \"my-uid\"").returns("my-uid, keyed_state, null");
    sql("SHOW TABLES IN \"other-shop\".orders").returns("orders, keyed_state, null");
    sql("SHOW TABLES LIKE 'keyed%'")
        .returnsUnordered(
            "My-Uid, keyed_state, null", "my-uid, keyed_state, null", "orders, keyed_state, null");
    sql("SHOW TABLES FROM \"other-shop\" -- a schema of this catalog before a catalog")
        .returns("other-shop, t, null");
    sql("SHOW TABLES FROM sys LIKE 'o%'").returns("sys, operators, null");
    sql("SHOW TABLES FROM order").throwsSql("42000", "order");
    sql("SHOW TABLES FROM \"orderz\"")
        .throwsSql("3F000", "Line 1, column 18", "Unknown schema", "did you mean \"orders\"");
    sql("SHOW TABLES FROM a.b.c").throwsSql("42000", "no name of a schema");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DESCRIBE orders.keyed_state",
        "describe table orders.keyed_state;",
        "DESC orders.keyed_state",
        "/* of the toy */ SHOW COLUMNS FROM shop.orders.keyed_state",
        "SHOW COLUMNS IN orders.keyed_state LIKE '%'"
      })
  void columnsAreThoseOfTheTable(String statement) throws SQLException {
    sql(statement)
        .returns(
            "state_key, VARCHAR, true, null, null",
            "value, INTEGER, true, null, null",
            "count, BIGINT, true, null, null",
            "user, VARCHAR, true, null, null",
            "key_group, INTEGER, true, null, null");
  }

  @Test
  void unknownTablesAreErrorsAndNotEmpty() throws SQLException {
    sql("DESCRIBE orders.keyed_stat")
        .throwsSql("42S02", "Line 1, column 10", "did you mean \"keyed_state\"");
    sql("SHOW COLUMNS FROM nosuch").throwsSql("42S02", "Line 1, column 19", "unknown table");
    sql("DESCRIBE orders.keyed_state \"count\"").returns("count, BIGINT, true, null, null");
    sql("SHOW FUNCTIONS").throwsSql("42000", "Line 1, column");
  }

  @Test
  void useMovesTheConnection() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("USE orders")).isZero();
      assertThat(connection.getSchema()).isEqualTo("orders");
      sql("SELECT COUNT(*) FROM keyed_state").returns("3");
      sql("SHOW TABLES LIKE 'k%'").returns("orders, keyed_state, null");

      statement.execute("USE CATALOG \"other-shop\"");
      assertThat(connection.getCatalog()).isEqualTo("other-shop");
      assertThat(connection.getSchema()).isNull();
      sql("DESCRIBE far.t").returnsCount(1);

      statement.execute("USE shop.\"my-uid\"");
      assertThat(connection.getCatalog() + "." + connection.getSchema()).isEqualTo("shop.my-uid");

      statement.execute("USE SCHEMA orders");
      assertThat(connection.getSchema()).isEqualTo("orders");
    }
    sql("USE nowhere").throwsSql("3F000", "Line 1, column 5", "Unknown schema \"nowhere\"");
    assertThat(connection.getSchema()).isEqualTo("orders");
  }

  @Test
  void theirWordsAreNamesElsewhere() throws SQLException {
    sql("SELECT tables.columns FROM (VALUES (1)) AS tables (columns)").returns("1");
    sql("SELECT schemas, catalogs, use FROM (VALUES (1, 2, 3)) AS databases (schemas, catalogs, use)")
        .returns("1, 2, 3");
  }

  @Test
  void aPreparedListingShowsWhatThereIsNow() throws SQLException {
    try (Connection sample = DriverManager.getConnection("jdbc:statesql:snapshot=" + SAMPLE);
        PreparedStatement show = sample.prepareStatement("SHOW SCHEMAS LIKE 'cust%'")) {
      sample.setAutoCommit(false);
      assertThat(firstOf(show)).isEqualTo("customers");
      try (Statement statement = sample.createStatement()) {
        statement.execute("DROP SCHEMA customers");
      }
      assertThat(firstOf(show)).isEqualTo("customers-sink");
      sample.rollback();
      assertThat(firstOf(show)).isEqualTo("customers");
    }
  }

  @Test
  void tablesOfStateTellTheirTypesAndWhatTheyHold() throws SQLException {
    try (Connection sample = DriverManager.getConnection("jdbc:statesql:snapshot=" + SAMPLE)) {
      StateSqlAssert.on(sample)
          .sql("SHOW COLUMNS FROM customers.keyed_state LIKE '%-%-%'")
          .returnsUnordered(
              "first-order-date, DATE, true, false, State first-order-date",
              "last-order-time, TIMESTAMP(3), true, false, State last-order-time",
              "last-order-time_nanos, INTEGER, true, false, "
                  + "Nanoseconds below the milliseconds of state last-order-time",
              "spend-per-product, MAP(VARCHAR, DECIMAL), true, false, "
                  + "All entries of state spend-per-product");
      StateSqlAssert.on(sample)
          .sql("DESCRIBE customers.keyed_state \"state_key\"")
          .returns("state_key, VARCHAR, true, true, Key of the state");
      StateSqlAssert.on(sample)
          .sql("SHOW COLUMNS FROM customers.\"last-seen\" LIKE 'state_value%'")
          .returns(
              "state_value, TIMESTAMP(3), true, false, Value of the state",
              "state_value_nanos, INTEGER, true, false, "
                  + "Nanoseconds below the milliseconds of the value of the state");
      StateSqlAssert.on(sample)
          .sql("SHOW TABLES FROM customers LIKE 'timers'")
          .returns("customers, timers, Timers of the operator: a row for each");
    }
  }

  private static String firstOf(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getString(1) : "nothing";
    }
  }
}
