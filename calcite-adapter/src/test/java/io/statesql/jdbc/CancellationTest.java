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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import io.statesql.Cancellation;
import io.statesql.StateSqlAssert;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class CancellationTest {
  /** Ten billion rows of no state. */
  private static final String MANY =
      IntStream.range(0, 10)
          .mapToObj(i -> "(VALUES 0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AS d%d (n)".formatted(i))
          .collect(Collectors.joining(", "));

  private static final String SUM =
      IntStream.range(0, 10).mapToObj(i -> "d" + i + ".n").collect(Collectors.joining(" + "));

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** A statement of a warm machine allocates some megabytes before its first row. */
  private static final long STEP_BYTES = 50_000;

  private final CountDownLatch scanning = new CountDownLatch(1);
  private final CountDownLatch pausing = new CountDownLatch(2);
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    ToySchema operator =
        new ToySchema()
            .table("endless", source(cancellation -> {}))
            .table("stuck", source(CancellationTest::neverReachARow))
            .table("pausing", source(this::neverReachASecondRow));
    connection = StateSqlAssert.connect(options -> catalog(operator), "snapshot=/toy");
    connection.setSchema("operator");
  }

  private static List<MountedCatalog> catalog(ToySchema operator) {
    return List.of(
        new MountedCatalog(
            "toy", new ToySchema().schema("operator", operator).schema("sys", new ToySchema())));
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private ToySource source(Consumer<Cancellation> beforeRow) {
    return source(number -> new Object[] {number & 1}, beforeRow);
  }

  private ToySource source(Function<Integer, Object[]> rows, Consumer<Cancellation> beforeRow) {
    return new ToySource(
        columns -> columns.add("n", SqlTypeName.INTEGER),
        rows,
        cancellation -> {
          scanning.countDown();
          beforeRow.accept(cancellation);
        });
  }

  /** As a scan that passes over states that nobody asked for. */
  private static void neverReachARow(Cancellation cancellation) {
    while (true) {
      cancellation.check();
      Thread.onSpinWait();
    }
  }

  private void neverReachASecondRow(Cancellation cancellation) {
    pausing.countDown();
    if (pausing.getCount() == 0) {
      neverReachARow(cancellation);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT n FROM endless WHERE n > 1",
        "SELECT COUNT(*) FROM endless",
        "SELECT a.n FROM endless a JOIN endless b ON a.n = b.n",
        "SELECT n FROM endless ORDER BY n",
        "SELECT n FROM stuck"
      })
  void aTimeLimitEndsAStatement(String query) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      SQLException failure = failure(statement, query);
      assertThat(failure.getSQLState()).isEqualTo("57014");
      assertThat(failure.getMessage()).contains("time limit of 1 s");
    }
  }

  /** Where nothing is scanned, and rows come from joins, recursion or sub-queries alone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM MANY",
        "SELECT 1 FROM MANY WHERE SUM_OF_ALL < 0",
        "SELECT d0.n, COUNT(DISTINCT d1.n) FROM MANY GROUP BY d0.n",
        "SELECT d0.n FROM MANY ORDER BY d1.n + d2.n",
        "SELECT LISTAGG(CAST(d0.n AS VARCHAR)) FROM MANY",
        "SELECT COUNT(*) FROM (SELECT d0.n FROM MANY) AS l FULL JOIN (VALUES 1, 2) AS r (n) ON l.n > r.n + 100",
        "SELECT 1 FROM (SELECT d0.n FROM MANY UNION SELECT d1.n FROM MANY)",
        "SELECT 1 FROM (VALUES 1) AS o (n) WHERE (SELECT COUNT(*) FROM MANY WHERE d0.n < o.n) = 1",
        "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT COUNT(*) FROM t",
      })
  void aTimeLimitEndsWhatReadsNoState(String query) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      SQLException failure =
          failure(statement, query.replace("MANY", MANY).replace("SUM_OF_ALL", SUM));
      assertThat(failure.getSQLState()).as(failure.getMessage()).isEqualTo("57014");
    }
  }

  @Test
  void closingTheConnectionEndsWhatReadsNoState() throws Exception {
    Statement statement = connection.createStatement();
    CompletableFuture<SQLException> failure =
        CompletableFuture.supplyAsync(
            () -> failure(statement, "SELECT COUNT(*) FROM stuck, " + MANY));
    assertThat(scanning.await(5, TimeUnit.MINUTES)).isTrue();
    connection.close();
    assertThat(failure.get(5, TimeUnit.MINUTES).getSQLState()).isEqualTo("57014");
  }

  private static String joins(int count) {
    return "SELECT COUNT(*) FROM endless AS t0"
        + IntStream.range(1, count)
            .mapToObj(i -> " JOIN endless AS t%d ON t%d.n = t%d.n".formatted(i, i - 1, i))
            .collect(Collectors.joining());
  }

  @Test
  void aTimeLimitEndsThePlanning() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      SQLException failure = failure(statement, joins(20));
      assertThat(failure.getSQLState()).isEqualTo("57014");
      assertThat(scanning.getCount()).as("nothing was read").isPositive();
    }
  }

  /** Which other threads plan on the same connection meanwhile. */
  @Test
  void aTimeLimitEndsThePlanningBesideOtherStatements() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> others =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                try (Statement other = connection.createStatement()) {
                  assertThat(other.executeQuery("VALUES 1").next()).isTrue();
                } catch (SQLException e) {
                  throw new AssertionError(e);
                }
              }
            });
    try {
      aTimeLimitEndsThePlanning();
    } finally {
      over.set(true);
    }
    others.get(30, TimeUnit.SECONDS);
  }

  /** So few attempts are enough to find a plan, and the search would go on for very long. */
  @Test
  void manyJoinsGetThePlanThatWasFoundInTime() throws SQLException {
    ToySource few = source(number -> number < 2 ? new Object[] {number} : null, cancellation -> {});
    try (Connection impatient =
            new StateSqlDriver(options -> catalog(new ToySchema().table("endless", few)), 500)
                .connect(StateSqlDriver.URL_PREFIX + "snapshot=/toy", new Properties());
        Statement statement = impatient.createStatement()) {
      impatient.setSchema("operator");
      try (ResultSet results = statement.executeQuery(joins(14))) {
        assertThat(results.next()).isTrue();
        assertThat(results.getInt(1)).isEqualTo(2);
      }
    }
  }

  @Test
  void aTimeLimitEndsAPreparedStatement() throws SQLException {
    try (var statement =
        connection.prepareStatement("SELECT n FROM endless WHERE n > CAST(? AS INTEGER)")) {
      statement.setInt(1, 1);
      statement.setQueryTimeout(1);
      SQLException failure =
          catchThrowableOfType(
              SQLException.class,
              () -> {
                try (ResultSet results = statement.executeQuery()) {
                  results.next();
                }
              });
      assertThat(failure.getSQLState()).isEqualTo("57014");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT n FROM endless WHERE n > 1",
        "SELECT COUNT(*) FROM endless",
        "SELECT n FROM stuck"
      })
  void cancelEndsAStatement(String query) throws Exception {
    try (Statement statement = connection.createStatement()) {
      CompletableFuture<SQLException> failure =
          CompletableFuture.supplyAsync(() -> failure(statement, query));
      assertThat(scanning.await(5, TimeUnit.MINUTES)).isTrue();
      statement.cancel();
      SQLException failed = failure.get(5, TimeUnit.MINUTES);
      assertThat(failed.getSQLState()).isEqualTo("57014");
      assertThat(failed.getMessage()).contains("cancel");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT n FROM endless WHERE n > 1",
        "SELECT COUNT(*) FROM endless",
        "SELECT a.n FROM endless a JOIN stuck b ON a.n = b.n",
        "SELECT n FROM stuck"
      })
  void closingTheStatementEndsIt(String query) throws Exception {
    Statement statement = connection.createStatement();
    CompletableFuture<SQLException> failure =
        CompletableFuture.supplyAsync(() -> failure(statement, query));
    assertThat(scanning.await(5, TimeUnit.MINUTES)).isTrue();
    statement.close();
    assertThat((Throwable) failure.get(5, TimeUnit.MINUTES)).isNotNull();
  }

  @Test
  void closingTheResultEndsAMoveInAnotherThread() throws Exception {
    try (Statement statement = connection.createStatement()) {
      ResultSet results = statement.executeQuery("SELECT n FROM pausing");
      CompletableFuture<Throwable> failure =
          CompletableFuture.supplyAsync(() -> catchThrowable(results::next));
      assertThat(pausing.await(5, TimeUnit.MINUTES)).isTrue();
      results.close();
      assertThat(failure.get(5, TimeUnit.MINUTES)).isNotNull();
    }
  }

  @Test
  void aCanceledStatementCanRunAgain() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      ResultSet results = statement.executeQuery("SELECT n FROM endless");
      assertThat(results.next()).isTrue();
      statement.cancel();
      assertThatThrownBy(results::next).hasMessageContaining("cancel");
      assertThat(statement.executeQuery("SELECT n FROM endless").next()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT n FROM endless WHERE n > 1",
        "SELECT COUNT(*) FROM endless",
        "SELECT n FROM stuck"
      })
  void closingTheConnectionEndsAStatement(String query) throws Exception {
    Statement statement = connection.createStatement();
    CompletableFuture<SQLException> failure =
        CompletableFuture.supplyAsync(() -> failure(statement, query));
    assertThat(scanning.await(5, TimeUnit.MINUTES)).isTrue();
    connection.close();
    assertThat(failure.get(5, TimeUnit.MINUTES).getSQLState()).isEqualTo("57014");
  }

  /** How another thread ends a statement. */
  private enum Ending {
    CANCEL {
      @Override
      void end(Statement statement) throws SQLException {
        statement.cancel();
      }
    },
    CLOSE_STATEMENT {
      @Override
      void end(Statement statement) throws SQLException {
        statement.close();
      }
    },
    CLOSE_CONNECTION {
      @Override
      void end(Statement statement) throws SQLException {
        statement.getConnection().close();
      }
    };

    abstract void end(Statement statement) throws SQLException;
  }

  /**
   * Also while code is generated, and between the planning and the first row. How far a statement
   * is, is told by what its thread has allocated, which is much the same on every machine.
   */
  @ParameterizedTest
  @EnumSource
  void aStatementEndsAtAnyTime(Ending ending) throws Exception {
    String query =
        "SELECT COUNT(*) FROM endless WHERE n > 1 AND (SELECT COUNT(*) FROM endless) = 1";
    for (int i = 0; i < 50; i++) {
      Statement statement = connection.createStatement();
      SQLException failure =
          endAfter(i * STEP_BYTES, ending, statement, () -> failure(statement, query));
      assertThat(failure.getSQLState()).as("%s: %s", i, failure.getMessage()).isEqualTo("57014");
      connection.close();
      connect();
    }
  }

  /** Ends something when its thread has allocated so much. */
  private static SQLException endAfter(
      long bytes, Ending ending, Statement statement, Supplier<SQLException> running)
      throws Exception {
    CompletableFuture<Long> beginning = new CompletableFuture<>();
    CompletableFuture<SQLException> failure =
        CompletableFuture.supplyAsync(
            () -> {
              beginning.complete(Thread.currentThread().getId());
              return running.get();
            });
    long thread = beginning.get(5, TimeUnit.MINUTES);
    long end = THREADS.getThreadAllocatedBytes(thread) + bytes;
    while (!failure.isDone() && THREADS.getThreadAllocatedBytes(thread) < end) {
      Thread.onSpinWait();
    }
    ending.end(statement);
    // A cancellation that comes before a statement begins is none of its own.
    while (ending == Ending.CANCEL && !failure.isDone()) {
      ending.end(statement);
      Thread.onSpinWait();
    }
    return failure.get(5, TimeUnit.MINUTES);
  }

  @ParameterizedTest
  @EnumSource
  void aStatementEndsWhileItIsPlanned(Ending ending) throws Exception {
    Statement statement = connection.createStatement();
    SQLException failure =
        endAfter(20_000_000, ending, statement, () -> failure(statement, joins(20)));
    assertThat(failure.getSQLState()).as(failure.getMessage()).isEqualTo("57014");
    assertThat(scanning.getCount()).as("nothing was read").isPositive();
  }

  /** There is no statement yet to set a limit of, so it is the connection's. */
  @Test
  void aTimeLimitEndsThePreparation() throws SQLException {
    ToySource slow =
        new ToySource(
            columns -> ToySource.afterMoreThanASecond(columns).add("n", SqlTypeName.INTEGER),
            number -> new Object[] {number},
            cancellation -> scanning.countDown());
    ToySchema operator = new ToySchema().table("slow", slow);
    try (Connection limited =
        StateSqlAssert.connect(options -> catalog(operator), "snapshot=/toy;statementSeconds=1")) {
      limited.setSchema("operator");
      assertThatThrownBy(() -> limited.prepareStatement("SELECT n FROM slow"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"))
          .hasMessageContaining("time limit of 1 s");
      assertThat(scanning.getCount()).as("nothing was read").isPositive();
      try (Statement statement = limited.createStatement()) {
        assertThat(statement.getQueryTimeout()).isEqualTo(1);
      }
    }
  }

  @Test
  void closingTheConnectionEndsAPreparation() throws Exception {
    Statement any = connection.createStatement();
    SQLException failure =
        endAfter(
            20_000_000,
            Ending.CLOSE_CONNECTION,
            any,
            () ->
                catchThrowableOfType(
                    SQLException.class, () -> connection.prepareStatement(joins(20))));
    assertThat(failure.getSQLState()).as(failure.getMessage()).isEqualTo("57014");
  }

  /** Or it would keep its files open, which nobody could close any more. */
  @Test
  void closingTheConnectionClosesResultsThatWereLeftOpen() throws SQLException {
    Statement statement = connection.createStatement();
    ResultSet results = statement.executeQuery("SELECT n FROM endless");
    assertThat(results.next()).isTrue();
    connection.close();
    assertThat(statement.isClosed()).isTrue();
    assertThat(results.isClosed()).isTrue();
  }

  private static SQLException failure(Statement statement, String query) {
    return catchThrowableOfType(
        SQLException.class,
        () -> {
          try (ResultSet results = statement.executeQuery(query)) {
            while (results.next()) {
              assertThat(results.getInt(1)).isBetween(0, 1);
            }
          }
        });
  }
}
