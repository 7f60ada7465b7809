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
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What embedded JDBC gives, the server gives, in both serializations. */
class RemoteConnectionTest {
  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = RunningServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Connection embedded() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("snapshot", RunningServer.ORDERS.toString());
    properties.setProperty("composites", "json");
    return DriverManager.getConnection("jdbc:statesql:", properties);
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void everyCellOfEveryTableIsThatOfTheEmbeddedDriver(String serialization) throws SQLException {
    Set<Integer> types = new TreeSet<>();
    try (Connection here = embedded();
        Connection there = server.connect(serialization);
        ResultSet tables = here.getMetaData().getTables(null, null, "%", null)) {
      int count = 0;
      while (tables.next()) {
        String schema = tables.getString("TABLE_SCHEM");
        if (schema.equals("sys")) {
          continue;
        }
        String table = "\"%s\".\"%s\"".formatted(schema, tables.getString("TABLE_NAME"));
        String sql = "SELECT %s FROM %s".formatted(columns(here, table, serialization), table);
        assertThat(cells(there, sql, types)).as(sql).isEqualTo(cells(here, sql, types));
        count++;
      }
      assertThat(count).isGreaterThan(40);
    }
    assertThat(types)
        .contains(Types.BIGINT, Types.VARCHAR, Types.TIMESTAMP, Types.DECIMAL, Types.VARBINARY)
        .doesNotContain(Types.ARRAY, Types.STRUCT, Types.JAVA_OBJECT, Types.OTHER);
  }

  /** All columns, as text where the sample holds what clients cannot show or JSON not carry. */
  private static String columns(Connection connection, String table, String serialization)
      throws SQLException {
    List<String> columns = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM " + table)) {
      ResultSetMetaData all = statement.getMetaData();
      for (int i = 1; i <= all.getColumnCount(); i++) {
        String column = '"' + all.getColumnName(i) + '"';
        boolean isText =
            all.getColumnName(i).endsWith("since")
                || (serialization.equals("json") && all.getColumnType(i) == Types.DOUBLE);
        columns.add(isText ? "CAST(%1$s AS VARCHAR) AS %1$s".formatted(column) : column);
      }
    }
    return String.join(", ", columns);
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void yearThatClientsShowWronglyIsAnErrorOfItsCellAlone(String serialization) throws SQLException {
    String sql =
        """
        SELECT state_key, profile_since, CAST(profile_since AS TIMESTAMP(3)) AS moment,
          CAST(profile_since AS VARCHAR) AS text
        FROM customers.keyed_state""";
    int beyond = 0;
    try (Connection connection = server.connect(serialization);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        assertThat(rows.getString("state_key")).isNotNull();
        String since = rows.getString("text");
        if (since != null && since.startsWith("12026")) {
          beyond++;
          for (String column : List.of("profile_since", "moment")) {
            assertThat(catchThrowable(() -> rows.getString(column))).isNotNull();
            assertThat(catchThrowable(() -> rows.getObject(column))).isNotNull();
            assertThat(catchThrowable(() -> rows.getDate(column))).isNotNull();
            assertThat(catchThrowable(() -> rows.getTimestamp(column))).isNotNull();
          }
        } else {
          assertThat(rows.getString("profile_since")).isEqualTo(since);
          assertThat(rows.getString("moment"))
              .isEqualTo(since == null ? null : since + " 00:00:00.000");
        }
      }
    }
    assertThat(beyond).isPositive();
  }

  @Test
  void notANumberIsAnErrorInJsonAlone() throws SQLException {
    String sql = "VALUES CAST('NaN' AS DOUBLE)";
    try (Connection protobuf = server.connect("protobuf");
        Connection json = server.connect("json")) {
      assertThat(RunningServer.rows(protobuf, sql)).containsExactly(List.of("NaN"));
      SQLException refused =
          catchThrowableOfType(SQLException.class, () -> RunningServer.rows(json, sql));
      assertThat(refused.getSQLState()).isEqualTo("22018");
      assertThat((Throwable) refused).hasMessageContaining("serialization=protobuf");
    }
  }

  /** Each cell in a form that the two drivers must share. */
  private static List<List<Object>> cells(Connection connection, String sql, Set<Integer> types)
      throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData columns = result.getMetaData();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          int type = columns.getColumnType(i);
          types.add(type);
          row.add(columns.getColumnName(i) + " " + type);
          row.add(
              switch (type) {
                case Types.TIMESTAMP -> result.getTimestamp(i);
                case Types.VARBINARY -> hex(result.getBytes(i));
                case Types.DECIMAL -> result.getBigDecimal(i);
                case Types.DOUBLE -> result.getDouble(i);
                case Types.REAL -> result.getFloat(i);
                default -> result.getString(i);
              });
          row.add(result.wasNull());
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static String hex(byte[] bytes) {
    return bytes == null ? null : HexFormat.of().formatHex(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void compositesAreJsonText(String serialization) throws SQLException {
    try (Connection connection = server.connect(serialization)) {
      String sql =
          "SELECT \"order-ids\", \"latest-per-day\" FROM \"orders-per-customer\".keyed_state"
              + " WHERE state_key = 2";

      assertThat(RunningServer.rows(connection, sql))
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row.get(0)).isEqualTo("[1002,1019,1024,1041,1058,1063,1080,1085]");
                assertThat(row.get(1)).startsWith("{\"2026-02-28\":{\"f0\":1063,");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void literalsOfEveryTypeArrive(String serialization) throws SQLException {
    String sql =
        "VALUES (CAST(NULL AS VARCHAR), '', 'Zoë', DATE '1815-12-10', TIME '23:59:59',"
            + " TIMESTAMP '2026-03-29 02:30:00.125', X'00ff', 1.50, TRUE, CAST(-1 AS TINYINT),"
            + " CAST(1.5 AS DOUBLE), 9223372036854775807)";
    try (Connection connection = server.connect(serialization);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertThat(result.next()).isTrue();
      assertThat(result.getString(1)).isNull();
      assertThat(result.getString(2)).isEmpty();
      assertThat(result.getString(3)).isEqualTo("Zoë");
      assertThat(result.getString(4)).isEqualTo("1815-12-10");
      assertThat(result.getString(5)).isEqualTo("23:59:59");
      assertThat(result.getString(6)).isEqualTo("2026-03-29 02:30:00.125");
      assertThat(result.getLong(6)).isEqualTo(1774751400125L);
      assertThat(result.getBytes(7)).containsExactly(0, 255);
      assertThat(result.getBigDecimal(8)).isEqualTo("1.50");
      assertThat(result.getBoolean(9)).isTrue();
      assertThat(result.getByte(10)).isEqualTo((byte) -1);
      assertThat(result.getDouble(11)).isEqualTo(1.5);
      assertThat(result.getLong(12)).isEqualTo(Long.MAX_VALUE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void computedTimestampsHaveMillisecondsAsStoredOnesHave(String serialization)
      throws SQLException {
    String sql =
        "SELECT t, FLOOR(t TO HOUR), t + INTERVAL '1' SECOND"
            + " FROM (VALUES TIMESTAMP '2026-03-29 02:30:00') AS v (t)";
    try (Connection connection = server.connect(serialization);
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet result = statement.executeQuery()) {
      assertThat(result.next()).isTrue();
      assertThat(result.getString(1)).isEqualTo("2026-03-29 02:30:00.000");
      assertThat(result.getString(2)).isEqualTo("2026-03-29 02:00:00.000");
      assertThat(result.getString(3)).isEqualTo("2026-03-29 02:30:01.000");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void preparedStatementsRunAgainAndAgain(String serialization) throws SQLException {
    try (Connection connection = server.connect(serialization);
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT \"order-count\" FROM \"orders-per-customer\".keyed_state"
                    + " WHERE state_key = ?")) {
      for (long[] keyAndCount : new long[][] {{0, 8}, {3, 9}, {0, 8}}) {
        statement.setLong(1, keyAndCount[0]);
        try (ResultSet result = statement.executeQuery()) {
          assertThat(result.next()).isTrue();
          assertThat(result.getLong(1)).isEqualTo(keyAndCount[1]);
          assertThat(result.next()).isFalse();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void resultOfManyPagesIsWhole(String serialization) throws SQLException {
    String digits = "(VALUES 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)";
    String sql =
        "SELECT a.n * 100 + b.n * 10 + c.n FROM %1$s AS a (n), %1$s AS b (n), %1$s AS c (n)"
            .formatted(digits);
    for (int fetchSize : new int[] {0, 1, 7, 5000}) {
      try (Connection connection = server.connect(serialization);
          Statement statement = connection.createStatement()) {
        statement.setFetchSize(fetchSize);
        int[] seen = new int[1000];
        try (ResultSet result = statement.executeQuery(sql)) {
          while (result.next()) {
            seen[result.getInt(1)]++;
          }
        }
        assertThat(seen).containsOnly(1);
      }
    }
  }

  @Test
  void maxRowsIsKept() throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.setMaxRows(3);
      try (ResultSet result =
          statement.executeQuery("SELECT state_key FROM customers.keyed_state")) {
        assertThat(RunningServer.rows(result)).hasSize(3);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void messageAndSqlStateReachTheClient(String serialization) throws SQLException {
    try (Connection connection = server.connect(serialization)) {
      SQLException unknown =
          catchThrowableOfType(
              SQLException.class,
              () -> RunningServer.rows(connection, "SELECT * FROM customers.keyed_stat"));
      assertThat(unknown.getSQLState()).isEqualTo("42S02");
      assertThat((Throwable) unknown).hasMessageContaining("keyed_stat");
      SQLException prepared =
          catchThrowableOfType(
              SQLException.class, () -> connection.prepareStatement("SELECT nothing").close());
      assertThat(prepared.getSQLState()).isEqualTo("42S22");
      SQLException running =
          catchThrowableOfType(
              SQLException.class, () -> RunningServer.rows(connection, "VALUES 1 / 0"));
      assertThat(running.getSQLState()).isEqualTo("22012");
      assertThat(String.join("\n", List.of(running.toString(), unknown.toString())))
          .doesNotContain("io.statesql.", "\tat ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO customers.\"lifetime-spend\" VALUES (1)",
        "DELETE FROM customers.keyed_state",
        "DROP SCHEMA customers",
        "DROP TABLE x"
      })
  void statementsThatChangeAreRefused(String sql) throws SQLException {
    try (Connection connection = server.connect()) {
      SQLException refused =
          catchThrowableOfType(
              SQLException.class, () -> connection.createStatement().executeUpdate(sql));
      assertThat(refused.getSQLState()).isIn("25006", "0A000", "42000");
      SQLException unprepared =
          catchThrowableOfType(SQLException.class, () -> connection.prepareStatement(sql).close());
      assertThat(unprepared.getSQLState()).isEqualTo(refused.getSQLState());
      // Of a batch, Avatica's client throws the failure as it is.
      AvaticaClientRuntimeException unbatched =
          catchThrowableOfType(
              AvaticaClientRuntimeException.class,
              () -> {
                Statement statement = connection.createStatement();
                statement.addBatch(sql);
                statement.executeBatch();
              });
      assertThat(unbatched.getSqlState()).isEqualTo(refused.getSQLState());
    }
  }

  @Test
  void catalogAndSchemaAreSet() throws SQLException {
    try (Connection connection = server.connect()) {
      assertThat(connection.getCatalog()).isEqualTo("orders");
      connection.setSchema("customers");
      assertThat(connection.getSchema()).isEqualTo("customers");
      assertThat(RunningServer.rows(connection, "SELECT COUNT(*) FROM keyed_state"))
          .containsExactly(List.of("12"));
      connection.setCatalog("nowhere");
      SQLException unknown =
          catchThrowableOfType(
              SQLException.class, () -> connection.prepareStatement("VALUES 1").close());
      assertThat(unknown.getSQLState()).isEqualTo("3D000");
    }
  }
}
