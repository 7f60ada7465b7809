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

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.http.CoordinatorServer;
import io.statesql.coordinator.http.ServerOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One process reads a snapshot, another sees where. */
class TwoProcessesTest {
  private static final Duration EXPIRY = Duration.ofSeconds(6);
  private static final String SNAPSHOT =
      "jdbc:statesql:snapshot=" + Path.of("../sql-examples/snapshots/orders").toAbsolutePath();

  @Test
  void rowsOfAKilledProcessAreGoneWithinTheExpiry() throws Exception {
    StoreCoordinator coordinator =
        new StoreCoordinator(CoordinatorSettings.DEFAULT.withExecutorExpiry(EXPIRY));
    try (CoordinatorServer server =
        new CoordinatorServer(coordinator, ServerOptions.LOOPBACK.withPort(0))) {
      server.start();
      String url = SNAPSHOT + ";coordinator=" + server.url();
      Process reader =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "--add-opens=java.base/java.util=ALL-UNNAMED",
                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                  "--add-opens=java.base/java.time=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  SnapshotReaderProcess.class.getName(),
                  url,
                  "SELECT * FROM customers.profile, customers.notes AS a, customers.notes AS b")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (Connection connection = DriverManager.getConnection(url)) {
        BufferedReader out =
            new BufferedReader(
                new InputStreamReader(reader.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo("reading");
        await(connection, reader.pid(), 1, Duration.ofMinutes(1));
        Thread.sleep(EXPIRY.toMillis() + 1_000);
        await(connection, reader.pid(), 1, Duration.ZERO);
        // SIGKILL: nothing can be withdrawn.
        reader.destroyForcibly();
        assertThat(reader.waitFor()).isEqualTo(137);
        await(connection, reader.pid(), 0, EXPIRY.plusSeconds(5));
      }
    }
  }

  private static void await(Connection connection, long pid, int count, Duration most)
      throws SQLException, InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    int found = count(connection, pid);
    while (found != count && System.nanoTime() < end) {
      Thread.sleep(100);
      found = count(connection, pid);
    }
    assertThat(found).isEqualTo(count);
  }

  private static int count(Connection connection, long pid) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*) FROM store_locations WHERE operator_uid = 'customers' AND"
                    + " executor_id = '"
                    + pid
                    + "'")) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }
}
