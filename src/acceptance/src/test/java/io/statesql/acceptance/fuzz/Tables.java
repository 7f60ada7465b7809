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

import io.statesql.acceptance.fuzz.Table.Column;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Copies the tables of snapshots to DuckDB: those columns whose types it has. */
final class Tables {
  private final Connection stateSql;
  private final Connection duckDb;

  private Tables(Connection stateSql, Connection duckDb) {
    this.stateSql = stateSql;
    this.duckDb = duckDb;
  }

  static List<Table> copy(Connection stateSql, Connection duckDb) throws SQLException {
    Tables tables = new Tables(stateSql, duckDb);
    List<Table> copies = new ArrayList<>();
    for (Map.Entry<String, List<Column>> table : tables.columns().entrySet()) {
      copies.add(tables.copy(table.getKey(), table.getValue()));
    }
    return copies;
  }

  private Map<String, List<Column>> columns() throws SQLException {
    Map<String, List<Column>> tables = new LinkedHashMap<>();
    try (ResultSet columns = stateSql.getMetaData().getColumns(null, null, "%", "%")) {
      while (columns.next()) {
        String schema = columns.getString("TABLE_SCHEM");
        Kind kind = kind(columns.getInt("DATA_TYPE"));
        if (!schema.equals("sys") && kind != null) {
          String table =
              quote(columns.getString("TABLE_CAT"))
                  + '.'
                  + quote(schema)
                  + '.'
                  + quote(columns.getString("TABLE_NAME"));
          tables
              .computeIfAbsent(table, t -> new ArrayList<>())
              .add(new Column(columns.getString("COLUMN_NAME"), kind));
        }
      }
    }
    return tables;
  }

  private static Kind kind(int type) {
    return switch (type) {
      case Types.INTEGER -> Kind.INTEGER;
      case Types.BIGINT -> Kind.BIGINT;
      case Types.DECIMAL -> Kind.DECIMAL;
      case Types.DOUBLE -> Kind.DOUBLE;
      case Types.VARCHAR -> Kind.VARCHAR;
      case Types.BOOLEAN -> Kind.BOOLEAN;
      case Types.DATE -> Kind.DATE;
      case Types.TIMESTAMP -> Kind.TIMESTAMP;
      default -> null;
    };
  }

  private static String quote(String name) {
    return '"' + name + '"';
  }

  private Table copy(String name, List<Column> columns) throws SQLException {
    List<List<Object>> rows = rows(name, columns);
    List<Integer> fitting =
        IntStream.range(0, columns.size())
            .filter(i -> rows.stream().allMatch(row -> fits(row.get(i))))
            .boxed()
            .toList();
    Table table = new Table(name, fitting.stream().map(columns::get).toList(), rows.size());
    String types =
        table.columns().stream()
            .map(column -> column.quoted() + ' ' + column.kind().duckDbType())
            .collect(Collectors.joining(", "));
    String[] path = name.substring(1, name.length() - 1).split("\"\\.\"", -1);
    try (Statement statement = duckDb.createStatement()) {
      statement.execute(
          "CREATE SCHEMA IF NOT EXISTS " + name.substring(0, name.lastIndexOf(".\"")));
      statement.execute("CREATE TABLE " + name + " (" + types + ")");
    }
    try (DuckDBAppender appender =
        duckDb.unwrap(DuckDBConnection.class).createAppender(path[0], path[1], path[2])) {
      for (List<Object> row : rows) {
        appender.beginRow();
        for (int i : fitting) {
          append(appender, columns.get(i).kind(), row.get(i));
        }
        appender.endRow();
      }
    }
    return table;
  }

  private List<List<Object>> rows(String name, List<Column> columns) throws SQLException {
    String names = columns.stream().map(Column::quoted).collect(Collectors.joining(", "));
    try (Statement statement = stateSql.createStatement();
        ResultSet results = statement.executeQuery("SELECT " + names + " FROM " + name)) {
      return Rows.read(results);
    }
  }

  /** The numbers of DuckDB have 38 digits at most. */
  private static boolean fits(Object value) {
    return !(value instanceof BigDecimal number)
        || (number.stripTrailingZeros().scale() <= 4 && number.precision() - number.scale() <= 20);
  }

  private static void append(DuckDBAppender appender, Kind kind, Object value) throws SQLException {
    if (value == null) {
      appender.appendNull();
      return;
    }
    switch (kind) {
      case INTEGER -> appender.append(((BigDecimal) value).intValueExact());
      case BIGINT -> appender.append(((BigDecimal) value).longValueExact());
      case DECIMAL -> appender.append(((BigDecimal) value).setScale(4));
      case DOUBLE -> appender.append((double) value);
      case VARCHAR -> appender.append((String) value);
      case BOOLEAN -> appender.append((boolean) value);
      case DATE -> appender.append((LocalDate) value);
      case TIMESTAMP -> appender.append((LocalDateTime) value);
      default -> throw new AssertionError(kind);
    }
  }
}
