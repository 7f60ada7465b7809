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
package io.statesql.forms;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import io.statesql.forms.ManyKeys.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.MapState;
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

  /** The map of one key, as one cell, takes more than a row may; its own table has many rows. */
  @ParameterizedTest
  @EnumSource(
      value = Form.class,
      names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void aMapTooLargeForOneCellIsReadFromItsOwnTable(Form form) throws Exception {
    Path snapshot =
        ManyKeys.write(
            folder,
            form,
            2,
            states -> {
              ManyKeys.put(states, 0, 10);
              MapState<String, Long> counts = states.of("key-3", ManyKeys.COUNTS);
              for (long i = 0; i < KEYS; i++) {
                counts.put("entry " + i, i);
              }
            });
    try (Connection connection = connect(snapshot, "memory=1m")) {
      assertThat(count(connection, "counts")).isEqualTo(2 * 10 + KEYS);
      assertThat(rows(connection, "counts")).hasSize(2 * 10 + KEYS);
      assertThat(count(connection, "keyed_state")).isEqualTo(10);
      StateSqlAssert.on(connection)
          .sql("SELECT * FROM " + name(connection, "keyed_state"))
          .throwsSql(
              "53200",
              "state \"counts\"",
              "read the table \"counts\" in place of \"keyed_state\"",
              "the option memory");
    }
    try (Connection connection = connect(snapshot, "memory=16m")) {
      assertThat(rows(connection, "keyed_state")).hasSize(10);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Form.class,
      names = {"CANONICAL", "CANONICAL_COMPRESSED", "HEAP", "HEAP_COMPRESSED", "ROCKSDB"})
  void aValueTooLargeIsAnErrorThatSaysWhereItIs(Form form) throws Exception {
    Path snapshot =
        ManyKeys.write(
            folder,
            form,
            2,
            states -> {
              ManyKeys.put(states, 0, 10);
              states.of("key-3", ManyKeys.THIRD).update("x".repeat(1 << 18));
            });
    String place = form == Form.ROCKSDB ? "the entry with the key 0x" : "offset ";
    try (Connection connection = connect(snapshot, "memory=1m")) {
      if (form != Form.HEAP) {
        // There a value must be looked through to find its end, also if nobody asked for it.
        assertThat(count(connection, "names")).isEqualTo(2 * 10);
      }
      for (String table : List.of("third", "keyed_state")) {
        StateSqlAssert.on(connection)
            .sql("SELECT * FROM " + name(connection, table))
            .throwsSql(
                "53200",
                "state \"third\"",
                place,
                "more memory than one value may",
                "131072 bytes");
      }
    }
    try (Connection connection = connect(snapshot, "memory=4m")) {
      assertThat(rows(connection, "third")).hasSize(4);
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
