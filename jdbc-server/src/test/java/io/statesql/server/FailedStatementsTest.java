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

/** However often clients mistype a statement, the server keeps nothing of it. */
@EnabledOnOs(OS.LINUX) // /proc tells the open files
class FailedStatementsTest {
  private static final String WORK_DIR = "statesql.work-dir";

  /** Statements that fail while they run, and their states. */
  private static final Map<String, String> FAILING =
      Map.of(
          "SELECT state_key FROM %s.keyed_state WHERE state_key = 5", "22018",
          "SELECT state_key FROM %s.\"count\" WHERE 10 / (state_value - state_value) > 1", "22012",
          "SELECT SUM(10 / (state_value - state_value)) FROM %s.\"count\"", "22012",
          "SELECT 10 / (\"count\" - \"count\") FROM %s.keyed_state", "22012",
          "SELECT a.state_key FROM %1$s.\"count\" a JOIN %1$s.name b ON a.state_key = 5", "22018");

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
    run(form, 3);
  }

  @Tag("proof")
  @Test
  void aThousandLeaveNothingOpen() throws Exception {
    run(EntryForms.ROCKSDB, 200);
  }

  private void run(EntryForms form, int rounds) throws Exception {
    Path snapshot = form.write(folder.resolve("source"), 5);
    String operator = '"' + form.operator() + '"';
    try (RunningServer server =
            RunningServer.start(Map.of("snapshots", List.of("shop=" + snapshot)));
        Connection connection = server.connect();
        Statement open = connection.createStatement()) {
      long before = heldFiles();
      for (int i = 0; i < rounds; i++) {
        for (Map.Entry<String, String> failing : FAILING.entrySet()) {
          // One statement is closed after its failure, the other is used again and again.
          try (Statement closed = connection.createStatement()) {
            for (Statement statement : List.of(closed, open)) {
              String sql = failing.getKey().formatted(operator);
              assertThat(failure(statement, sql).getSQLState())
                  .as(sql)
                  .isEqualTo(failing.getValue());
            }
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

  private static SQLException failure(Statement statement, String sql) {
    return catchThrowableOfType(
        SQLException.class,
        () -> {
          try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
              assertThat(rows.getObject(1)).isNotNull();
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
