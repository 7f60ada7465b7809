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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients change state: what they are told, what is written, and what other clients see. */
class RemoteChangesTest {
  private static final String COUNTS = "\"orders-per-customer\".\"order-count\"";
  private static final String ADD_ONE = "UPDATE " + COUNTS + " SET state_value = state_value + 1";
  private static final String TOTAL = "SELECT SUM(state_value) FROM " + COUNTS;
  private static final String DELETE_ALL = "DELETE FROM " + COUNTS;

  @TempDir private Path folder;

  /** A server of a copy of the sample, beside which its commits go. */
  private RunningServer start(Map<String, Object> config) throws IOException {
    return RunningServer.start(
        Map.of(
            "snapshots", List.of(copy(folder.resolve("orders")).toString()),
            "writable", config.getOrDefault("writable", true),
            "users", config.getOrDefault("users", List.of())));
  }

  private RunningServer start() throws IOException {
    return start(Map.of());
  }

  private static Path copy(Path target) throws IOException {
    try (Stream<Path> files = Files.walk(RunningServer.ORDERS)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copied = target.resolve(RunningServer.ORDERS.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copied);
        } else {
          Files.copy(file, copied);
        }
      }
    }
    return target;
  }

  private Path savepoint(int number) {
    return folder.resolve("orders-edited-" + number);
  }

  private static long update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeLargeUpdate(sql);
    }
  }

  private static String total(Connection connection) throws SQLException {
    return RunningServer.rows(connection, TOTAL).get(0).get(0);
  }

  private static SQLException refused(Connection connection, String sql) {
    return catchThrowableOfType(SQLException.class, () -> update(connection, sql));
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void eachKindOfStatementTellsHowManyRowsItChanged(String serialization) throws Exception {
    try (RunningServer server = start();
        Connection connection = server.connect(serialization)) {
      connection.setAutoCommit(false);
      assertThat(update(connection, "INSERT INTO " + COUNTS + " VALUES (700, 5), (701, 6)"))
          .isEqualTo(2);
      assertThat(update(connection, "UPSERT INTO " + COUNTS + " VALUES (701, 60)")).isEqualTo(1);
      assertThat(update(connection, ADD_ONE + " WHERE state_key >= 700")).isEqualTo(2);
      assertThat(update(connection, DELETE_ALL + " WHERE state_key = 700")).isEqualTo(1);
      assertThat(update(connection, "DROP SCHEMA \"page-visits\"")).isZero();
      assertThat(update(connection, DELETE_ALL + " WHERE state_key = 12345")).isZero();

      assertThat(
              RunningServer.rows(
                  connection, "SELECT state_value FROM " + COUNTS + " WHERE state_key >= 700"))
          .containsExactly(List.of("61"));
      connection.commit();
    }
    try (RunningServer after =
            RunningServer.start(Map.of("snapshots", List.of(savepoint(1).toString())));
        Connection connection = after.connect(serialization)) {
      assertThat(total(connection)).isEqualTo("161");
      assertThat(
              RunningServer.rows(
                  connection, "SELECT COUNT(*) FROM operators WHERE uid = 'page-visits'"))
          .containsExactly(List.of("0"));
    }
    assertThat(savepoint(2)).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void preparedStatementsAndBatchesChange(String serialization) throws Exception {
    try (RunningServer server = start();
        Connection connection = server.connect(serialization)) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO " + COUNTS + " VALUES (?, ?)")) {
        insert.setLong(1, 700);
        insert.setLong(2, 5);
        assertThat(insert.executeUpdate()).isEqualTo(1);
        for (int key = 701; key < 704; key++) {
          insert.setLong(1, key);
          insert.setLong(2, 1);
          insert.addBatch();
        }
        assertThat(insert.executeLargeBatch()).containsExactly(1, 1, 1);
      }
      try (Statement statement = connection.createStatement()) {
        statement.addBatch(ADD_ONE + " WHERE state_key >= 700");
        statement.addBatch(DELETE_ALL + " WHERE state_key = 703");
        assertThat(statement.executeBatch()).containsExactly(4, 1);
      }
      assertThat(total(connection)).isEqualTo("110");
    }
    assertThat(savepoint(3)).as("a batch is one commit").exists();
    assertThat(savepoint(4)).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void transactionIsSeenByItselfUntilItCommits(String serialization) throws Exception {
    try (RunningServer server = start();
        Connection writer = server.connect(serialization);
        Connection reader = server.connect(serialization)) {
      writer.setAutoCommit(false);
      assertThat(update(writer, ADD_ONE)).isEqualTo(12);
      assertThat(total(writer)).isEqualTo("112");
      assertThat(total(reader)).isEqualTo("100");
      writer.rollback();
      assertThat(total(writer)).isEqualTo("100");

      update(writer, ADD_ONE);
      update(writer, DELETE_ALL + " WHERE state_key = 0");
      assertThat(savepoint(1)).doesNotExist();
      writer.commit();
      assertThat(total(writer)).isEqualTo("103");
      assertThat(RunningServer.rows(writer, "SELECT savepoint FROM commits"))
          .containsExactly(List.of(savepoint(1).toString()));
      assertThat(total(reader)).isEqualTo("103");
      try (Connection late = server.connect(serialization)) {
        assertThat(late.getCatalog()).isEqualTo("orders");
        assertThat(total(late)).isEqualTo("103");
      }
    }
  }

  @Test
  void withAutoCommitEachClientWorksOnWhatTheLastCommitted() throws Exception {
    try (RunningServer server = start();
        Connection first = server.connect("protobuf");
        Connection second = server.connect("json")) {
      update(first, ADD_ONE);
      update(second, ADD_ONE);
      update(first, ADD_ONE);
      assertThat(total(second)).isEqualTo("136");
      assertThat(RunningServer.rows(second, "SELECT savepoint, base FROM commits"))
          .containsExactly(
              List.of(savepoint(3).toString(), savepoint(2).toString()),
              List.of(savepoint(2).toString(), savepoint(1).toString()),
              List.of(savepoint(1).toString(), folder.resolve("orders").toString()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void ofTwoTransactionsOnOneSnapshotOneWins(String serialization) throws Exception {
    try (RunningServer server = start();
        Connection first = server.connect(serialization);
        Connection second = server.connect(serialization)) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      update(first, ADD_ONE);
      update(second, DELETE_ALL);
      first.commit();

      Throwable conflict = catchThrowable(second::commit);
      assertThat(sqlState(conflict)).isEqualTo("40001");
      assertThat(conflict).hasMessageContaining("Nothing was committed");
      assertThat(savepoint(2)).doesNotExist();
      second.rollback();
      assertThat(total(second)).as("the next transaction sees what won").isEqualTo("112");
      update(second, DELETE_ALL);
      second.commit();
      assertThat(savepoint(2)).exists();
      first.commit();
      assertThat(RunningServer.rows(first, "SELECT COUNT(*) FROM " + COUNTS))
          .containsExactly(List.of("0"));
    }
  }

  /** Of a commit, Avatica's client throws the failure as it is. */
  private static String sqlState(Throwable failure) {
    return failure instanceof AvaticaClientRuntimeException ofClient
        ? ofClient.getSqlState()
        : ((SQLException) failure).getSQLState();
  }

  @Test
  void closingForgetsWhatWasNotCommitted() throws Exception {
    try (RunningServer server = start()) {
      try (Connection connection = server.connect()) {
        connection.setAutoCommit(false);
        update(connection, ADD_ONE);
      }
      try (Connection connection = server.connect()) {
        assertThat(total(connection)).isEqualTo("100");
      }
    }
    assertThat(savepoint(1)).doesNotExist();
  }

  @Test
  void turningAutoCommitOnCommits() throws Exception {
    try (RunningServer server = start();
        Connection connection = server.connect()) {
      connection.setAutoCommit(false);
      update(connection, ADD_ONE);
      connection.setAutoCommit(true);
      assertThat(total(connection)).isEqualTo("112");
      assertThat(savepoint(1)).exists();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void changesThatCannotBeAreRefusedWithTheirReason(String serialization) throws Exception {
    try (RunningServer server = start();
        Connection connection = server.connect(serialization)) {
      SQLException duplicate = refused(connection, "INSERT INTO " + COUNTS + " VALUES (1, 2)");
      assertThat(duplicate.getSQLState()).isEqualTo("23505");
      assertThat((Throwable) duplicate)
          .hasMessageContaining("the row (state_key = 1) exists already");
      SQLException tooWide =
          refused(
              connection,
              "UPDATE \"orders-per-customer\".\"order-statistics\" SET f2 = 3000000000");
      assertThat(tooWide.getSQLState()).isEqualTo("22000");
      SQLException unknown = refused(connection, "DELETE FROM customers.nothing");
      assertThat(unknown.getSQLState()).as(unknown.getMessage()).isEqualTo("42S02");
      SQLException merge =
          refused(
              connection,
              "MERGE INTO "
                  + COUNTS
                  + " AS t USING (VALUES (1)) AS s (k) ON t.state_key = s.k"
                  + " WHEN MATCHED THEN UPDATE SET state_value = 1");
      assertThat(merge.getSQLState()).isEqualTo("0A000");
      assertThat(total(connection)).isEqualTo("100");
    }
    assertThat(savepoint(1)).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO \"orders-per-customer\".\"order-count\" VALUES (700, 5)",
        "UPSERT INTO \"orders-per-customer\".\"order-count\" VALUES (700, 5)",
        "UPDATE \"orders-per-customer\".\"order-count\" SET state_value = 1",
        "DELETE FROM \"orders-per-customer\".\"order-count\"",
        "DELETE FROM \"order-timeouts\".timers",
        "DROP SCHEMA customers",
        "DROP SCHEMA IF EXISTS nothing"
      })
  void serverThatOnlyReadsRefusesEachChange(String sql) throws Exception {
    try (RunningServer server = start(Map.of("writable", false))) {
      for (String serialization : List.of("protobuf", "json")) {
        try (Connection connection = server.connect(serialization)) {
          SQLException refused = refused(connection, sql);
          assertThat(refused.getSQLState()).isEqualTo("25006");
          assertThat((Throwable) refused).hasMessageContaining("--writable");
          SQLException unprepared =
              catchThrowableOfType(
                  SQLException.class, () -> connection.prepareStatement(sql).close());
          assertThat(unprepared.getSQLState()).isEqualTo("25006");
        }
      }
    }
  }

  @Test
  void rolesMayDoWhatTheirNamesSay() throws Exception {
    List<Map<String, String>> users =
        Stream.of("reader", "writer", "admin")
            .map(
                role ->
                    Map.of(
                        "name", role, "password", PasswordHash.of(role).toString(), "role", role))
            .toList();
    try (RunningServer server = start(Map.of("users", users));
        Connection reader = server.connect("reader", "reader");
        Connection writer = server.connect("writer", "writer");
        Connection admin = server.connect("admin", "admin")) {
      assertThat(refused(reader, ADD_ONE).getSQLState()).isEqualTo("42501");
      assertThat(update(writer, ADD_ONE)).isEqualTo(12);
      assertThat(refused(writer, "DROP SCHEMA customers").getSQLState()).isEqualTo("42501");
      assertThat(update(admin, "DROP SCHEMA customers")).isZero();
      assertThat(total(reader)).isEqualTo("112");
      assertThat(
              catchThrowableOfType(
                      SQLException.class,
                      () -> RunningServer.rows(reader, "SELECT * FROM customers.keyed_state"))
                  .getSQLState())
          .isEqualTo("3F000");
    }
  }

  /** A place of its own keeps the folder of a job as it is, whose next checkpoint counts again. */
  @Test
  void commitOfACheckpointGoesWhereTheServerWasTold() throws Exception {
    copy(folder.resolve("job/chk-7"));
    Path place = folder.resolve("edits");
    try (RunningServer server =
            RunningServer.start(
                Map.of(
                    "snapshots",
                    List.of("job=" + folder.resolve("job")),
                    "writable",
                    true,
                    "commitTo",
                    place.toString()));
        Connection connection = server.connect();
        Connection other = server.connect()) {
      update(connection, ADD_ONE);
      update(connection, ADD_ONE);
      assertThat(total(connection)).isEqualTo("124");
      assertThat(total(other)).isEqualTo("124");
      assertThat(place.resolve("chk-7-edited-2/_metadata")).exists();
      assertThat(folder.resolve("job").toFile().list()).containsExactly("chk-7");

      copy(folder.resolve("job/chk-8"));
      server.skip(Duration.ofSeconds(2));
      assertThat(total(other)).isEqualTo("100");
    }
  }
}
