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

import static io.statesql.acceptance.QueryResult.quote;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The tables of a snapshot before anything in it is damaged. */
final class SoundTables {
  private final Map<String, List<List<Object>>> rows = new TreeMap<>();

  /** The operators whose state lies in each file, by the file's name. */
  private final Map<String, Set<String>> operatorsByFile = new HashMap<>();

  private List<List<Object>> states = List.of();

  private SoundTables() {}

  /** Reads all tables that can be read. */
  static SoundTables of(Path snapshot) throws SQLException {
    SoundTables sound = new SoundTables();
    try (Connection connection = QueryResult.connect(snapshot, "composites=json")) {
      String tables =
          "SELECT DISTINCT operator_id, table_name FROM sys.states WHERE table_name IS NOT NULL";
      for (List<Object> row : QueryResult.of(connection, tables, ResultSet::getString).rows()) {
        String table = quote((String) row.get(0)) + "." + quote((String) row.get(1));
        try {
          sound.rows.put(table, read(connection, table));
        } catch (SQLException e) {
          if (!"58S02".equals(e.getSQLState())) {
            throw e;
          }
        }
      }
      String files = "SELECT path, operator_id FROM sys.state_files WHERE path IS NOT NULL";
      for (List<Object> row : QueryResult.of(connection, files, ResultSet::getString).rows()) {
        sound
            .operatorsByFile
            .computeIfAbsent(nameOf((String) row.get(0)), file -> new HashSet<>())
            .add(quote((String) row.get(1)) + ".");
      }
      sound.states = states(connection);
    }
    return sound;
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The tables whose rows may lie in a file; all where that is not known. */
  List<String> tablesOf(String file) {
    Set<String> operators = operatorsByFile.getOrDefault(nameOf(file), Set.of());
    List<String> tables =
        rows.keySet().stream()
            .filter(table -> operators.stream().anyMatch(table::startsWith))
            .toList();
    return tables.isEmpty() ? List.copyOf(rows.keySet()) : tables;
  }

  Set<String> names() {
    return rows.keySet();
  }

  List<List<Object>> rows(String table) {
    return rows.get(table);
  }

  /**
   * Whether the rows of a table may be elsewhere: names, of states or in them, have changed, or
   * another table of the operator has other rows. No checksum covers the names of uncompressed
   * state nor the number of the state before its entries.
   */
  boolean isRenamed(Connection connection, String table) throws SQLException {
    return !states(connection).equals(states) || isAnotherWrong(connection, table);
  }

  private boolean isAnotherWrong(Connection connection, String table) {
    String operator = table.substring(0, table.indexOf('.') + 1);
    List<String> others = new ArrayList<>(rows.keySet());
    others.removeIf(
        other ->
            !other.startsWith(operator)
                || other.equals(table)
                || other.endsWith("\"keyed_state\""));
    return others.stream()
        .anyMatch(
            other -> {
              try {
                return read(connection, other).size() != rows.get(other).size();
              } catch (SQLException e) {
                return true;
              }
            });
  }

  /** The rows of a table of keyed state that are not of some key groups; all others as they are. */
  static List<List<Object>> without(Set<Integer> keyGroups, List<List<Object>> rows) {
    return rows.stream()
        .filter(
            row ->
                keyGroups.stream()
                    .noneMatch(group -> group.toString().equals(row.get(row.size() - 1))))
        .toList();
  }

  static List<List<Object>> read(Connection connection, String table) throws SQLException {
    return QueryResult.of(connection, "SELECT * FROM " + table, ResultSet::getString).rows();
  }

  static long count(Connection connection, String table) throws SQLException {
    return Long.parseLong(
        (String)
            QueryResult.of(connection, "SELECT COUNT(*) FROM " + table, ResultSet::getString)
                .rows()
                .get(0)
                .get(0));
  }

  private static List<List<Object>> states(Connection connection) throws SQLException {
    return QueryResult.of(
            connection,
            "SELECT operator_id, state_name, state_kind, key_type, namespace_type, value_type"
                + " FROM sys.states ORDER BY 1, 2",
            ResultSet::getString)
        .rows();
  }
}
