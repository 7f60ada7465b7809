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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.statesql.format.work.WorkFolder;
import io.statesql.forms.ManyKeys.Form;
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
import java.util.Properties;
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

/** However a statement ends, it leaves no file, thread or work folder behind. */
@EnabledOnOs(OS.LINUX) // /proc tells the open files
class LeakTest {
  private static final int KEYS = 12_000;

  /** So many rows are not read before threads have begun. */
  private static final int MANY_ROWS = 5000;

  /** What fails above a scan, while a row of it is looked at. */
  private static final List<String> FAILING =
      List.of(
          "SELECT state_key FROM %1$s.total WHERE 1 / (state_value - 7) > 1",
          "SELECT state_key FROM %1$s.keyed_state WHERE 1 / (\"total\" - 7) > 1",
          "SELECT count(*) FROM %1$s.total WHERE 1 / (state_value - 7) > 1",
          "SELECT a.state_key FROM %1$s.total a JOIN %1$s.third b ON 1 / (a.state_value - 7) > 1",
          "SELECT a.state_key FROM %1$s.third a JOIN %1$s.total b USING (state_key)"
              + " WHERE 1 / (b.state_value - 7) > 1",
          "SELECT state_key FROM %1$s.third UNION ALL SELECT state_key FROM %1$s.total"
              + " WHERE 1 / (state_value - 7) > 1",
          "SELECT state_key FROM %1$s.total WHERE state_value IN"
              + " (SELECT state_value FROM %1$s.total WHERE 1 / (state_value - 7) > 1)",
          "SELECT state_key, sum(1 / (state_value - 7)) OVER (PARTITION BY key_group)"
              + " FROM %1$s.total");

  @TempDir private Path folder;
  @TempDir private Path workDir;
  private String operator;

  @BeforeEach
  void moveWorkFolders() {
    System.setProperty(WorkFolder.BASE_PROPERTY, workDir.toString());
  }

  @AfterEach
  void moveWorkFoldersBack() {
    System.clearProperty(WorkFolder.BASE_PROPERTY);
  }

  @ParameterizedTest
  @EnumSource(
      value = Form.class,
      names = {"CANONICAL", "HEAP_COMPRESSED", "ROCKSDB_RESCALED"})
  void aFewStatements(Form form) throws Exception {
    run(form, 2);
  }

  @Tag("proof")
  @ParameterizedTest
  @EnumSource(Form.class)
  void aThousandStatements(Form form) throws Exception {
    run(form, 40);
  }

  /** There the garbage collector finds what failed expressions left open. */
  @Test
  void failedStatementsOfAPlainCalciteConnection() throws Exception {
    Path snapshot = ManyKeys.write(folder, Form.ROCKSDB, KEYS, 128);
    Held before = held();
    String model =
        """
        {"version": "1.0", "defaultSchema": "state", "schemas": [{"name": "state", "type": "custom",
          "factory": "io.statesql.schema.StateSqlSchemaFactory", "operand": {"snapshot": "%s"}}]}
        """
            .formatted(snapshot);
    Properties properties = new Properties();
    properties.setProperty("model", "inline:" + model);
    try (Connection connection = DriverManager.getConnection("jdbc:calcite:", properties)) {
      try (Statement statement = connection.createStatement();
          ResultSet results =
              statement.executeQuery("SELECT \"schema_name\" FROM \"sys\".\"operators\"")) {
        results.next();
        operator = '"' + results.getString(1) + '"';
      }
      for (int i = 0; i < 5; i++) {
        try (Statement statement = connection.createStatement()) {
          assertThatThrownBy(
                  () -> readRows(statement, FAILING.get(0).formatted(operator), Integer.MAX_VALUE))
              .isInstanceOf(SQLException.class);
        }
      }
      for (int waits = 0; waits < 600 && !held().equals(before); waits++) {
        System.gc();
        Thread.sleep(100);
      }
      assertThat(held()).isEqualTo(before);
    }
  }

  /** What the process holds of this test: others of the same process come and go. */
  private record Held(long files, long threads, long workFolders) {}

  private void run(Form form, int rounds) throws Exception {
    Path snapshot = ManyKeys.write(folder, form, KEYS, 128);
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:statesql:snapshot=state=" + snapshot + ";parallelism=3;memory=4m")) {
      try (Statement statement = connection.createStatement();
          ResultSet results = statement.executeQuery("SELECT schema_name FROM operators")) {
        results.next();
        operator = '"' + results.getString(1) + '"';
      }
      runAll(connection);
      Held before = held();
      for (int i = 0; i < rounds; i++) {
        runAll(connection);
      }
      assertThat(held()).isEqualTo(before);
      assertThat(before.threads()).isZero();
      assertThat(before.workFolders()).isZero();
    }
  }

  private Held held() throws IOException {
    try (Stream<Path> workFolders = Files.list(workDir)) {
      return new Held(
          openFiles(),
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("statesql-scan"))
              .count(),
          workFolders.count());
    }
  }

  /** Of the snapshot and of work folders, removed ones too. */
  private long openFiles() throws IOException {
    long count = 0;
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors) {
        String target;
        try {
          target = Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closedMeanwhile) {
          continue;
        }
        if (target.startsWith(folder.toString()) || target.startsWith(workDir.toString())) {
          count++;
        }
      }
    }
    return count;
  }

  private void runAll(Connection connection) throws SQLException {
    for (String table : new String[] {"keyed_state", "total", "counts"}) {
      try (Statement statement = connection.createStatement()) {
        readRows(statement, "SELECT count(*) FROM " + operator + '.' + table, 1);
        readRows(statement, "SELECT * FROM " + operator + '.' + table, 1);
        readRows(statement, "SELECT * FROM " + operator + '.' + table, MANY_ROWS);
        readRows(statement, "SELECT * FROM " + operator + '.' + table + " LIMIT 10", 11);
        cancel(statement, "SELECT * FROM " + operator + '.' + table);
      }
    }
    fail(connection, "SELECT 1 / (state_value - 7) FROM " + operator + ".total", "22012");
    fail(connection, "SELECT sum(1 / (state_value - 7)) FROM " + operator + ".total", "22012");
    for (String condition : FAILING) {
      fail(connection, condition.formatted(operator), "22012");
    }
    try (Statement statement = connection.createStatement()) {
      readRows(
          statement,
          ("SELECT count(*) FROM (SELECT * FROM %s.total LIMIT 5) a JOIN %s.third b"
                  + " ON a.state_value < char_length(b.state_value)")
              .formatted(operator, operator),
          1);
    }
  }

  /** Leaves rows unread, and the result open until the next statement. */
  private static void readRows(Statement statement, String query, int rows) throws SQLException {
    ResultSet results = statement.executeQuery(query);
    for (int i = 0; i < rows; i++) {
      if (!results.next()) {
        return;
      }
    }
  }

  private static void cancel(Statement statement, String query) throws SQLException {
    ResultSet results = statement.executeQuery(query);
    for (int i = 0; i < MANY_ROWS; i++) {
      assertThat(results.next()).isTrue();
    }
    statement.cancel();
    SQLException failure = catchThrowableOfType(SQLException.class, results::next);
    assertThat(failure.getSQLState()).isEqualTo("57014");
  }

  private static void fail(Connection connection, String query, String sqlState)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      SQLException failure =
          catchThrowableOfType(
              SQLException.class, () -> readRows(statement, query, Integer.MAX_VALUE));
      assertThat(failure.getSQLState()).isEqualTo(sqlState);
    }
  }
}
