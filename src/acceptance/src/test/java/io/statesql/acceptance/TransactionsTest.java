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
package io.statesql.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.edit.Transaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a commit writes and where, and who may commit. */
class TransactionsTest {
  private static final String COUNTS = "\"orders-per-customer\".\"order-count\"";
  private static final String ADD_ONE = "UPDATE " + COUNTS + " SET state_value = state_value + 1";
  private static final String TOTAL = "SELECT SUM(state_value) FROM " + COUNTS;

  @TempDir private Path folder;

  @Test
  void withAutoCommitEachStatementIsASavepointOnTheOneBefore() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      sample.connection().setAutoCommit(true);
      try (PreparedStatement addOne = sample.connection().prepareStatement(ADD_ONE)) {
        assertThat(addOne.executeLargeUpdate()).isEqualTo(12);
        assertThat(addOne.executeUpdate()).isEqualTo(12);
      }
      assertThat(sample.rows(TOTAL)).containsExactly("124");
      assertThat(sample.warnings())
          .hasSize(2)
          .first()
          .asString()
          .startsWith(
              "Committed to "
                  + sample.savepoint(1)
                  + ": 12 entries put, 0 removed, of 12 keys in 1 state of 1 operator, 11 key groups; ");
      assertThat(sample.rows("SELECT savepoint, base FROM commits"))
          .containsExactly(
              sample.savepoint(2) + ", " + sample.savepoint(1),
              sample.savepoint(1) + ", " + sample.folder());
      assertThat(sample.rows("SELECT path, is_edited FROM snapshots"))
          .containsExactly(sample.savepoint(2) + "/_metadata, true");
    }
  }

  @Test
  void aTransactionIsOneSavepointAndShowsItsFiguresBefore() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      sample.update(ADD_ONE);
      sample.update("DELETE FROM " + COUNTS + " WHERE state_key < 2");

      assertThat(
              sample.rows(
                  "SELECT savepoint, committed_at, CARDINALITY(statements), states, keys, key_groups,"
                      + " entries_put, entries_removed, files_rewritten FROM commits"))
          .containsExactly(
              "null, null, 2, [\"orders-per-customer.order-count\"], 12, 11, 10, 2, 1");
      assertThat(sample.savepoint(1)).doesNotExist();

      sample.connection().commit();
      assertThat(sample.savepoint(1)).exists();
      assertThat(sample.savepoint(2)).doesNotExist();
      assertThat(sample.rows("SELECT CARDINALITY(statements) FROM commits")).containsExactly("2");
      sample.connection().commit();
      assertThat(sample.savepoint(2)).doesNotExist();
    }
  }

  @Test
  void itsReportCountsTheFilesThatThereAreNotWhatStandsInTheMetadata() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      List<String> tables =
          sample.rows(
              "SELECT DISTINCT schema_name || '\".\"' || table_name FROM primary_keys"
                  + " WHERE table_name IN ('keyed_state', 'timers')");
      for (String table : tables) {
        sample.update("DELETE FROM \"" + table + "\"");
      }
      sample.warnings();
      sample.connection().commit();

      String told = String.join(" ", sample.warnings());
      Matcher report =
          Pattern.compile(
                  "Committed to .* bytes rewritten in (\\d+) files,"
                      + " \\d+ bytes carried as they were in (\\d+) files?\\.")
              .matcher(told);
      assertThat(report.matches()).as(told).isTrue();
      int rewritten = Integer.parseInt(report.group(1));
      int carried = Integer.parseInt(report.group(2));
      assertThat(sample.rows("SELECT COUNT(DISTINCT path) FROM state_files"))
          .containsExactly(String.valueOf(rewritten + carried));
      assertThat(sample.rows("SELECT files_rewritten FROM commits"))
          .containsExactly(String.valueOf(rewritten));
    }
  }

  @Test
  void anOpenResultKeepsToWhatThereWasWhenItBegan() throws Exception {
    try (EditedSample sample = EditedSample.in(folder);
        Statement reader = sample.connection().createStatement()) {
      sample.update(ADD_ONE);
      ResultSet rows = reader.executeQuery("SELECT state_value FROM " + COUNTS);
      long sum = 0;
      for (int row = 1; rows.next(); row++) {
        sum += rows.getLong(1);
        if (row == 3) {
          sample.update("DELETE FROM " + COUNTS);
        } else if (row == 6) {
          sample.connection().rollback();
        } else if (row == 9) {
          sample.update("INSERT INTO " + COUNTS + " VALUES (900, 1000)");
        }
      }
      assertThat(sum).isEqualTo(112);
      assertThat(sample.rows(TOTAL)).containsExactly("1100");
    }
  }

  /** And not the rows of the snapshot as it was when the statement was prepared. */
  @Test
  void aPreparedStatementFailsAsLongAsItsTableIsGone() throws Exception {
    try (EditedSample sample = EditedSample.in(folder);
        PreparedStatement total = sample.connection().prepareStatement(TOTAL)) {
      assertThat(total.executeQuery().next()).isTrue();
      sample.update("DROP SCHEMA \"orders-per-customer\"");
      for (int time = 0; time < 3; time++) {
        assertThatThrownBy(() -> total.executeQuery().next())
            .hasMessageContaining("orders-per-customer");
      }
      sample.connection().rollback();
      ResultSet rows = total.executeQuery();
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(1)).isEqualTo(100);
    }
  }

  @Test
  void toAddAKeyCostsALookUp() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      sample.update("INSERT INTO " + COUNTS + " VALUES (900, 5)");
      sample.update("INSERT INTO " + COUNTS + " VALUES (901, 5), (902, 5)");
      // Two keys, and those by which the key groups are checked.
      assertThat(sample.rows("SELECT key_groups < 20, entries <= 40 FROM last_statement"))
          .containsExactly("true, true");
    }
  }

  @Test
  void aPlanTellsWhatAStatementMayRewrite() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      String plan = "EXPLAIN PLAN FOR DELETE FROM " + COUNTS;
      assertThat(sample.rows(plan).get(0))
          .contains("states=[[order-count]], atMost=[128 of 128 key groups, 2 files, about ");
      assertThat(sample.rows(plan + " WHERE state_key IN (1, 2)").get(0))
          .contains("states=[[order-count]], atMost=[2 keys, 2 of 128 key groups, 1 file, about ");
      assertThat(
              sample
                  .rows("EXPLAIN PLAN FOR DELETE FROM \"fraud-detector\".\"active-rules\"")
                  .get(0))
          .contains("states=[[active-rules]], atMost=[files 2, bytes ");
    }
  }

  @Test
  void aDryRunTellsWhatACommitWouldWriteAndWritesNothing() throws Exception {
    Path copy = EditedSample.copy(folder.resolve("orders"));
    ShellRun run =
        ShellRun.of(copy.toString(), "--dry-run", "-e", ADD_ONE, "-e", TOTAL, "--silent");

    assertThat(run.err())
        .contains(
            "Dry run, a commit would write: 12 entries put, 0 removed, of 12 keys in 1 state of 1"
                + " operator, 11 key groups; ");
    assertThat(run.out()).contains("100");
    assertThat(folder.toFile().list()).containsExactly("orders");
  }

  @Test
  void aRollbackForgets() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      sample.update("DROP SCHEMA customers");
      sample.update(ADD_ONE);
      sample.connection().rollback();

      assertThat(sample.rows(TOTAL)).containsExactly("100");
      assertThat(sample.rows("SELECT COUNT(*) FROM customers.keyed_state")).containsExactly("12");
      sample.connection().commit();
      assertThat(sample.savepoint(1)).doesNotExist();
    }
  }

  @Test
  void aStatementThatFailsLeavesTheTransactionAsItWas() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      sample.update("DELETE FROM " + COUNTS + " WHERE state_key = 0");
      assertThatThrownBy(
              () -> sample.update("UPDATE " + COUNTS + " SET state_value = 10 / (state_key - 5)"))
          .isInstanceOf(SQLException.class);
      assertThat(sample.committedRows("SELECT COUNT(*) FROM " + COUNTS)).containsExactly("11");
    }
  }

  @Test
  void ofTwoCommitsOnOneSnapshotOneWins() throws Exception {
    try (EditedSample first = EditedSample.in(folder);
        Connection second = QueryResult.connect(first.folder())) {
      second.setAutoCommit(false);
      first.update(ADD_ONE);
      try (Statement statement = second.createStatement()) {
        statement.executeUpdate("DELETE FROM " + COUNTS);
      }
      first.connection().commit();

      assertThatThrownBy(second::commit)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"))
          .hasMessageContaining("Nothing was committed")
          .hasMessageContaining(first.savepoint(1).toString());
      assertThat(first.savepoint(2)).doesNotExist();
      assertThat(first.rows(TOTAL)).containsExactly("112");
    }
  }

  @Test
  void whoMountsASnapshotAnewBeginsAnewAndIsToldOfOtherSavepointsOfIt() throws Exception {
    try (EditedSample first = EditedSample.in(folder)) {
      first.update(ADD_ONE);
      first.connection().commit();

      ShellRun late = ShellRun.of(first.folder().toString(), "-e", "DELETE FROM " + COUNTS);
      assertThat(late.status()).isZero();
      assertThat(late.err())
          .contains("Committed to " + first.savepoint(2))
          .contains(
              "What was changed in " + first.savepoint(1) + " is not in it: both were made of");
      try (Connection connection = QueryResult.connect(first.savepoint(2))) {
        assertThat(EditedSample.rows(connection, "SELECT COUNT(*) FROM " + COUNTS))
            .containsExactly("0");
      }
      assertThat(first.rows(TOTAL)).containsExactly("112");
    }
  }

  @Test
  void snapshotsOfOneNameShareAFolderForTheirEdits() throws Exception {
    String place = "commitTo=" + folder.resolve("edits");
    for (String job : List.of("a", "b")) {
      Path checkpoint = EditedSample.copy(folder.resolve(job + "/chk-7"));
      try (Connection connection = QueryResult.connect(checkpoint, place);
          Statement statement = connection.createStatement()) {
        assertThat(statement.executeUpdate(ADD_ONE)).isEqualTo(12);
      }
    }
    assertThat(folder.resolve("edits").toFile().list())
        .containsExactlyInAnyOrder("chk-7-edited-1", "chk-7-edited-2");
  }

  @Test
  void ofTwoProcessesThatCommitAtOnceOneWins() throws Exception {
    Path copy = EditedSample.copy(folder.resolve("orders"));
    try (CommitProcess first = CommitProcess.stage(folder, copy, ADD_ONE);
        CommitProcess second = CommitProcess.stage(folder, copy, ADD_ONE)) {
      first.commit();
      second.commit();
      assertThat(List.of(first.outcome(), second.outcome()))
          .containsExactlyInAnyOrder("committed", "40001");
    }
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("orders", "orders-edited-1");
    try (Connection connection = QueryResult.connect(folder.resolve("orders-edited-1"))) {
      assertThat(EditedSample.rows(connection, TOTAL)).containsExactly("112");
    }
  }

  @Test
  void theNextCommitRemovesWhatADeadProcessLeft() throws Exception {
    Path dead = Files.createDirectory(folder.resolve(".statesql-commit-dead"));
    Files.createFile(dead.resolve("_statesql.json"));
    Files.writeString(dead.resolve("state-1"), "half");
    Files.createDirectory(folder.resolve(".statesql-commit-dead-at-once"));
    Path other = Files.createDirectory(folder.resolve(".statesql-commit-not-ours"));
    Files.writeString(other.resolve("notes"), "of somebody");

    try (EditedSample sample = EditedSample.in(folder)) {
      sample.update(ADD_ONE);
      sample.connection().commit();
    }
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder("orders", "orders-edited-1", other.getFileName().toString());
  }

  @Test
  void aCheckpointOfAJobNeedsAPlaceForItsEdits() throws Exception {
    Path checkpoint = EditedSample.copy(folder.resolve("job/chk-7"));
    try (Connection connection = QueryResult.connect(checkpoint);
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeUpdate(ADD_ONE))
          .hasMessageContaining("lies in the checkpoint folder of a job")
          .hasMessageContaining("--commit-to");
    }
    Path place = folder.resolve("edits");
    try (Connection connection = QueryResult.connect(checkpoint, "commitTo=" + place);
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(ADD_ONE)).isEqualTo(12);
    }
    assertThat(place.resolve("chk-7-edited-1/_metadata")).exists();
    assertThat(folder.resolve("job").toFile().list()).containsExactly("chk-7");
  }

  @Test
  void aReadOnlyConnectionChangesNothing() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      sample.connection().setReadOnly(true);
      assertThatThrownBy(() -> sample.update(ADD_ONE))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
    }
  }

  @Test
  void whatIsNotCommittedIsTold() throws Exception {
    try (EditedSample sample = EditedSample.in(folder)) {
      assertThat(sample.connection().unwrap(Transaction.class).uncommitted()).isEmpty();
      sample.update(ADD_ONE);
      assertThat(sample.connection().unwrap(Transaction.class).uncommitted())
          .contains(
              "1 statement changed catalog \"orders\" and was not committed; the changes are"
                  + " lost.");
    }
    assertThat(folder.resolve("orders-edited-1")).doesNotExist();
  }

  @Test
  void theShellRunsARepairScript() throws Exception {
    Path copy = EditedSample.copy(folder.resolve("orders"));
    ShellRun run =
        ShellRun.of(copy.toString(), "-f", ProjectFiles.SCRIPTS.resolve("repair.sql").toString());

    assertThat(run.err()).contains("Committed to " + copy.resolveSibling("orders-edited-1"));
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("rows_of_dora");
  }

  @Test
  @Tag("proof")
  void theShellTellsWhatIsLost() throws Exception {
    Path copy = EditedSample.copy(folder.resolve("orders"));
    ShellRun lost = ShellRun.of(copy.toString(), "-e", "!autocommit off", "-e", ADD_ONE);
    assertThat(lost.err()).contains("was not committed; the changes are lost.");
    assertThat(lost.status()).isZero();
  }
}
