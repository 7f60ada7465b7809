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
package io.statesql.acceptance.fuzz;

import io.statesql.acceptance.fuzz.Trial.Run;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBConnection;

/** The connections of one thread. */
final class Engines implements AutoCloseable {
  /** Far more than any statement needs, so that one that hangs is told with its text. */
  private static final int SECONDS = 120;

  private final Connection stateSql;
  private final Connection severalThreads;
  private final Connection duckDb;

  private Engines(Connection stateSql, Connection severalThreads, Connection duckDb) {
    this.stateSql = stateSql;
    this.severalThreads = severalThreads;
    this.duckDb = duckDb;
  }

  /**
   * @param duckDb has the tables
   */
  static Engines open(Path sample, Path odd, Connection duckDb) throws SQLException {
    return new Engines(
        stateSql(sample, odd, 1),
        stateSql(sample, odd, 4),
        duckDb.unwrap(DuckDBConnection.class).duplicate());
  }

  static Connection stateSql(Path sample, Path odd, int parallelism) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot='orders=%s,odd=%s';parallelism=%d"
            .formatted(sample, odd, parallelism));
  }

  /** A database without tables that means what {@link Dialect} takes it to mean. */
  static Connection duckDb() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute("SET order_by_non_integer_literal = true");
      statement.execute("ATTACH ':memory:' AS orders");
      statement.execute("ATTACH ':memory:' AS odd");
    }
    return connection;
  }

  List<List<Object>> stateSql(Run run) throws SQLException {
    return switch (run.way()) {
      case STATEMENT -> rows(stateSql, run.sql().stateSql());
      case SEVERAL_THREADS -> rows(severalThreads, run.sql().stateSql());
      case PREPARED -> {
        List<Object> values = new ArrayList<>();
        yield prepared(run.sql().prepared(values), values, 1);
      }
      case PREPARED_TWICE -> prepared(run.sql().stateSql(), List.of(), 2);
    };
  }

  List<List<Object>> duckDb(Run run) throws SQLException {
    return rows(duckDb, run.sql().duckDb());
  }

  private static List<List<Object>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(SECONDS);
      try (ResultSet results = statement.executeQuery(sql)) {
        return Rows.read(results);
      }
    }
  }

  private List<List<Object>> prepared(String sql, List<Object> values, int times)
      throws SQLException {
    try (PreparedStatement statement = stateSql.prepareStatement(sql)) {
      statement.setQueryTimeout(SECONDS);
      for (int i = 0; i < values.size(); i++) {
        statement.setObject(i + 1, values.get(i));
      }
      List<List<Object>> rows = List.of();
      for (int i = 0; i < times; i++) {
        try (ResultSet results = statement.executeQuery()) {
          rows = Rows.read(results);
        }
      }
      return rows;
    }
  }

  @Override
  public void close() throws SQLException {
    try (stateSql;
        severalThreads;
        duckDb) {
      // Closing them is all.
    }
  }
}
