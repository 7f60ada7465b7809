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

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a statement returns.
 *
 * @param rows a value for each column, as the reader of the values gave it
 */
record QueryResult(List<Column> columns, List<List<Object>> rows) {

  /**
   * @param type of {@link java.sql.Types}
   */
  record Column(String label, int type, String typeName) {}

  /** Reads one value of the current row. */
  @FunctionalInterface
  interface ValueReader {
    Object read(ResultSet results, int column) throws SQLException;
  }

  static Connection connect(Object snapshot, String... properties) throws SQLException {
    String url = "jdbc:statesql:snapshot='" + snapshot.toString().replace("'", "''") + "'";
    return DriverManager.getConnection(String.join(";", url, String.join(";", properties)));
  }

  static QueryResult of(Connection connection, String sql, ValueReader reader) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      List<Column> columns = columns(results.getMetaData());
      List<List<Object>> rows = new ArrayList<>();
      while (results.next()) {
        List<Object> row = new ArrayList<>();
        for (int column = 1; column <= columns.size(); column++) {
          row.add(reader.read(results, column));
        }
        rows.add(row);
      }
      return new QueryResult(columns, rows);
    }
  }

  private static List<Column> columns(ResultSetMetaData metaData) throws SQLException {
    List<Column> columns = new ArrayList<>();
    for (int i = 1; i <= metaData.getColumnCount(); i++) {
      columns.add(
          new Column(
              metaData.getColumnLabel(i),
              metaData.getColumnType(i),
              metaData.getColumnTypeName(i)));
    }
    return columns;
  }

  /** An identifier in double quotes. */
  static String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
