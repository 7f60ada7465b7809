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

import io.statesql.StateSqlAssert;
import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.SnapshotUpload;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.http.AccessTokens;
import io.statesql.coordinator.http.CoordinatorServer;
import io.statesql.coordinator.http.ServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreLocationsTest {
  private static final String SNAPSHOT =
      "jdbc:statesql:snapshot=" + Path.of("../sql-examples/snapshots/orders");

  /** Has so many rows that the split of the first table stays open while they are read. */
  private static final String LONG_QUERY =
      "SELECT * FROM customers.profile, customers.notes AS a, customers.notes AS b";

  private final StoreCoordinator coordinator = new StoreCoordinator(CoordinatorSettings.DEFAULT);
  private CoordinatorServer server;
  private Connection connection;

  @BeforeEach
  void start() throws IOException, SQLException {
    server = new CoordinatorServer(coordinator, ServerOptions.LOOPBACK.withPort(0));
    server.start();
    connection = DriverManager.getConnection(SNAPSHOT + ";coordinator=" + server.url());
  }

  @AfterEach
  void stop() throws IOException, SQLException {
    connection.close();
    server.close();
  }

  private StateSqlAssert.Query sql(String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }

  private static StoreInstanceId spark(int run, int operator, int partition) {
    StoreId store =
        new StoreId("/checkpoint", Integer.toString(operator), partition, StoreId.DEFAULT_NAME);
    return new StoreInstanceId(store, "run-" + run);
  }

  private void report(StoreInstanceId id, String host, String engine) {
    coordinator.reportActiveInstance(new StoreLocation(host, "1"), InstanceReport.now(id, engine));
  }

  private void reportSome() {
    for (int partition = 0; partition < 4; partition++) {
      report(spark(1, 0, partition), "host-" + partition % 2, "spark");
      report(spark(2, 1, partition), "host-" + partition % 2, "spark");
    }
  }

  @Test
  void emptyRegistryIsAnEmptyTable() throws SQLException {
    sql("SELECT * FROM store_locations")
        .types(
            "engine VARCHAR, checkpoint_location VARCHAR, run_id VARCHAR, operator_id VARCHAR,"
                + " operator_uid VARCHAR, vertex_id VARCHAR, partition_id INTEGER, store_name"
                + " VARCHAR, host VARCHAR, executor_id VARCHAR, first_report_time TIMESTAMP,"
                + " last_report_time TIMESTAMP, last_snapshot_version BIGINT,"
                + " last_snapshot_time TIMESTAMP, lag BIGINT")
        .returnsCount(0);
    sql("SELECT count(*) FROM store_locations").returns("0");
  }

  @Test
  void instanceIsARow() throws SQLException {
    StoreInstanceId id = spark(1, 0, 3);
    coordinator.reportActiveInstance(
        new StoreLocation("host", "7"),
        new InstanceReport(id, "spark", "vertex", 0, new SnapshotUpload(40, 1_700_000_000_000L)));
    coordinator.getLaggingStores("run-1", 42, false);
    sql("SELECT engine, checkpoint_location, run_id, operator_id, operator_uid, vertex_id,"
            + " partition_id, store_name, host, executor_id, last_snapshot_version,"
            + " last_snapshot_time, lag FROM store_locations")
        .returns(
            "spark, /checkpoint, run-1, 0, null, vertex, 3, default, host, 7, 40,"
                + " 2023-11-14 22:13:20.000, 2");
    sql("SELECT count(*) FROM store_locations WHERE first_report_time <= last_report_time"
            + " AND last_report_time > TIMESTAMP '2024-01-01 00:00:00'")
        .returns("1");
  }

  @Test
  void conditionsOnRunOperatorAndPartitionArePushed() throws SQLException {
    reportSome();
    sql("SELECT run_id, partition_id FROM store_locations WHERE run_id = 'run-1' AND host ="
            + " 'host-1'")
        .explainContains("condition=[run_id IN (run-1)]")
        .returnsUnordered("run-1, 1", "run-1, 3");
    sql("SELECT partition_id, run_id FROM store_locations WHERE operator_id IN ('1', 'none')"
            + " AND partition_id IN (0, 2, 9)")
        .explainContains("condition=[operator_id IN (1, none) AND partition_id IN (0, 2, 9)]")
        .returnsUnordered("0, run-2", "2, run-2");
    sql("SELECT count(*) FROM store_locations WHERE partition_id = 2")
        .explainContains("condition=[partition_id IN (2)]", "fields=[[partition_id]]")
        .returns("2");
    sql("SELECT DISTINCT host FROM sys.store_locations WHERE 'run-2' = run_id AND partition_id = 1")
        .explainContains("condition=[run_id IN (run-2) AND partition_id IN (1)]")
        .returns("host-1");
  }

  @Test
  void otherConditionsAreCheckedHere() throws SQLException {
    reportSome();
    sql("SELECT count(*) FROM store_locations WHERE run_id = 'run-1' OR partition_id = 0")
        .explainLacks("condition=[run_id")
        .returns("5");
    sql("SELECT count(*) FROM store_locations WHERE partition_id > 1").returns("4");
    sql("SELECT count(*) FROM store_locations WHERE run_id <> 'run-1'").returns("4");
    sql("SELECT count(*) FROM store_locations WHERE run_id = 'run-1' AND run_id = 'run-2'")
        .returns("0");
    sql("SELECT count(*) FROM store_locations WHERE run_id LIKE 'run%' AND run_id IS NOT NULL")
        .returns("8");
  }

  @Test
  void countingTransfersNoRows() throws SQLException {
    reportSome();
    sql("SELECT count(*) FROM store_locations").explainContains("StateCount").returns("8");
  }

  @Test
  void stateSizePerHostIsOneQuery() throws SQLException {
    List<String[]> subtasks = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT DISTINCT operator_id, subtask FROM state_files WHERE subtask IS NOT NULL")) {
      while (rows.next()) {
        subtasks.add(new String[] {rows.getString(1), rows.getString(2)});
      }
    }
    assertThat(subtasks).hasSizeGreaterThan(10);
    for (String[] subtask : subtasks) {
      int partition = Integer.parseInt(subtask[1]);
      StoreId store = new StoreId("/job", subtask[0], partition, StoreId.DEFAULT_NAME);
      report(new StoreInstanceId(store, "job"), "host-" + partition % 2, "flink");
    }
    List<String> expected =
        sql("SELECT 'host-' || CAST(MOD(subtask, 2) AS VARCHAR), SUM(\"size\") FROM state_files"
                + " WHERE subtask IS NOT NULL GROUP BY MOD(subtask, 2)")
            .rows();
    assertThat(expected).hasSize(2);
    sql("""
        SELECT l.host, SUM(f."size") AS state_size
        FROM store_locations AS l
        JOIN state_files AS f ON f.operator_id = l.operator_id AND f.subtask = l.partition_id
        GROUP BY l.host""")
        .returnsUnordered(expected.toArray(String[]::new));
    sql("""
        SELECT o.uid, l.operator_uid, COUNT(*)
        FROM store_locations AS l JOIN operators AS o USING (operator_id)
        WHERE o.uid = 'customers' GROUP BY o.uid, l.operator_uid""")
        .returns("customers, customers, 2");
  }

  @Test
  void unreachableCoordinatorIsNamedAndFailsNothingElse() throws Exception {
    String url = server.url();
    server.close();
    sql("SELECT * FROM store_locations").throwsSql("08001", url, "cannot be reached");
    sql("SELECT count(*) FROM store_locations").throwsSql("08001", url);
    sql("SELECT count(*) FROM customers.profile").returns("12");
  }

  @Test
  void stoppedCoordinatorSaysSo() {
    coordinator.stopCoordinator();
    sql("SELECT * FROM store_locations").throwsSql("08001", server.url(), "was stopped");
  }

  @Test
  void coordinatorThatWantsATokenRefuses() throws Exception {
    AccessTokens tokens = new AccessTokens(Optional.of("a-token-long-enough"), Optional.empty());
    try (CoordinatorServer secured =
        new CoordinatorServer(coordinator, ServerOptions.LOOPBACK.withPort(0).withTokens(tokens))) {
      secured.start();
      try (Connection refused =
          DriverManager.getConnection(SNAPSHOT + ";coordinator=" + secured.url())) {
        StateSqlAssert.on(refused)
            .sql("SELECT * FROM store_locations")
            .throwsSql("08004", secured.url(), "needs a token");
      }
    }
  }

  @Test
  void splitsThatAreReadAreShownUntilTheyAreClosed() throws SQLException {
    String own =
        "SELECT engine, operator_uid, store_name, executor_id FROM store_locations GROUP BY"
            + " engine, operator_uid, store_name, executor_id";
    String pid = Long.toString(ProcessHandle.current().pid());
    try (Connection embedded = DriverManager.getConnection(SNAPSHOT);
        Statement statement = embedded.createStatement()) {
      try (ResultSet rows = statement.executeQuery(LONG_QUERY)) {
        assertThat(rows.next()).isTrue();
        StateSqlAssert.on(embedded).sql(own).returns("statesql, customers, keyed_state, " + pid);
        StateSqlAssert.on(embedded)
            .sql("SELECT count(*) FROM store_locations WHERE checkpoint_location LIKE '%orders%'")
            .returns("1");
      }
      StateSqlAssert.on(embedded).sql(own).returnsCount(0);
    }
  }
}
