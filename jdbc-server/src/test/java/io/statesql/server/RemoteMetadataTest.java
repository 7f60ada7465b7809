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

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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
    Properties properties = new Properties();
    properties.setProperty("snapshot", RunningServer.ORDERS.toString());
    try (Connection here = DriverManager.getConnection("jdbc:statesql:", properties);
        Connection there = server.connect(serialization)) {
      for (Question question : questions) {
        assertThat(RunningServer.rows(question.ask(there.getMetaData())))
            .isEqualTo(RunningServer.rows(question.ask(here.getMetaData())));
      }
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
