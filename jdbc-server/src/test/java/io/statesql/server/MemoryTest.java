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
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A statement that fills the memory of a server fails alone. */
@Tag("proof")
@Timeout(300)
class MemoryTest {
  private static final String HEAP = "-Xmx80m";

  /** A hundred million rows. */
  private static final String MANY =
      IntStream.range(0, 8)
          .mapToObj(i -> "(VALUES 0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AS d%d (n)".formatted(i))
          .collect(Collectors.joining(", "));

  /** Another number in each of them. */
  private static final String NUMBER =
      IntStream.range(0, 8)
          .mapToObj(i -> "%d * d%d.n".formatted((int) Math.pow(10, i), i))
          .collect(Collectors.joining(" + "));

  private static ServerProcess process;

  @BeforeAll
  static void start() throws Exception {
    process = ServerProcess.start(HEAP);
  }

  @AfterAll
  static void stop() throws Exception {
    process.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT NUMBER FROM MANY ORDER BY NUMBER DESC",
        "SELECT NUMBER, COUNT(*) FROM MANY GROUP BY NUMBER",
        "SELECT COUNT(*) FROM (SELECT NUMBER AS k FROM MANY) AS l"
            + " JOIN (SELECT NUMBER AS k FROM MANY) AS r ON l.k = r.k",
      })
  void othersAreServedWhileAStatementFillsTheMemory(String sql) throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger served = new AtomicInteger();
    List<CompletableFuture<Void>> others =
        IntStream.range(0, 3)
            .mapToObj(i -> CompletableFuture.runAsync(() -> serve(served, isOver)))
            .toList();
    try (Connection connection = process.connect()) {
      SQLException tooLarge =
          catchThrowableOfType(
              SQLException.class,
              () ->
                  RunningServer.rows(
                      connection, sql.replace("NUMBER", NUMBER).replace("MANY", MANY)));
      assertThat(tooLarge.getSQLState()).as(tooLarge.getMessage()).isEqualTo("53200");
      assertThat((Throwable) tooLarge).hasMessageContaining("needs more memory");
      assertThat(RunningServer.rows(connection, "VALUES 1")).hasSize(1);
    } finally {
      isOver.set(true);
    }
    for (CompletableFuture<Void> other : others) {
      other.get();
    }
    assertThat(served.get()).isPositive();
  }

  private void serve(AtomicInteger served, AtomicBoolean isOver) {
    try (Connection connection = process.connect()) {
      do {
        assertThat(
                RunningServer.rows(
                    connection, "SELECT \"order-ids\" FROM \"orders-per-customer\".keyed_state"))
            .hasSize(12);
        served.incrementAndGet();
      } while (!isOver.get());
    } catch (SQLException e) {
      throw new AssertionError("a statement of another client failed", e);
    }
  }
}
