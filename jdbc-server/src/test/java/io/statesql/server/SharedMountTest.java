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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit of one client moves the mount for all of them. */
class SharedMountTest {
  private static final String COUNTS = "\"orders-per-customer\".\"order-count\"";
  private static final String ADD_ONE = "UPDATE " + COUNTS + " SET state_value = state_value + 1";
  private static final String TOTAL = "SELECT SUM(state_value) FROM " + COUNTS;

  @TempDir private Path folder;
  private Path orders;

  @BeforeEach
  void copySample() throws IOException {
    orders = Files.createDirectory(folder.resolve("orders"));
    try (Stream<Path> files = Files.list(RunningServer.ORDERS)) {
      for (Path file : files.toList()) {
        Files.copy(file, orders.resolve(file.getFileName()));
      }
    }
  }

  private RunningServer start() {
    return RunningServer.start(Map.of("snapshots", List.of(orders.toString()), "writable", true));
  }

  private static void update(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(ADD_ONE)).isEqualTo(12);
    }
  }

  private static String total(Connection connection) throws SQLException {
    return RunningServer.rows(connection, TOTAL).get(0).get(0);
  }

  @Test
  void whatOneClientCommitsTheOthersSeeAndChange() throws Exception {
    try (RunningServer server = start();
        Connection first = server.connect();
        Connection second = server.connect()) {
      assertThat(total(second)).isEqualTo("100");
      update(first);
      assertThat(total(second)).isEqualTo("112");
      update(second);
      try (Connection late = server.connect()) {
        assertThat(total(late)).isEqualTo("124");
        update(late);
      }
      assertThat(total(first)).isEqualTo("136");
    }
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder(
            "orders", "orders-edited-1", "orders-edited-2", "orders-edited-3");
  }

  @Test
  void aTransactionThatBeganBeforeIsRefusedAndTheNextOneSeesTheCommit() throws Exception {
    try (RunningServer server = start();
        Connection first = server.connect();
        Connection second = server.connect()) {
      second.setAutoCommit(false);
      update(second);
      update(first);
      assertThat(total(second)).isEqualTo("112");
      assertThatThrownBy(second::commit)
          // Avatica's client throws this class where others throw an SQLException.
          .isInstanceOfSatisfying(
              AvaticaClientRuntimeException.class,
              e -> assertThat(e.getSqlState()).isEqualTo("40001"));
      second.rollback();
      update(second);
      second.commit();
      assertThat(total(first)).isEqualTo("124");
    }
  }

  @Test
  void aSavepointThatWasTakenAwayIsNotShown() throws Exception {
    try (RunningServer server = start();
        Connection first = server.connect()) {
      update(first);
      Files.move(folder.resolve("orders-edited-1"), folder.resolve("elsewhere"));
      try (Connection late = server.connect()) {
        assertThat(total(late)).isEqualTo("100");
      }
    }
  }
}
