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
package io.statesql.schema;

import io.statesql.StateSqlAssert;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code sys.snapshots} says of the files of a snapshot. */
class SnapshotsTableTest {
  private static final Path CHECKPOINT =
      Path.of(
          "../src/state/target/flink-tests/2.3.0/new-stateful-udf-migration-itcase-flink1.17-rocksdb-checkpoint");

  private static final String STATUS = "SELECT status, problem FROM snapshots";

  @TempDir private Path folder;

  @Test
  void aSnapshotWithoutOneOfItsFilesIsIncompleteAndSaysWhichIsMissing() throws Exception {
    Path copy = copy(folder.resolve("shop"));
    try (Connection connection = connect(copy)) {
      StateSqlAssert.on(connection).sql(STATUS).returns("COMPLETE, null");

      Path table = copy.resolve("07733262-ab5d-41ff-ac53-7e381209d18a");
      Files.move(table, folder.resolve("elsewhere"));
      StateSqlAssert.on(connection)
          .sql(STATUS)
          .returns(
              "INCOMPLETE, The state file "
                  + table.getFileName()
                  + " that the metadata "
                  + copy
                  + "/_metadata names is missing; looked for "
                  + table
                  + ".");

      Files.move(folder.resolve("elsewhere"), table);
      StateSqlAssert.on(connection).sql(STATUS).returns("COMPLETE, null");
    }
  }

  @Test
  void inARootItIsToldOfTheNewestAndOfThoseThatWereLookedInto() throws Exception {
    Path old = copy(folder.resolve("job/chk-1"));
    Path newest = copy(folder.resolve("job/chk-2"));
    for (Path snapshot : new Path[] {old, newest}) {
      Files.delete(snapshot.resolve("07733262-ab5d-41ff-ac53-7e381209d18a"));
    }
    try (Connection connection = connect(folder.resolve("job"))) {
      String statuses = "SELECT status FROM snapshots ORDER BY catalog_name";
      StateSqlAssert.on(connection).sql(statuses).returns("COMPLETE", "INCOMPLETE");
      StateSqlAssert.on(connection)
          .sql("SELECT COUNT(*) > 0 FROM \"job/chk-1\".sys.operators")
          .returns("true");
      StateSqlAssert.on(connection).sql(statuses).returns("INCOMPLETE", "INCOMPLETE");
    }
  }

  @Test
  void anUnalignedCheckpointSaysHowManyBytesOfRecordsAreUnderWay() throws Exception {
    try (Connection connection = connect(CHECKPOINT)) {
      StateSqlAssert.on(connection)
          .sql("SELECT in_flight_size, in_flight_size < state_size FROM snapshots")
          .returns("160, true");
      StateSqlAssert.on(connection)
          .sql("SELECT SUM(\"size\") FROM state_files WHERE form = 'IN_FLIGHT'")
          .returns("160");
      StateSqlAssert.on(connection)
          .sql("SELECT SUM(\"size\") = (SELECT state_size FROM snapshots) FROM state_files")
          .returns("true");
    }
    try (Connection connection = connect(Path.of("..", "sql-examples", "snapshots", "orders"))) {
      StateSqlAssert.on(connection).sql("SELECT in_flight_size FROM snapshots").returns("0");
    }
  }

  private static Connection connect(Path snapshot) throws SQLException {
    return DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot);
  }

  private static Path copy(Path target) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> content = Files.list(CHECKPOINT)) {
      for (Path file : content.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
    return target;
  }
}
