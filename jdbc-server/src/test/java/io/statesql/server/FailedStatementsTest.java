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
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.statesql.forms.EntryForms;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However often clients mistype a statement, nothing of it is kept, on a server or in a process.
 */
@EnabledOnOs(OS.LINUX) // /proc tells the open files
class FailedStatementsTest {
  private static final String WORK_DIR = "statesql.work-dir";

  /**
   * Statements that fail before they run, while they run and while they change, with the states.
   */
  private static final Map<String, String> FAILING =
      Map.ofEntries(
          Map.entry("SELEC state_key FROM %s.name", "42000"),
          Map.entry("SELECT state_key FROM %s.nam", "42S02"),
          Map.entry("SELECT state_kee FROM %s.name", "42S22"),
          Map.entry("SELECT state_key FROM nowhere.name", "3F000"),
          Map.entry("SELECT no_such_function(state_key) FROM %s.name", "42000"),
          Map.entry("SELECT state_key FROM %s.name WHERE state_key > ?", "07001"),
          Map.entry("SELECT CAST(state_key AS INTEGER) FROM %s.name", "22018"),
          Map.entry("SELECT state_key FROM %s.keyed_state WHERE state_key = 5", "22018"),
          Map.entry(
              "SELECT state_key FROM %s.\"count\" WHERE 10 / (state_value - state_value) > 1",
              "22012"),
          Map.entry(
              "SELECT state_key FROM %s.keyed_state WHERE 10 / (\"count\" - \"count\") > 1",
              "22012"),
          Map.entry("SELECT SUM(10 / (state_value - state_value)) FROM %s.\"count\"", "22012"),
          Map.entry("SELECT 10 / (\"count\" - \"count\") FROM %s.keyed_state", "22012"),
          Map.entry(
              "SELECT a.state_key FROM %1$s.\"count\" a JOIN %1$s.name b ON a.state_key = 5",
              "22018"),
          Map.entry("SELECT state_value * 9223372036854775807 * 2 FROM %s.\"count\"", "22003"),
          Map.entry(
              "SELECT REPLACE(REPLACE('%s' || state_key, 'a', '%s'), 'b', '%s') FROM %%s.name"
                  .formatted("a".repeat(2000), "b".repeat(2000), "c".repeat(30)),
              "53200"),
          Map.entry(
              "MERGE INTO %1$s.name USING %1$s.name AS n ON TRUE WHEN MATCHED THEN UPDATE SET state_value = 'a'",
              "0A000"),
          Map.entry("DROP TABLE %s.name", "42000"));

  /** Likewise, of changes, which the server refuses for a reason of its own. */
  private static final Map<String, String> FAILING_CHANGES =
      Map.of(
          "UPDATE %s.\"count\" SET state_value = 10 / (state_value - state_value)", "22012",
          "UPDATE %s.\"count\" SET state_value = 9223372036854775808", "22000",
          "INSERT INTO %1$s.name SELECT state_key, state_value FROM %1$s.name", "23505",
          "DELETE FROM %s.\"count\" WHERE state_key = 5", "22018");

  /** How a client reaches the snapshot. */
  private enum WayIn {
    SERVER,
    EMBEDDED
  }

  @TempDir private Path folder;
  @TempDir private Path workDir;

  @BeforeEach
  void moveWorkFolders() {
    System.setProperty(WORK_DIR, workDir.toString());
  }

  @AfterEach
  void moveWorkFoldersBack() {
    System.clearProperty(WORK_DIR);
  }

  @ParameterizedTest
  @EnumSource
  void leaveNothingOpen(EntryForms form) throws Exception {
    run(WayIn.SERVER, form, 1);
  }

  @Test
  void leaveNothingOpenInTheProcessThatReads() throws Exception {
    run(WayIn.EMBEDDED, EntryForms.CANONICAL, 1);
    run(WayIn.EMBEDDED, EntryForms.ROCKSDB, 1);
  }

  @Tag("proof")
  @ParameterizedTest
  @EnumSource
  void twoThousandLeaveNothingOpen(WayIn way) throws Exception {
    int statements = 2 * (FAILING.size() + (way == WayIn.EMBEDDED ? FAILING_CHANGES.size() : 0));
    int rounds = (500 + statements - 1) / statements;
    run(way, EntryForms.CANONICAL, rounds);
    run(way, EntryForms.ROCKSDB, rounds);
  }

  private void run(WayIn way, EntryForms form, int rounds) throws Exception {
    Path snapshot = form.write(folder.resolve(way + "-" + form), 5);
    String operator = '"' + form.operator() + '"';
    if (way == WayIn.EMBEDDED) {
      try (Connection connection =
          DriverManager.getConnection("jdbc:statesql:snapshot=shop=" + snapshot)) {
        run(connection, operator, List.of(FAILING, FAILING_CHANGES), rounds);
      }
    } else {
      try (RunningServer server =
              RunningServer.start(Map.of("snapshots", List.of("shop=" + snapshot)));
          Connection connection = server.connect()) {
        run(connection, operator, List.of(FAILING), rounds);
      }
    }
  }

  private void run(
      Connection connection, String operator, List<Map<String, String>> failing, int rounds)
      throws Exception {
    try (Statement open = connection.createStatement()) {
      long before = heldFiles();
      for (int i = 0; i < rounds; i++) {
        for (Map<String, String> statements : failing) {
          for (Map.Entry<String, String> statement : statements.entrySet()) {
            fail(connection, open, statement.getKey().formatted(operator), statement.getValue());
          }
        }
      }
      assertThat(heldFiles()).isEqualTo(before);
      try (Stream<Path> workFolders = Files.list(workDir)) {
        assertThat(workFolders).isEmpty();
      }
      try (ResultSet stores = open.executeQuery("SELECT COUNT(*) FROM store_locations")) {
        assertThat(stores.next()).isTrue();
        assertThat(stores.getLong(1)).isZero();
      }
    }
  }

  /** One statement is closed after its failure, the other is used again and again. */
  private static void fail(Connection connection, Statement open, String sql, String sqlState)
      throws SQLException {
    try (Statement closed = connection.createStatement()) {
      for (Statement statement : List.of(closed, open)) {
        SQLException failure = failure(statement, sql);
        assertThat((Throwable) failure).as(sql).isNotNull();
        assertThat(failure.getSQLState()).as(sql + ": " + failure.getMessage()).isEqualTo(sqlState);
      }
    }
  }

  private static SQLException failure(Statement statement, String sql) {
    return catchThrowableOfType(
        SQLException.class,
        () -> {
          if (statement.execute(sql)) {
            try (ResultSet rows = statement.getResultSet()) {
              while (rows.next()) {
                assertThat(rows.getObject(1)).isNotNull();
              }
            }
          }
        });
  }

  /** Of the snapshot and of work folders, removed ones too. */
  private long heldFiles() throws IOException {
    long count = 0;
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors) {
        String target = target(descriptor);
        if (target.startsWith(folder.toString()) || target.startsWith(workDir.toString())) {
          count++;
        }
      }
    }
    return count;
  }

  private static String target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException closedMeanwhile) {
      return "";
    }
  }
}
