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
package io.statesql.forms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.statesql.edit.CommitWatch;
import io.statesql.edit.EditForm;
import io.statesql.edit.Transaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Other threads end a commit while it writes. Whether one of them comes in time is left to chance:
 * there is no savepoint then and the failure says so, or there is one and nothing has failed. Each
 * test goes on until one came in time.
 */
@Timeout(600)
class CanceledCommitTest {
  private static final int MAX_PARALLELISM = 128;
  private static final int KEYS = 1000;
  private static final long SUM = 249_500;
  private static final int CHANGED = KEYS / 2;

  @TempDir private Path folder;

  private final Random random = new Random(3);
  private Path base;
  private String update;
  private String sum;
  private int attempts;

  @ParameterizedTest
  @EnumSource
  void ofEachFormOfSnapshot(EditForm form) throws Exception {
    write(form);
    cancelUntilInTime(Way.STATEMENT);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STATEMENT")
  void inEachWay(Way way) throws Exception {
    write(EditForm.HEAP);
    cancelUntilInTime(way);
  }

  /** What commits, and what ends it. */
  private enum Way {
    STATEMENT,
    PREPARED,
    BATCH,
    BATCH_OF_PREPARED,
    COMMIT,
    AUTO_COMMIT_ON,
    ABORT,
    CLOSE,
    CLOSE_IN_COMMIT;

    boolean isOfTransaction() {
      return this == COMMIT || this == AUTO_COMMIT_ON || this == CLOSE_IN_COMMIT;
    }

    boolean endsConnection() {
      return this == ABORT || this == CLOSE || this == CLOSE_IN_COMMIT;
    }
  }

  private void write(EditForm form) throws Exception {
    var snapshot = form.write(folder.resolve("base"), MAX_PARALLELISM, KEYS);
    base = Path.of(snapshot.folder().getPath());
    String table = '"' + snapshot.metadata().operators().get(0).uidOrId() + "\".v";
    update = "UPDATE " + table + " SET state_value = state_value + 1";
    sum = "SELECT SUM(state_value) FROM " + table;
  }

  private Connection connect(Path edits) throws SQLException {
    return DriverManager.getConnection("jdbc:statesql:snapshot=s=" + base + ";commitTo=" + edits);
  }

  private void cancelUntilInTime(Way way) throws Exception {
    boolean inTime = false;
    while (!inTime) {
      attempts++;
      Path edits = Files.createDirectory(folder.resolve("edits-" + attempts));
      try (Connection connection = connect(edits)) {
        inTime = isCanceledInTime(way, connection, edits);
      }
    }
  }

  private boolean isCanceledInTime(Way way, Connection connection, Path edits) throws Exception {
    SQLException failure;
    try (Statement plain = connection.createStatement();
        PreparedStatement prepared = connection.prepareStatement(update)) {
      if (way.isOfTransaction()) {
        connection.setAutoCommit(false);
        assertThat(plain.executeUpdate(update)).isEqualTo(CHANGED);
      }
      CommitWatch watch = connection.unwrap(Transaction.class).watch();
      CompletableFuture<SQLException> run =
          CompletableFuture.supplyAsync(
              () ->
                  catchThrowableOfType(
                      SQLException.class, () -> run(way, connection, plain, prepared)));
      while (!run.isDone() && watch.present().isEmpty()) {
        Thread.onSpinWait();
      }
      long end = System.nanoTime() + random.nextLong(TimeUnit.MILLISECONDS.toNanos(3));
      while (!run.isDone() && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      end(way, connection, plain, prepared);
      failure = run.get(5, TimeUnit.MINUTES);
    }
    if (failure == null || failure.getSQLState().equals("26000")) {
      // It was closed when it had been committed, and cannot give its count any more.
      assertThat(way.endsConnection() || failure == null).isTrue();
      assertThat(list(edits)).containsExactly(base.getFileName() + "-edited-1");
      return false;
    }
    assertThat(failure.getSQLState()).as(failure.getMessage()).isEqualTo("57014");
    assertThat(list(edits)).as(failure.getMessage()).isEmpty();
    if (!way.endsConnection()) {
      assertTheNextCommitWorks(way, connection, edits);
    }
    return true;
  }

  private void run(Way way, Connection connection, Statement plain, PreparedStatement prepared)
      throws SQLException {
    switch (way) {
      case STATEMENT, ABORT, CLOSE -> assertThat(plain.executeUpdate(update)).isEqualTo(CHANGED);
      case PREPARED -> assertThat(prepared.executeUpdate()).isEqualTo(CHANGED);
      case BATCH -> {
        plain.addBatch(update);
        plain.addBatch(update);
        assertThat(plain.executeBatch()).containsExactly(CHANGED, CHANGED);
      }
      case BATCH_OF_PREPARED -> {
        prepared.addBatch();
        prepared.addBatch();
        assertThat(prepared.executeBatch()).containsExactly(CHANGED, CHANGED);
      }
      case COMMIT, CLOSE_IN_COMMIT -> connection.commit();
      case AUTO_COMMIT_ON -> connection.setAutoCommit(true);
    }
  }

  private static void end(
      Way way, Connection connection, Statement plain, PreparedStatement prepared)
      throws SQLException {
    switch (way) {
      case STATEMENT, BATCH -> plain.cancel();
      case PREPARED, BATCH_OF_PREPARED -> prepared.cancel();
      case COMMIT, AUTO_COMMIT_ON -> connection.unwrap(Transaction.class).watch().cancel();
      case ABORT -> {
        connection.abort(Runnable::run);
        assertThat(connection.isClosed()).isTrue();
      }
      case CLOSE, CLOSE_IN_COMMIT -> connection.close();
    }
  }

  /** Without the changes of a statement that failed, with those of a transaction. */
  private void assertTheNextCommitWorks(Way way, Connection connection, Path edits)
      throws Exception {
    assertThat(sum(connection)).isEqualTo(way.isOfTransaction() ? SUM + CHANGED : SUM);
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(update)).isEqualTo(CHANGED);
    }
    if (way.isOfTransaction()) {
      assertThat(connection.getAutoCommit()).isFalse();
      connection.commit();
    }
    assertThat(list(edits)).containsExactly(base.getFileName() + "-edited-1");
    assertThat(sum(connection)).isEqualTo(way.isOfTransaction() ? SUM + KEYS : SUM + CHANGED);
  }

  private long sum(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sum)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  private static List<String> list(Path edits) throws Exception {
    try (Stream<Path> left = Files.list(edits)) {
      return left.map(path -> path.getFileName().toString()).toList();
    }
  }

  /** The connection takes no message meanwhile, so that the statement cannot end. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCancelThatComesTooLateFailsNothing(boolean isPrepared) throws Exception {
    write(EditForm.HEAP);
    Path edits = folder.resolve("edits");
    try (Connection connection = connect(edits);
        Statement plain = connection.createStatement();
        PreparedStatement prepared = connection.prepareStatement(update)) {
      CompletableFuture<Integer> run;
      synchronized (connection) {
        run =
            CompletableFuture.supplyAsync(
                () ->
                    count(
                        () -> isPrepared ? prepared.executeUpdate() : plain.executeUpdate(update)));
        awaitSavepoint(edits, run);
        plain.cancel();
        prepared.cancel();
      }
      assertThat(run.get(5, TimeUnit.MINUTES)).isEqualTo(CHANGED);
      assertThat(sum(connection)).isEqualTo(SUM + CHANGED);
    }
  }

  /** Until the statement has renamed what it wrote. */
  private void awaitSavepoint(Path edits, CompletableFuture<?> run) throws InterruptedException {
    while (Files.notExists(edits.resolve(base.getFileName() + "-edited-1"))) {
      assertThat(run).as("the statement that writes it").isNotDone();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void whoseStatementIsClosedTooLateLearnsThatItIsCommitted() throws Exception {
    write(EditForm.HEAP);
    Path edits = folder.resolve("edits");
    try (Connection connection = connect(edits)) {
      Statement statement = connection.createStatement();
      CompletableFuture<SQLException> run;
      synchronized (connection) {
        run =
            CompletableFuture.supplyAsync(
                () ->
                    catchThrowableOfType(
                        SQLException.class, () -> statement.executeUpdate(update)));
        awaitSavepoint(edits, run);
        statement.close();
      }
      SQLException failure = run.get(5, TimeUnit.MINUTES);
      assertThat(failure.getSQLState()).isEqualTo("26000");
      assertThat(failure.getMessage()).startsWith("The changes are committed to " + edits);
      assertThat(sum(connection)).isEqualTo(SUM + CHANGED);
    }
  }

  private interface Count {
    int run() throws SQLException;
  }

  private static int count(Count count) {
    try {
      return count.run();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
