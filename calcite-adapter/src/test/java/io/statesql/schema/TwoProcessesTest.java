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

import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.TimeSource;
import io.statesql.coordinator.http.CoordinatorServer;
import io.statesql.coordinator.http.ServerOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One process reads a snapshot, another sees where. */
@Timeout(300)
class TwoProcessesTest {
  private static final Duration EXPIRY = Duration.ofSeconds(6);
  private static final String SNAPSHOT =
      "jdbc:statesql:snapshot=" + Path.of("../sql-examples/snapshots/orders").toAbsolutePath();

  /** The coordinator's time, which stands still until the test moves it. */
  private final AtomicLong millis = new AtomicLong();

  private final Map<String, Integer> heartbeats = new ConcurrentHashMap<>();

  @Test
  void rowsOfAKilledProcessAreGoneWithinTheExpiry() throws Exception {
    StoreCoordinator coordinator =
        new StoreCoordinator(
            CoordinatorSettings.DEFAULT.withExecutorExpiry(EXPIRY), new TestTime());
    try (CoordinatorServer server =
        new CoordinatorServer(counting(coordinator), ServerOptions.LOOPBACK.withPort(0))) {
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
        while (count(connection, reader.pid()) != 1) {
          Thread.sleep(20);
        }
        for (int i = 0; i < 3; i++) {
          awaitHeartbeat(reader.pid());
          millis.addAndGet(EXPIRY.toMillis());
          assertThat(count(connection, reader.pid())).as("rows while it lives").isOne();
        }
        // SIGKILL: nothing can be withdrawn.
        reader.destroyForcibly();
        assertThat(reader.waitFor()).isEqualTo(137);
        // A last heartbeat may still be on its way.
        while (count(connection, reader.pid()) != 0) {
          Thread.sleep(20);
          millis.addAndGet(EXPIRY.toMillis() + 1);
        }
      }
    }
  }

  private void awaitHeartbeat(long pid) throws InterruptedException {
    String executor = String.valueOf(pid);
    int before = heartbeats.getOrDefault(executor, 0);
    while (heartbeats.getOrDefault(executor, 0) == before) {
      Thread.sleep(20);
    }
  }

  /** A coordinator whose heartbeats are counted by executor, when they have been taken. */
  private CoordinatorEndpoint counting(StoreCoordinator coordinator) {
    return (CoordinatorEndpoint)
        Proxy.newProxyInstance(
            CoordinatorEndpoint.class.getClassLoader(),
            new Class<?>[] {CoordinatorEndpoint.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(coordinator, arguments);
              if (method.getName().equals("heartbeat")) {
                heartbeats.merge(((StoreLocation) arguments[0]).executorId(), 1, Integer::sum);
              }
              return result;
            });
  }

  private final class TestTime implements TimeSource {
    @Override
    public long epochMillis() {
      return System.currentTimeMillis();
    }

    @Override
    public long monotonicMillis() {
      return millis.get();
    }
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
