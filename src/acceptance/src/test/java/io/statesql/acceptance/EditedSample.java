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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A copy of the sample, and a connection that changes it. */
record EditedSample(Path folder, Connection connection) implements AutoCloseable {

  /** Copies the sample into a folder; the connection collects statements in a transaction. */
  static EditedSample in(Path parent) throws IOException, SQLException {
    Path copy = copy(parent.resolve("orders"));
    Connection connection = QueryResult.connect(copy, "composites=json");
    connection.setAutoCommit(false);
    return new EditedSample(copy, connection);
  }

  static Path copy(Path target) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> files = Files.list(ProjectFiles.SAMPLE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
    return target;
  }

  /** Runs a statement that changes rows and returns how many. */
  long update(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeLargeUpdate(sql);
    }
  }

  /** The rows of a query, their values parted by commas. */
  List<String> rows(String sql) throws SQLException {
    return rows(connection, sql);
  }

  static List<String> rows(Connection connection, String sql) throws SQLException {
    return QueryResult.of(connection, sql, (row, column) -> row.getString(column)).rows().stream()
        .map(row -> String.join(", ", row.stream().map(String::valueOf).toList()))
        .toList();
  }

  /** The same query before and after a commit, and by who opens the savepoint that it wrote. */
  List<String> committedRows(String sql) throws SQLException {
    List<String> before = rows(sql);
    connection.commit();
    try (Connection other = QueryResult.connect(savepoint(1), "composites=json")) {
      List<String> after = rows(other, sql);
      if (!before.equals(after) || !before.equals(rows(sql))) {
        throw new AssertionError("staged " + before + ", committed " + after);
      }
    }
    return before;
  }

  /** Where a commit puts its savepoint by default. */
  Path savepoint(int number) {
    return folder.resolveSibling("orders-edited-" + number);
  }

  /** Takes the warnings there are. */
  List<String> warnings() throws SQLException {
    List<String> messages = new ArrayList<>();
    for (SQLWarning warning = connection.getWarnings();
        warning != null;
        warning = warning.getNextWarning()) {
      messages.add(warning.getMessage());
    }
    connection.clearWarnings();
    return messages;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
