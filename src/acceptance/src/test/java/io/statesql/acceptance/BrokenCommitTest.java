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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that are killed in the middle of a commit, or may write no more: they leave a whole
 * savepoint or none, their source as it was, and nothing that stands in the way of the next commit.
 */
@Tag("proof")
class BrokenCommitTest {
  private static final int KILLS = 25;
  private static final int ORDERS = 100;
  private static final long SEED = Long.getLong("statesql.seed", 5);

  /** Changes many operators, in all of their subtasks. */
  private static final String[] STATEMENTS = {
    "UPDATE \"orders-per-customer\".\"order-count\" SET state_value = state_value + 1000",
    "DELETE FROM \"page-visits\".\"visits-per-page\"",
    "UPDATE \"fraud-detector\".\"active-rules\" SET map_value = NOT map_value"
  };

  private static final String LOOK =
      "SELECT (SELECT MIN(state_value) >= 1000 FROM \"orders-per-customer\".\"order-count\"),"
          + " (SELECT COUNT(*) FROM \"page-visits\".\"visits-per-page\"),"
          + " (SELECT COUNT(*) FROM \"orders-per-customer\".\"order-ids\")";

  @TempDir private Path folder;
  private Path edits;

  static List<OrdersRun> forms() {
    return List.of(
        OrdersRun.of("hashmap", OrdersRun.Form.CANONICAL, false, ORDERS, 2, 128),
        OrdersRun.of("rocksdb", OrdersRun.Form.NATIVE, false, ORDERS, 2, 128));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void killedAtAnyMoment(OrdersRun run) throws Exception {
    Path source = run.snapshot().folder();
    Map<String, String> sourceFiles = FolderHash.of(source);
    edits = Files.createDirectory(folder.resolve("edits"));
    long usual = usualMillis(source);
    Random random = new Random(SEED);
    List<String> outcomes = new ArrayList<>();
    for (int kill = 0; kill < KILLS; kill++) {
      try (CommitProcess process = stage(List.of(), source)) {
        process.commit();
        TimeUnit.MILLISECONDS.sleep(random.nextLong(usual + usual / 4));
        process.kill();
      }
      outcomes.add(look());
      assertThat(FolderHash.of(source)).isEqualTo(sourceFiles);
      assertTheNextCommitWorks(source);
    }
    assertThat(outcomes).as("what %s kills left (seed %s)", KILLS, SEED).contains("unfinished");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16})
  void whereFilesMayNotGrow(int kilobytes) throws Exception {
    Path source = forms().get(0).snapshot().folder();
    Map<String, String> sourceFiles = FolderHash.of(source);
    edits = Files.createDirectory(folder.resolve("edits"));
    List<String> limited =
        List.of("bash", "-c", "ulimit -f " + kilobytes + "; exec \"$@\"", "bash");
    try (CommitProcess process = stage(limited, source)) {
      process.commit();
      assertThat(process.outcome()).isEqualTo("58030");
    }
    assertThat(list()).isEmpty();
    assertThat(FolderHash.of(source)).isEqualTo(sourceFiles);
    assertTheNextCommitWorks(source);
  }

  /** How long the commit takes in a process of its own. */
  private long usualMillis(Path source) throws Exception {
    try (CommitProcess process = stage(List.of(), source)) {
      long start = System.nanoTime();
      process.commit();
      assertThat(process.outcome()).isEqualTo("committed");
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertThat(look()).isEqualTo("whole");
      clear();
      return millis;
    }
  }

  /** What lies there: each savepoint that can be opened is whole. */
  private String look() throws Exception {
    String found = "nothing";
    for (Path left : list()) {
      boolean isFinished = !left.getFileName().toString().startsWith(".");
      found = isFinished ? "whole" : "unfinished";
      if (isFinished || Files.exists(left.resolve("_metadata"))) {
        assertIsWhole(left, isFinished);
      }
    }
    return found;
  }

  private static void assertIsWhole(Path savepoint, boolean isFinished) throws SQLException {
    try (Connection connection = QueryResult.connect(savepoint)) {
      assertThat(EditedSample.rows(connection, LOOK)).containsExactly("true, 0, " + ORDERS);
    } catch (SQLException e) {
      if (isFinished || !e.getMessage().contains("_metadata")) {
        throw e;
      }
      // The metadata itself was being written, and is seen to be cut off.
    }
  }

  private void assertTheNextCommitWorks(Path source) throws Exception {
    boolean isThere = list().stream().anyMatch(path -> path.endsWith(name(source)));
    if (!isThere) {
      try (Connection connection = QueryResult.connect(source, "commitTo=" + edits)) {
        connection.setAutoCommit(false);
        for (String sql : STATEMENTS) {
          try (Statement statement = connection.createStatement()) {
            statement.executeLargeUpdate(sql);
          }
        }
        connection.commit();
      }
      assertThat(list()).containsExactly(edits.resolve(name(source)));
      assertThat(look()).isEqualTo("whole");
    }
    clear();
  }

  private static String name(Path source) {
    return source.getFileName() + "-edited-1";
  }

  private CommitProcess stage(List<String> wrapper, Path source) throws IOException {
    return CommitProcess.stage(wrapper, folder, Path.of(source + ";commitTo=" + edits), STATEMENTS);
  }

  private List<Path> list() throws IOException {
    try (Stream<Path> left = Files.list(edits)) {
      return left.toList();
    }
  }

  private void clear() throws IOException {
    for (Path left : list()) {
      try (Stream<Path> files = Files.list(left)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(left);
    }
  }
}
