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
package io.statesql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.statesql.StateSqlAssert;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of real snapshots as catalogs of a connection, also while they are deleted. */
class RootMountTest {
  private static final Path SNAPSHOTS =
      Path.of("..", "src", "state", "target", "flink-tests", "2.3.0");
  private static final String OLD = "new-stateful-udf-migration-itcase-flink1.18-rocksdb-savepoint";
  private static final String NEW = "new-stateful-udf-migration-itcase-flink2.0-hashmap-savepoint";

  /** What the job called an operator; old snapshots know it by its hash only. */
  private static final String STATE = "\"CheckpointingKeyedStateFlatMap1\".keyed_state";

  @TempDir private Path folder;

  private Path root;

  @BeforeEach
  void copySnapshots() throws IOException {
    root = folder.resolve("job");
    copy(OLD, root.resolve("chk-41"), 1000);
    copy(NEW, root.resolve("chk-42"), 2000);
    Files.createDirectories(root.resolve("chk-43"));
    Files.createDirectories(root.resolve("shared"));
  }

  @Test
  void eachSnapshotIsACatalogAndTheNewestHasTheNameOfTheMount() throws SQLException {
    try (Connection connection = connect("snapshot=" + root)) {
      assertThat(connection.getCatalog()).isEqualTo("job");
      assertThat(catalogs(connection)).containsExactly("job", "job/chk-41", "job/chk-42");
      assertThat((Throwable) connection.getWarnings()).isNull();
      StateSqlAssert.on(connection)
          .sql(
              "SELECT catalog_name, status, is_current, is_edited, modified_at, metadata_version,"
                  + " operator_count IS NULL, problem FROM snapshots")
          .returns(
              "job/chk-41, COMPLETE, false, false, 1970-01-01 00:00:01.000, 4, true, null",
              "job/chk-42, COMPLETE, true, false, 1970-01-01 00:00:02.000, 5, false, null",
              "null, INCOMPLETE, false, false, null, null, true, It has no _metadata file: it was"
                  + " never finished, or is being written or deleted.");
    }
  }

  @Test
  void anySnapshotIsQueriedByItsPath() throws SQLException {
    List<String> old = direct(OLD);
    List<String> newest = direct(NEW);
    try (Connection connection = connect("snapshot=prod=" + root)) {
      assertThat(rows(connection, "SELECT * FROM " + STATE)).isEqualTo(newest);
      assertThat(rows(connection, "SELECT * FROM \"prod/chk-42\"." + STATE)).isEqualTo(newest);
      assertThat(rows(connection, "SELECT * FROM \"prod/chk-41\"." + STATE)).isEqualTo(old);
      connection.setCatalog("prod/chk-41");
      assertThat(rows(connection, "SELECT * FROM " + STATE)).isEqualTo(old);
      StateSqlAssert.on(connection)
          .sql("SELECT count(*) FROM snapshots WHERE operator_count > 0")
          .returns("2");
    }
    assertThat(newest).isNotEmpty();
  }

  @Test
  void snapshotsThatNobodyNamesAreNotOpened() throws IOException, SQLException {
    Files.write(root.resolve("chk-41/_metadata"), new byte[100]);
    Files.setLastModifiedTime(root.resolve("chk-41/_metadata"), FileTime.fromMillis(1000));

    try (Connection connection = connect("snapshot=" + root)) {
      assertThat(rows(connection, "SELECT * FROM " + STATE)).isNotEmpty();
      assertThat(listed(connection.getMetaData().getTables(null, "sys", "snapshots", null)))
          .containsExactly("job");
      assertThat(listed(connection.getMetaData().getTables("job/chk-42", "sys", "states", null)))
          .containsExactly("job/chk-42");
      StateSqlAssert.on(connection)
          .sql("SELECT status FROM snapshots WHERE catalog_name = 'job/chk-41'")
          .returns("DAMAGED");
      StateSqlAssert.on(connection)
          .sql("SELECT * FROM \"job/chk-41\".sys.operators")
          .throwsSql("58S01", root + "/chk-41/_metadata is not a snapshot");
    }
  }

  @Test
  void aDamagedNewestIsPassedOverWithAWarning() throws IOException, SQLException {
    byte[] whole = Files.readAllBytes(root.resolve("chk-42/_metadata"));
    Files.write(root.resolve("chk-42/_metadata"), Arrays.copyOf(whole, whole.length / 2));

    try (Connection connection = connect("snapshot=" + root)) {
      assertThat(connection.getWarnings().getMessage())
          .startsWith("Catalog \"job\" shows chk-41, which may not be the newest. The metadata ")
          .contains(root + "/chk-42/_metadata is damaged or truncated");
      connection.clearWarnings();
      assertThat((Throwable) connection.getWarnings()).isNull();
      assertThat(rows(connection, "SELECT * FROM " + STATE)).isEqualTo(direct(OLD));
    }
  }

  @Test
  void theMountIsFixedWhenTheConnectionOpens() throws IOException, SQLException {
    try (Connection connection = connect("snapshot=" + root)) {
      copy(OLD, root.resolve("chk-44"), 9000);
      assertThat(catalogs(connection)).doesNotContain("job/chk-44");
      StateSqlAssert.on(connection)
          .sql("SELECT catalog_name FROM snapshots WHERE is_current")
          .returns("job/chk-42");
    }
    try (Connection connection = connect("snapshot=" + root)) {
      StateSqlAssert.on(connection)
          .sql("SELECT catalog_name FROM snapshots WHERE is_current")
          .returns("job/chk-44");
    }
  }

  @Test
  void aSnapshotThatIsDeletedBetweenStatementsFailsTheNext() throws IOException, SQLException {
    try (Connection connection = connect("snapshot=" + root)) {
      assertThat(rows(connection, "SELECT * FROM " + STATE)).isNotEmpty();
      delete(root.resolve("chk-42"));
      delete(root.resolve("chk-41"));

      StateSqlAssert.on(connection)
          .sql("SELECT * FROM " + STATE)
          .throwsSql("58P01", "The snapshot " + root + "/chk-42 was removed while it was read: ");
      StateSqlAssert.on(connection)
          .sql("SELECT * FROM \"job/chk-41\"." + STATE)
          .throwsSql(
              "58P01",
              "The snapshot " + root + "/chk-41 was removed since the connection was opened; ");
      StateSqlAssert.on(connection)
          .sql("SELECT status FROM snapshots")
          .returns("REMOVED", "REMOVED", "INCOMPLETE");
    }
  }

  @Test
  void aSnapshotThatIsDeletedUnderACursorFailsTheStatement() throws IOException, SQLException {
    try (Connection connection = connect("snapshot=" + root);
        Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT * FROM " + STATE)) {
      assertThat(results.next()).isTrue();
      delete(root.resolve("chk-42"));

      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(
              () -> {
                while (results.next()) {
                  assertThat(results.getObject(1)).isNotNull();
                }
              })
          .withMessageContaining("The snapshot " + root + "/chk-42 was removed while it was read: ")
          .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("58P01"));
    }
  }

  @Test
  void aRootWithoutACompleteSnapshotIsAnError() throws IOException {
    Files.delete(root.resolve("chk-41/_metadata"));
    Files.delete(root.resolve("chk-42/_metadata"));

    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> connect("snapshot=" + root).close())
        .withMessage(
            "The folder "
                + root
                + " holds no complete snapshot; found chk-41 (incomplete), chk-42 (incomplete),"
                + " chk-43 (incomplete).");
  }

  @Test
  void aSnapshotItselfIsMountedUnderItsFoldersName() throws SQLException {
    try (Connection connection = connect("snapshot=" + root.resolve("chk-41"))) {
      assertThat(catalogs(connection)).containsExactly("chk-41");
      StateSqlAssert.on(connection)
          .sql("SELECT catalog_name, status, is_current, is_edited, modified_at FROM snapshots")
          .returns("chk-41, COMPLETE, true, false, 1970-01-01 00:00:01.000");
      delete(root.resolve("chk-41"));
      StateSqlAssert.on(connection).sql("SELECT status FROM snapshots").returns("REMOVED");
    }
  }

  @Test
  void thousandsOfSnapshotsMountAndAreListed() throws IOException, SQLException {
    Path metadata = root.resolve("chk-41/_metadata");
    for (int i = 1000; i < 3000; i++) {
      Path snapshot = Files.createDirectory(root.resolve("chk-" + i));
      Files.createLink(snapshot.resolve("_metadata"), metadata);
    }
    try (Connection connection = connect("snapshot=" + root)) {
      StateSqlAssert.on(connection)
          .sql("SELECT count(*), count(checkpoint_id), count(operator_count) FROM snapshots")
          .returns("2003, 2002, 1");
      assertThat(rows(connection, "SELECT * FROM " + STATE)).isNotEmpty();
      assertThat(rows(connection, "SELECT * FROM \"job/chk-2999\".sys.operators")).isNotEmpty();
    }
  }

  private static Connection connect(String properties) throws SQLException {
    return DriverManager.getConnection(StateSqlDriver.URL_PREFIX + properties);
  }

  private static List<String> direct(String snapshot) throws SQLException {
    try (Connection connection = connect("snapshot=x=" + SNAPSHOTS.resolve(snapshot))) {
      return rows(connection, "SELECT * FROM " + STATE);
    }
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
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

  private static List<String> catalogs(Connection connection) throws SQLException {
    return listed(connection.getMetaData().getCatalogs());
  }

  private static List<String> listed(ResultSet results) throws SQLException {
    List<String> names = new ArrayList<>();
    try (results) {
      while (results.next()) {
        names.add(results.getString("TABLE_CAT"));
      }
    }
    return names;
  }

  private static void copy(String snapshot, Path target, long modifiedAt) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> content = Files.list(SNAPSHOTS.resolve(snapshot))) {
      for (Path file : content.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
    Files.setLastModifiedTime(target.resolve("_metadata"), FileTime.fromMillis(modifiedAt));
  }

  private static void delete(Path folder) {
    try (Stream<Path> content = Files.list(folder)) {
      for (Path file : content.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
