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
package io.statesql.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.jdbc.OddNames;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tools ask about names, answered as by the embedded driver. */
class RemoteMetadataTest {
  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = RunningServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A question about names. */
  @FunctionalInterface
  private interface Question {
    ResultSet ask(DatabaseMetaData about) throws SQLException;
  }

  /** A tool walks from catalogs to columns, and asks much beside. */
  /** As a tool asks that offers its user the types that there are. */
  @Test
  void tablesOfAllTypesAreAllTables() throws SQLException {
    try (Connection connection = server.connect()) {
      DatabaseMetaData about = connection.getMetaData();
      String[] types =
          RunningServer.rows(about.getTableTypes()).stream()
              .map(row -> row.get(0))
              .toArray(String[]::new);

      assertThat(types).containsExactly("SYSTEM TABLE", "TABLE");
      assertThat(RunningServer.rows(about.getTables(null, null, "%", types)))
          .isEqualTo(RunningServer.rows(about.getTables(null, null, "%", null)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void namesAreListedAndMovedToInSql(String serialization) throws SQLException {
    List<String> questions =
        List.of(
            "SHOW CATALOGS",
            "SHOW SCHEMAS LIKE 'c%'",
            "SHOW TABLES",
            "DESCRIBE keyed_state",
            "SHOW COLUMNS FROM operators");
    try (Connection here = embedded();
        Connection there = server.connect(serialization);
        Statement mover = there.createStatement()) {
      assertThat(mover.executeUpdate("USE customers")).isZero();
      here.setSchema("customers");
      for (String question : questions) {
        assertThat(RunningServer.rows(there, question))
            .as(question)
            .isEqualTo(RunningServer.rows(here, question));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void toolsWalkSeesWhatTheEmbeddedDriverShows(String serialization) throws SQLException {
    List<Question> questions =
        List.of(
            DatabaseMetaData::getCatalogs,
            DatabaseMetaData::getSchemas,
            DatabaseMetaData::getTableTypes,
            DatabaseMetaData::getTypeInfo,
            about -> about.getSchemas("orders", "%"),
            about -> about.getSchemas("orders", "page\\-visits"),
            about -> about.getTables(null, null, null, null),
            about -> about.getTables("orders", "customers", "%", null),
            about -> about.getTables("orders", "s_s", "s%s", null),
            about -> about.getTables("nowhere", null, "%", null),
            about -> about.getTables(null, null, "%", new String[] {"NOTHING"}),
            about -> about.getColumns(null, null, "%", "%"),
            about -> about.getColumns("orders", "customers", "keyed\\_state", "state\\_key"));
    try (Connection here = embedded();
        Connection there = server.connect(serialization)) {
      for (Question question : questions) {
        assertThat(RunningServer.rows(question.ask(there.getMetaData())))
            .isEqualTo(RunningServer.rows(question.ask(here.getMetaData())));
      }
    }
  }

  private static Connection embedded() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("snapshot", RunningServer.ORDERS.toString());
    properties.setProperty("composites", "json");
    return DriverManager.getConnection("jdbc:statesql:", properties);
  }

  private static List<String> columns(ResultSet rows, String... names) throws SQLException {
    List<String> found = new ArrayList<>();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (String name : names) {
        row.add(rows.getString(name));
      }
      found.add(String.join(" | ", row));
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void remarksSayWhatTablesAndColumnsHold(String serialization) throws SQLException {
    try (Connection connection = server.connect(serialization)) {
      DatabaseMetaData about = connection.getMetaData();
      assertThat(
              columns(
                  about.getTables(null, "orders-per-customer", "%", null),
                  "TABLE_NAME",
                  "TABLE_TYPE",
                  "REMARKS"))
          .contains(
              "keyed_state | TABLE | States of the operator without a window: a row for each key"
                  + " that has any of them",
              "latest-per-day | TABLE | State latest-per-day, MAP: a row for each entry of the map"
                  + " of each key");
      assertThat(
              columns(
                  about.getColumns(null, "orders-per-customer", "latest-per-day", "%"),
                  "COLUMN_NAME",
                  "REMARKS"))
          .startsWith("state_key | Key of the state", "map_key | Key of the entry")
          .contains("f0 | Field f0 of the value of the entry")
          .endsWith("key_group | Key group in which Flink stores the key");
      assertThat(
              columns(
                  about.getColumns(null, "orders-per-customer", "keyed\\_state", "%"),
                  "COLUMN_NAME",
                  "TYPE_NAME",
                  "DATA_TYPE",
                  "REMARKS"))
          .contains(
              "order-count | BIGINT | -5 | State order-count",
              "order-ids | VARCHAR | 12 | All elements of state order-ids",
              "order-statistics_present | BOOLEAN | 16 | Whether the key has state"
                  + " order-statistics");
      assertThat(columns(about.getColumns(null, null, "%", "%"), "REMARKS"))
          .doesNotContain((String) null, "");
    }
  }

  @Test
  void embeddedDriverTellsPrimaryKeys() throws SQLException {
    try (Connection connection = embedded()) {
      DatabaseMetaData about = connection.getMetaData();
      assertThat(
              columns(
                  about.getPrimaryKeys(null, "orders-per-customer", "latest-per-day"),
                  "TABLE_CAT",
                  "TABLE_SCHEM",
                  "TABLE_NAME",
                  "COLUMN_NAME",
                  "KEY_SEQ"))
          .containsExactly(
              "orders | orders-per-customer | latest-per-day | map_key | 2",
              "orders | orders-per-customer | latest-per-day | state_key | 1");
      assertThat(RunningServer.rows(about.getPrimaryKeys(null, "orders_per_customer", "%")))
          .as("names are no patterns")
          .isEmpty();
      assertThat(
              RunningServer.rows(
                  connection,
                  "SELECT COUNT(*) FROM primary_keys WHERE schema_name = 'orders-per-customer'"))
          .isEqualTo(
              List.of(
                  List.of(
                      String.valueOf(
                          RunningServer.rows(
                                  about.getPrimaryKeys("orders", "orders-per-customer", null))
                              .size()))));
    }
  }

  /** As DBeaver and its kin do: all that JDBC knows of, with null, nothing or anything. */
  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void everyQuestionWithRowsHasAnAnswer(String serialization) throws Exception {
    try (Connection connection = server.connect(serialization)) {
      DatabaseMetaData about = connection.getMetaData();
      for (Method question : DatabaseMetaData.class.getMethods()) {
        if (question.getReturnType() != ResultSet.class) {
          continue;
        }
        for (String pattern : Arrays.asList(null, "", "%")) {
          Object[] arguments =
              Arrays.stream(question.getParameterTypes())
                  .map(type -> argument(type, pattern))
                  .toArray();
          try (ResultSet rows = (ResultSet) question.invoke(about, arguments)) {
            assertThat(rows.getMetaData().getColumnCount()).as(question.getName()).isPositive();
            assertThat(RunningServer.rows(rows)).as(question.getName()).doesNotContainNull();
          }
        }
      }
      assertThat(connection.isValid(1)).isTrue();
      assertThat(connection.getClientInfo()).isEmpty();
      assertThat((Throwable) connection.getWarnings()).isNull();
    }
  }

  private static Object argument(Class<?> type, String pattern) {
    if (type == int.class) {
      return 1;
    }
    if (type == boolean.class) {
      return true;
    }
    return type == String.class ? pattern : null;
  }

  /** A schema called {@code a.b "c"}, and tables called {@code t_1%} and {@code tx1}. */
  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void oddNamesAreFoundAndQuoted(String serialization) throws SQLException {
    try (RunningServer odd = RunningServer.start(new OddNames(), Map.of());
        Connection connection = odd.connect(serialization)) {
      DatabaseMetaData about = connection.getMetaData();
      assertThat(columns(about.getSchemas("shop", "a.b%"), "TABLE_SCHEM"))
          .containsExactly("a.b \"c\"");
      assertThat(columns(about.getTables("shop", "a.b \"c\"", "t\\_1\\%", null), "TABLE_NAME"))
          .containsExactly("t_1%");
      assertThat(columns(about.getTables("other-shop", "%", "%", null), "TABLE_SCHEM"))
          .contains("far");
      String quote = about.getIdentifierQuoteString();
      String schema = quote + "a.b \"c\"".replace(quote, quote + quote) + quote;
      assertThat(RunningServer.rows(connection, "SELECT * FROM " + schema + ".\"t_1%\""))
          .hasSize(1);
      connection.setSchema("a.b \"c\"");
      assertThat(RunningServer.rows(connection, "SELECT * FROM tx1")).hasSize(1);
      connection.setCatalog("other-shop");
      connection.setSchema("far");
      assertThat(RunningServer.rows(connection, "SELECT * FROM t")).hasSize(1);
      assertThat(connection.getCatalog()).isEqualTo("other-shop");
      assertThat(connection.getSchema()).isEqualTo("far");
    }
  }

  @Test
  void whatTheWireCannotAskIsEmptyAndInATable() throws SQLException {
    try (Connection connection = server.connect()) {
      DatabaseMetaData about = connection.getMetaData();
      assertThat(RunningServer.rows(about.getPrimaryKeys("orders", "customers", "keyed_state")))
          .isEmpty();
      assertThat(RunningServer.rows(about.getImportedKeys("orders", "customers", "keyed_state")))
          .isEmpty();
      assertThat(RunningServer.rows(about.getIndexInfo("orders", "customers", "x", true, true)))
          .isEmpty();
      assertThat(
              RunningServer.rows(
                  connection,
                  "SELECT column_name FROM primary_keys"
                      + " WHERE schema_name = 'customers' AND table_name = 'keyed_state'"))
          .containsExactly(List.of("state_key"));
    }
  }

  @Test
  void propertiesOfTheDatabaseAreThere() throws SQLException {
    try (Connection connection = server.connect()) {
      DatabaseMetaData about = connection.getMetaData();
      assertThat(about.isReadOnly()).isTrue();
      assertThat(about.getIdentifierQuoteString()).isEqualTo("\"");
      assertThat(about.supportsTransactions()).isFalse();
      assertThat(about.getSearchStringEscape()).isEqualTo("\\");
      assertThat(about.getSQLKeywords()).isNotNull();
    }
  }

  @Test
  void everyTableIsReadByItsNamesInTheMetadata() throws SQLException {
    try (Connection connection = server.connect()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet names = connection.getMetaData().getTables(null, null, "%", null)) {
        while (names.next()) {
          tables.add(
              "\"%s\".\"%s\".\"%s\""
                  .formatted(names.getString(1), names.getString(2), names.getString(3)));
        }
      }
      assertThat(tables).hasSizeGreaterThan(50);
      for (String table : tables.subList(0, 10)) {
        assertThat(RunningServer.rows(connection, "SELECT COUNT(*) FROM " + table))
            .as(table)
            .hasSize(1);
      }
    }
  }
}
