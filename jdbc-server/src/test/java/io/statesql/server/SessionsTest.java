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
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.statesql.jdbc.EndlessCatalog;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.AvaticaSqlException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of connections and statements: limits, ends, restarts. */
@Timeout(600)
class SessionsTest {
  private static final String COUNT = "SELECT COUNT(*) FROM operator.endless";
  private static final String TRUSTED_MILLIS = "com.zaxxer.hikari.aliveBypassWindowMs";
  private static final String ROWS = "SELECT n FROM operator.endless";

  private final EndlessCatalog catalog = new EndlessCatalog();

  private RunningServer start(Map<String, Object> limits) {
    return RunningServer.start(catalog, Map.of("limits", limits));
  }

  private static SQLException failure(Connection connection, String sql) {
    return catchThrowableOfType(SQLException.class, () -> RunningServer.rows(connection, sql));
  }

  private void awaitReading() throws InterruptedException {
    while (catalog.rowsRead() == 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private void awaitNoOpenScan() throws InterruptedException {
    while (catalog.openScans() > 0) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Test
  void closingTheConnectionEndsItsStatements() throws Exception {
    try (RunningServer server = start(Map.of())) {
      Connection connection = server.connect();
      CompletableFuture<SQLException> failure =
          CompletableFuture.supplyAsync(() -> failure(connection, COUNT));
      awaitReading();
      connection.close();

      assertThat(failure.get(5, TimeUnit.MINUTES).getSQLState()).isEqualTo("57014");
      awaitNoOpenScan();
      assertThat(server.server().connections()).isZero();
    }
  }

  @Test
  void statementEndsAtItsTimeLimit() throws SQLException {
    try (RunningServer server = start(Map.of("statementSeconds", 1));
        Connection connection = server.connect()) {
      SQLException failure = failure(connection, COUNT);

      assertThat(failure.getSQLState()).isEqualTo("57014");
      assertThat((Throwable) failure).hasMessageContaining("time limit of 1 s");
    }
  }

  @Test
  void preparationEndsAtTheTimeLimitOfStatements() throws SQLException {
    try (RunningServer server = start(Map.of("statementSeconds", 1));
        Connection connection = server.connect()) {
      SQLException failure =
          catchThrowableOfType(
              SQLException.class, () -> connection.prepareStatement("SELECT n FROM operator.slow"));

      assertThat(failure.getSQLState()).isEqualTo("57014");
      assertThat(((AvaticaSqlException) failure).getStackTraces())
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains("time limit of 1 s");
      assertThat(catalog.rowsRead()).isZero();
    }
  }

  @Test
  void runningStatementsOfAUserAreLimited() throws SQLException {
    try (RunningServer server = start(Map.of("runningPerUser", 2));
        Connection connection = server.connect();
        Connection other = server.connect();
        Statement first = connection.createStatement()) {
      Statement second = connection.createStatement();
      assertThat(first.executeQuery(ROWS).next()).isTrue();
      assertThat(second.executeQuery(ROWS).next()).isTrue();
      SQLException tooMany = failure(other, "VALUES 1");
      assertThat(tooMany.getSQLState()).isEqualTo("53300");

      second.close();
      assertThat(RunningServer.rows(other, "VALUES 1")).hasSize(1);
      assertThat(RunningServer.rows(other, "VALUES 1")).hasSize(1);
    }
  }

  @Test
  void questionsThatAreRefusedLeaveNothingOpen() throws SQLException {
    try (RunningServer server = start(Map.of("runningPerUser", 1, "statementsPerConnection", 3));
        Connection connection = server.connect()) {
      Statement first = connection.createStatement();
      assertThat(first.executeQuery(ROWS).next()).isTrue();
      for (int i = 0; i < 5; i++) {
        assertThat(catchThrowable(() -> connection.getMetaData().getCatalogs()))
            .hasMessageContaining("statements running or with an open result");
      }
      try (Statement second = connection.createStatement()) {
        assertThat(second.isClosed()).isFalse();
      }
      first.close();
      assertThat(RunningServer.rows(connection.getMetaData().getCatalogs())).hasSize(1);
    }
  }

  @Test
  void connectionsAreLimited() throws SQLException {
    try (RunningServer server = start(Map.of("connections", 1))) {
      Connection only = server.connect();
      assertThat(catchThrowableOfType(Exception.class, () -> server.connect().getCatalog()))
          .hasStackTraceContaining("allows no more");
      only.close();
      server.connect().close();
    }
  }

  @Test
  void idleConnectionIsClosed() throws Exception {
    try (RunningServer server = start(Map.of("connectionIdleSeconds", 1))) {
      Connection connection = server.connect();
      try (Statement statement = connection.createStatement()) {
        assertThat(statement.executeQuery(ROWS).next()).isTrue();
        server.skip(Duration.ofSeconds(2));
        while (server.server().connections() > 0) {
          TimeUnit.MILLISECONDS.sleep(20);
        }
        awaitNoOpenScan();
        SQLException failure =
            catchThrowableOfType(SQLException.class, () -> statement.executeQuery("VALUES 1"));
        assertThat(failure.getSQLState()).isEqualTo("08003");
      } catch (SQLException closing) {
        // What the server forgot cannot be closed.
        assertThat(closing.getSQLState()).isEqualTo("08003");
      }
    }
  }

  @Test
  void rowsOfAnIdleStatementAreGone() throws Exception {
    try (RunningServer server = start(Map.of("statementIdleSeconds", 1));
        Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(ROWS)) {
      server.skip(Duration.ofSeconds(2));
      awaitNoOpenScan();
      AvaticaClientRuntimeException gone =
          catchThrowableOfType(
              AvaticaClientRuntimeException.class,
              () -> {
                while (result.next()) {
                  assertThat(result.getInt(1)).isNotNegative();
                }
              });

      assertThat(gone.getSqlState()).isEqualTo("26000");
      assertThat(gone).hasMessageContaining("Run the statement again");
    }
  }

  /** However long a result is, the server reads little more of it than the client took. */
  @Test
  void largeResultStreams() throws SQLException {
    try (RunningServer server = start(Map.of("frameBytes", 100_000));
        Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.setFetchSize(Integer.MAX_VALUE);
      try (ResultSet result = statement.executeQuery("SELECT t FROM operator.wide")) {
        assertThat(result.next()).isTrue();
        assertThat(catalog.rowsRead()).isLessThan(500);
        for (int i = 1; i < 5000; i++) {
          assertThat(result.next()).isTrue();
          assertThat(result.getString(1)).endsWith("9" + i);
        }
        assertThat(catalog.rowsRead()).isLessThan(5500);
      }
    }
  }

  @Test
  void fiftyClientsAreServedAtOnce() throws Exception {
    try (RunningServer server = RunningServer.start()) {
      ExecutorService clients = Executors.newFixedThreadPool(50);
      try {
        List<Callable<List<List<String>>>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          String serialization = i % 2 == 0 ? "protobuf" : "json";
          calls.add(
              () -> {
                try (Connection connection = server.connect(serialization)) {
                  return RunningServer.rows(
                      connection, "SELECT COUNT(*) FROM customers.keyed_state");
                }
              });
        }
        for (Future<List<List<String>>> rows : clients.invokeAll(calls)) {
          assertThat(rows.get()).containsExactly(List.of("12"));
        }
      } finally {
        clients.shutdownNow();
      }
      assertThat(server.server().connections()).isZero();
    }
  }

  /** Also those that are slow to notice that they shall end: the port is open for their answers. */
  @Test
  void stoppingEndsStatementsThatGoOn() throws Exception {
    RunningServer server = start(Map.of("stopSeconds", 1));
    int port = server.server().port();
    catalog.whenEnded(() -> awaitNoMoreConnections(port));
    Connection connection = server.connect();
    CompletableFuture<SQLException> failure =
        CompletableFuture.supplyAsync(() -> failure(connection, COUNT));
    awaitReading();
    server.close();

    assertThat(failure.get(5, TimeUnit.MINUTES).getSQLState()).isEqualTo("57014");
    awaitNoOpenScan();
  }

  private static void awaitNoMoreConnections(int port) {
    while (true) {
      try {
        new Socket("localhost", port).close();
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (IOException isStopping) {
        return;
      } catch (InterruptedException e) {
        throw new AssertionError("The statement was not left time to answer", e);
      }
    }
  }

  @Test
  void clientsFindBackAfterARestart() throws Exception {
    RunningServer before = start(Map.of());
    int port = before.server().port();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(before.jdbcUrl("protobuf"));
    config.setMaximumPoolSize(2);
    config.setConnectionTestQuery("VALUES 1");
    config.setConnectionTimeout(TimeUnit.MINUTES.toMillis(5));
    config.setValidationTimeout(TimeUnit.MINUTES.toMillis(5));
    // Else Hikari trusts a connection that was used a moment ago.
    System.setProperty(TRUSTED_MILLIS, "0");
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection plain = before.connect();
        Connection reconnecting =
            DriverManager.getConnection(
                before.jdbcUrl("protobuf") + ";transparent_reconnection=true")) {
      try (Connection pooled = pool.getConnection()) {
        assertThat(RunningServer.rows(pooled, "VALUES 1")).hasSize(1);
      }
      assertThat(RunningServer.rows(reconnecting, "VALUES 1")).hasSize(1);
      before.close();
      try (RunningServer after = RunningServer.start(catalog, Map.of("port", port))) {
        try (Connection pooled = pool.getConnection()) {
          assertThat(RunningServer.rows(pooled, "VALUES 2")).hasSize(1);
        }
        assertThat(RunningServer.rows(reconnecting, "VALUES 2")).hasSize(1);
        SQLException lost =
            catchThrowableOfType(
                SQLException.class, () -> plain.prepareStatement("VALUES 2").close());
        assertThat(lost.getSQLState()).isEqualTo("08003");
        assertThat(((AvaticaSqlException) lost).getStackTraces())
            .singleElement(InstanceOfAssertFactories.STRING)
            .endsWith("Connect again; a proxy has to send all requests of a client to one server.");
        assertThat(after.server().connections()).isPositive();
      }
    } catch (SQLException closing) {
      // What the server forgot cannot be closed.
      assertThat((Throwable) closing).hasMessageContaining("While closing");
    } finally {
      System.clearProperty(TRUSTED_MILLIS);
    }
  }
}
