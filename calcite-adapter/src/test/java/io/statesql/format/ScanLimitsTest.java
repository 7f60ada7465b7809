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
package io.statesql.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.format.ManyKeys.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever memory and however many threads a connection allows, a query has the same rows. */
class ScanLimitsTest {
  private static final int KEYS = 12_000;

  private static final List<String> TABLES =
      List.of("keyed_state", "total", "names", "counts", "third");

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(Form.class)
  void manyThreadsGiveTheRowsOfOneInTheSameOrder(Form form) throws Exception {
    Path snapshot = ManyKeys.write(folder, form, KEYS, 128);
    try (Connection one = connect(snapshot, "parallelism=1");
        Connection many = connect(snapshot, "parallelism=5")) {
      for (String table : TABLES) {
        assertThat(rows(many, table)).as(table).isEqualTo(rows(one, table));
        assertThat(count(many, table)).isEqualTo(count(one, table));
      }
      assertThat(rows(one, "total")).hasSize(KEYS);
      assertThat(count(many, "counts")).isEqualTo(2 * KEYS);
    }
  }

  /** With one key group, which does not fit into memory, it is read again and again. */
  @ParameterizedTest
  @EnumSource(
      value = Form.class,
      names = {"CANONICAL", "HEAP", "HEAP_COMPRESSED", "ROCKSDB"})
  void littleMemoryGivesTheRowsOfMuch(Form form) throws Exception {
    Path snapshot = ManyKeys.write(folder, form, KEYS, 1);
    try (Connection much = connect(snapshot, "memory=1g");
        Connection little = connect(snapshot, "memory=1m")) {
      List<String> rows = rows(little, "keyed_state");
      assertThat(rows).hasSize(KEYS).containsExactlyInAnyOrderElementsOf(rows(much, "keyed_state"));
      assertThat(rows).isEqualTo(rows(little, "keyed_state"));
      assertThat(count(little, "keyed_state")).isEqualTo(KEYS);
    }
  }

  private static Connection connect(Path snapshot, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot=state=" + snapshot + ";composites=json;" + options);
  }

  private static List<String> rows(Connection connection, String table) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT * FROM " + name(connection, table))) {
      int columns = results.getMetaData().getColumnCount();
      while (results.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(results.getString(i)).append('|');
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  private static long count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results =
            statement.executeQuery("SELECT count(*) FROM " + name(connection, table))) {
      results.next();
      return results.getLong(1);
    }
  }

  private static String name(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT schema_name FROM operators")) {
      results.next();
      return '"' + results.getString(1) + "\".\"" + table + '"';
    }
  }
}
