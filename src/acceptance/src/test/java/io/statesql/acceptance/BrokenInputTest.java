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
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.statesql.StateSqlAssert;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged, missing and foreign files: one clear sentence, never a hang and never an empty table.
 */
class BrokenInputTest {

  @TempDir private Path folder;

  @Test
  @Timeout(600)
  void systematicDamageIsAnErrorOrLeavesTheOtherRows() throws Exception {
    List<String> lines = trial("systematic", 5, 0);

    assertThat(lines).filteredOn(line -> line.startsWith("FAULT")).isEmpty();
    assertThat(cases(lines)).isGreaterThanOrEqualTo(100);
  }

  @Test
  @Timeout(600)
  void randomDamageIsAnErrorOrLeavesTheOtherRows() throws Exception {
    List<String> lines = trial("random", 300, 20261129);

    assertThat(lines).filteredOn(line -> line.startsWith("FAULT")).isEmpty();
    assertThat(cases(lines)).isEqualTo(300);
  }

  @Test
  @Tag("proof")
  void muchRandomDamageIsAnErrorOrLeavesTheOtherRows() throws Exception {
    int count = Integer.getInteger("statesql.damage.cases", 10_000);
    long seed = Long.getLong("statesql.seed", 1);
    List<String> lines = trial("random", count, seed);

    assertThat(lines).as("seed %s", seed).filteredOn(line -> line.startsWith("FAULT")).isEmpty();
    assertThat(cases(lines)).isEqualTo(count);
  }

  private static int cases(List<String> lines) {
    String summary = lines.get(lines.size() - 1);
    assertThat(summary).startsWith("cases ");
    return Integer.parseInt(summary.split(" ", 3)[1]);
  }

  /** Runs {@link DamageTrial} in a JVM with a heap of 512 MB. */
  private List<String> trial(String kind, int count, long seed) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"));
    for (String part : List.of("util", "lang", "time")) {
      command.add("--add-opens=java.base/java." + part + "=ALL-UNNAMED");
    }
    // Most statements are the same in each case: compile them once.
    command.add("-Dcalcite.bindable.cache.maxSize=1000");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(DamageTrial.class.getName());
    command.addAll(List.of(ProjectFiles.SAMPLE.toString(), folder.resolve("damaged").toString()));
    command.addAll(List.of(kind, Integer.toString(count), Long.toString(seed)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var reader = process.inputReader()) {
      return reader.lines().toList();
    }
  }

  /**
   * Compressed state has a checksum for each block, of its data: there are bits that do not change
   * these, such as in the distance of a repetition within a run of zeros.
   */
  @Test
  void aFlippedBitOfCompressedStateIsAnErrorOrChangesNothing() throws Exception {
    OrdersSnapshot compressed =
        OrdersSnapshot.of(new OrdersSnapshot.Run("hashmap", true, 100, 2, 300));
    copy(compressed.folder());
    int flips = 0;
    int errors = 0;
    for (KeyGroupsStateHandle handle : canonicalFiles(compressed.folder())) {
      Path file = folder.resolve(fileName(handle));
      String sql = "SELECT * FROM " + tableOf(compressed.folder(), fileName(handle));
      List<List<Object>> sound = rows(compressed.folder(), sql);
      byte[] content = Files.readAllBytes(file);
      int begin = (int) firstKeyGroup(handle);
      for (int i = 0; i < 4; i++) {
        int position = begin + (content.length - 1 - begin) * i / 3;
        Files.write(file, new Damage(fileName(handle), position, i).applyTo(content));
        flips++;
        try {
          assertThat(rows(folder, sql)).isEqualTo(sound);
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("XX001");
          assertThat(e.getMessage()).contains(fileName(handle)).doesNotContain("Exception");
          errors++;
        }
      }
      Files.write(file, content);
    }
    assertThat(flips).isGreaterThan(10);
    assertThat(errors).isGreaterThan(flips / 2);
  }

  private static List<List<Object>> rows(Path snapshot, String sql) throws SQLException {
    try (Connection connection = QueryResult.connect(snapshot, "composites=json")) {
      return QueryResult.of(connection, sql, ResultSet::getString).rows();
    }
  }

  /** The keyed state that is in files of its own, as Flink reads the metadata. */
  private static List<KeyGroupsStateHandle> canonicalFiles(Path snapshot) throws IOException {
    CheckpointMetadata metadata;
    try (var in = new DataInputStream(Files.newInputStream(snapshot.resolve("_metadata")))) {
      metadata =
          Checkpoints.loadCheckpointMetadata(
              in, BrokenInputTest.class.getClassLoader(), snapshot.toString());
    }
    return metadata.getOperatorStates().stream()
        .flatMap(operator -> operator.getStates().stream())
        .flatMap(subtask -> subtask.getManagedKeyedState().stream())
        .map(KeyGroupsStateHandle.class::cast)
        .filter(handle -> handle.getDelegateStateHandle() instanceof FileStateHandle)
        .toList();
  }

  private static String fileName(KeyGroupsStateHandle handle) {
    return ((FileStateHandle) handle.getDelegateStateHandle()).getFilePath().getName();
  }

  /** Where the header, which is not compressed, ends. */
  private static long firstKeyGroup(KeyGroupsStateHandle handle) {
    return IntStream.rangeClosed(
            handle.getKeyGroupRange().getStartKeyGroup(),
            handle.getKeyGroupRange().getEndKeyGroup())
        .mapToLong(handle::getOffsetForKeyGroup)
        .filter(offset -> offset > 0)
        .min()
        .orElseThrow();
  }

  /** The first table whose rows lie in a file. */
  private static String tableOf(Path snapshot, String file) throws SQLException {
    try (Connection connection = QueryResult.connect(snapshot)) {
      List<Object> row =
          QueryResult.of(
                  connection,
                  "SELECT s.schema_name, s.table_name FROM state_files AS f"
                      + " JOIN states AS s USING (operator_id) WHERE f.path = '"
                      + file
                      + "' AND s.table_name IS NOT NULL AND s.state_kind <> 'TIMER' LIMIT 1",
                  ResultSet::getString)
              .rows()
              .get(0);
      return QueryResult.quote((String) row.get(0)) + "." + QueryResult.quote((String) row.get(1));
    }
  }

  @Test
  void aMissingStateFileIsNamed() throws Exception {
    copy(ProjectFiles.SAMPLE);
    String name = fileOf("customers");
    Files.delete(folder.resolve(name));

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql("SELECT * FROM customers.profile").throwsSql("58P01", name);
      sql.sql("SELECT COUNT(*) FROM customers.profile").throwsSql("58P01", name);
      sql.sql("SELECT COUNT(*) FROM \"page-visits\".\"last-page\"").returns("12");
    }
  }

  @Test
  void aFolderInPlaceOfAStateFileIsNamed() throws Exception {
    copy(ProjectFiles.SAMPLE);
    String name = fileOf("customers");
    Files.delete(folder.resolve(name));
    Files.createDirectory(folder.resolve(name));

    try (Connection connection = QueryResult.connect(folder)) {
      SQLException e =
          catchThrowableOfType(
              SQLException.class,
              () -> StateSqlAssert.on(connection).sql("SELECT * FROM customers.profile").rows());
      assertThat(e.getMessage()).contains(name).doesNotContain("Exception");
      assertThat(e.getSQLState()).startsWith("58");
    }
  }

  @Test
  void aFileThatMayNotBeReadIsNamed() throws Exception {
    copy(ProjectFiles.SAMPLE);
    Path file = folder.resolve(fileOf("customers"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(file), "root may read everything");

    try (Connection connection = QueryResult.connect(folder)) {
      StateSqlAssert.on(connection)
          .sql("SELECT * FROM customers.profile")
          .throwsSql("42501", file.getFileName().toString());
    }
  }

  @Test
  void whatIsNoSnapshotIsToldApart() throws Exception {
    assertConnectFails(folder.resolve("none"), "58P01", "none");
    assertConnectFails(folder, "58S01", folder.toString());
    Path text = Files.writeString(folder.resolve("notes.txt"), "no snapshot at all");
    assertConnectFails(text, "58S01", "notes.txt");
    Files.createFile(folder.resolve("_metadata"));
    assertConnectFails(folder, "58S01", "_metadata");
    Files.delete(folder.resolve("_metadata"));
    Files.createDirectory(folder.resolve("_metadata"));
    assertConnectFails(folder, "58S01", folder.toString());
  }

  @Test
  void aNewerMetadataVersionIsNamed() throws Exception {
    byte[] metadata = Files.readAllBytes(ProjectFiles.SAMPLE.resolve("_metadata"));
    metadata[7] = 99;
    Files.write(folder.resolve("_metadata"), metadata);

    assertConnectFails(folder, "0A001", "99", "_metadata");
  }

  @Test
  void theShellPrintsOneLineAndFails() throws Exception {
    copy(ProjectFiles.SAMPLE);
    String name = fileOf("customers");
    Files.delete(folder.resolve(name));

    ShellRun run =
        ShellRun.of(folder.toString(), "--silent", "-e", "SELECT * FROM customers.profile");

    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("Error: ").contains(name).hasLineCount(1);
    assertThat(run.status()).isEqualTo(2);
  }

  private static void assertConnectFails(Path path, String sqlState, String... parts) {
    SQLException e =
        catchThrowableOfType(SQLException.class, () -> QueryResult.connect(path).close());
    assertThat(e.getMessage())
        .contains(parts)
        .doesNotContain("\n", "Exception", "java.", "org.apache");
    assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(sqlState);
  }

  /** A state file of an operator. */
  private static String fileOf(String operator) throws SQLException {
    try (Connection connection = QueryResult.connect(ProjectFiles.SAMPLE)) {
      return (String)
          QueryResult.of(
                  connection,
                  "SELECT path FROM state_files WHERE path IS NOT NULL AND schema_name = '"
                      + operator
                      + "'",
                  ResultSet::getString)
              .rows()
              .get(0)
              .get(0);
    }
  }

  private List<Path> copy(Path snapshot) throws IOException {
    List<Path> copies = new ArrayList<>();
    try (var files = Files.list(snapshot)) {
      for (Path file : files.toList()) {
        copies.add(Files.copy(file, folder.resolve(file.getFileName().toString())));
      }
    }
    return copies;
  }
}
