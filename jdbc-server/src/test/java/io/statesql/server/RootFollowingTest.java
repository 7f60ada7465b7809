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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job goes on writing checkpoints while clients stay connected. */
class RootFollowingTest {
  @TempDir private Path root;

  private void addCheckpoint(int number) throws IOException {
    Path folder = root.resolve("chk-" + number);
    try (Stream<Path> files = Files.walk(RunningServer.ORDERS)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(RunningServer.ORDERS.relativize(file).toString()));
      }
    }
    Files.setLastModifiedTime(
        folder.resolve("_metadata"), FileTime.from(Instant.ofEpochSecond(1_700_000_000L + number)));
  }

  private static List<List<String>> catalogs(Connection connection) throws SQLException {
    return RunningServer.rows(connection.getMetaData().getCatalogs());
  }

  @Test
  void connectionTurnsToTheNewestWhenNothingHangsOnTheLast() throws Exception {
    addCheckpoint(1);
    try (RunningServer server = RunningServer.start(Map.of("snapshots", List.of("job=" + root)));
        Connection connection = server.connect()) {
      connection.setSchema("customers");
      assertThat(catalogs(connection)).containsExactly(List.of("job"), List.of("job/chk-1"));
      try (Statement statement = connection.createStatement();
          ResultSet open = statement.executeQuery("SELECT state_key FROM keyed_state")) {
        addCheckpoint(2);
        server.skip(Duration.ofSeconds(2));
        assertThat(catalogs(connection)).hasSize(2);
        assertThat(RunningServer.rows(open)).hasSize(12);
      }
      assertThat(catalogs(connection))
          .containsExactly(List.of("job"), List.of("job/chk-1"), List.of("job/chk-2"));
      assertThat(RunningServer.rows(connection, "SELECT COUNT(*) FROM keyed_state"))
          .containsExactly(List.of("12"));
    }
  }
}
