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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.edit.EditForm;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random statements, with commits and rollbacks among them: what SQL shows before and after each
 * commit, and what Flink restores from the last savepoint, is what a plain model holds.
 */
class RandomSqlEditsTest {
  private static final int KEYS = 40;
  private static final int FEW = 20;
  private static final int MANY = 60;
  private static final int SCRIPTS = 3;

  /** Where the seeds of the many scripts begin. */
  private static final long SEED = Long.getLong("statesql.seed", 10);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void showAndRestoreWhatTheModelHolds(EditForm form) throws Exception {
    run(form, 128, 1, FEW);
  }

  static Stream<Arguments> manyScripts() {
    return LongStream.range(SEED, SEED + SCRIPTS)
        .boxed()
        .flatMap(
            seed ->
                Stream.of(
                    Arguments.of(EditForm.CANONICAL, 1, seed),
                    Arguments.of(EditForm.CANONICAL, 4096, seed),
                    Arguments.of(EditForm.CANONICAL_COMPRESSED, 128, seed),
                    Arguments.of(EditForm.HEAP, 1, seed),
                    Arguments.of(EditForm.HEAP, 4096, seed),
                    Arguments.of(EditForm.HEAP_COMPRESSED, 128, seed),
                    Arguments.of(EditForm.ROCKSDB_FILES, 1, seed),
                    Arguments.of(EditForm.ROCKSDB_FILES, 4096, seed),
                    Arguments.of(EditForm.ROCKSDB_INLINED, 128, seed),
                    Arguments.of(EditForm.ROCKSDB_INCREMENTAL, 1, seed),
                    Arguments.of(EditForm.ROCKSDB_INCREMENTAL, 4096, seed)));
  }

  @ParameterizedTest
  @Tag("proof")
  @MethodSource("manyScripts")
  void showAndRestoreWhatTheModelHoldsOfManyScripts(EditForm form, int maxParallelism, long seed)
      throws Exception {
    run(form, maxParallelism, seed, MANY);
  }

  private void run(EditForm form, int maxParallelism, long seed, int statements) throws Exception {
    Path home = folder.resolve("seed-" + seed);
    Snapshot base = form.write(home.resolve("base"), maxParallelism, KEYS);
    String operator = '"' + base.metadata().operators().get(0).uidOrId() + '"';
    SqlEditModel model = SqlEditModel.filled(KEYS);
    Path last = Path.of(base.folder().getPath());
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:statesql:snapshot=s=" + last + ";commitTo=" + home.resolve("edits"))) {
      connection.setAutoCommit(false);
      assertThat(rows(connection, operator)).as("what Flink wrote").isEqualTo(model.rows());

      RandomSqlScript script = new RandomSqlScript(seed, operator, KEYS);
      SqlEditModel committed = model.copy();
      for (int i = 0; i < statements; i++) {
        RandomSqlScript.Step step = script.next(model);
        execute(connection, step);
        if (script.chance(20)) {
          assertThat(rows(connection, operator)).as(step.sql()).isEqualTo(model.rows());
        }
        if (script.chance(10)) {
          connection.rollback();
          model = committed.copy();
        } else if (script.chance(8)) {
          connection.commit();
          committed = model.copy();
          assertThat(rows(connection, operator)).as("committed").isEqualTo(model.rows());
        }
      }
      connection.commit();
      last = savepoint(connection, last);
    }

    Snapshot edited = Snapshot.open(last.toString());
    assertUntouchedBytesAreTheSame(base, edited, model);
    Snapshot restored = form.restoreAndWrite(last, home.resolve("restored"), maxParallelism);
    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + restored.folder().getPath())) {
      assertThat(rows(connection, operator)).as("what Flink restored").isEqualTo(model.rows());
    }
  }

  private static void execute(Connection connection, RandomSqlScript.Step step)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (step.refused()) {
        assertThatThrownBy(() -> statement.executeLargeUpdate(step.sql()))
            .as(step.sql())
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
      } else {
        assertThat(statement.executeLargeUpdate(step.sql())).as(step.sql()).isEqualTo(step.count());
      }
    }
  }

  /** The last savepoint; the base if nothing was committed. */
  private static Path savepoint(Connection connection, Path base) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT savepoint FROM sys.commits")) {
      return rows.next() ? Path.of(rows.getString(1)) : base;
    }
  }

  private static List<String> rows(Connection connection, String operator) throws SQLException {
    List<String> rows = new ArrayList<>();
    for (String query :
        List.of(
            "SELECT 'v', state_key, state_value FROM %s.v",
            "SELECT 'l', state_key, list_index, list_value FROM %s.l",
            "SELECT 'm', state_key, map_key, map_value FROM %s.m",
            "SELECT 'scoped', state_key, namespace, state_value FROM %s.scoped",
            "SELECT 'timers', state_key, timer_timestamp FROM %s.timers")) {
      try (Statement statement = connection.createStatement();
          ResultSet results = statement.executeQuery(query.formatted(operator))) {
        while (results.next()) {
          List<String> row = new ArrayList<>();
          for (int column = 1; column <= results.getMetaData().getColumnCount(); column++) {
            row.add(results.getString(column));
          }
          rows.add(String.join(", ", row.stream().map(String::valueOf).toList()));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  /** Of keys of which nothing changed, every byte is what it was. */
  private static void assertUntouchedBytesAreTheSame(
      Snapshot base, Snapshot edited, SqlEditModel model) {
    SqlEditModel before = SqlEditModel.filled(KEYS);
    Map<String, Map<String, List<Bytes>>> old = bytes(base);
    Map<String, Map<String, List<Bytes>>> now = bytes(edited);
    int untouched = 0;
    for (int i = 0; i < KEYS; i++) {
      String key = "key" + i;
      if (SqlEditModel.isSame(before, model, key)) {
        assertThat(now.get(key)).as(key).isEqualTo(old.get(key));
        untouched++;
      }
    }
    assertThat(untouched).isPositive();
  }

  private static Map<String, Map<String, List<Bytes>>> bytes(Snapshot snapshot) {
    Map<String, Map<String, List<Bytes>>> bytes = new TreeMap<>();
    OperatorState operator = snapshot.metadata().operators().get(0);
    for (KeyedSplit split : KeyedSplits.of(snapshot, operator)) {
      BitSet all = new BitSet();
      all.set(0, split.header().states().size());
      try (KeyedElements elements = KeyedSplits.open(snapshot, split, all)) {
        while (elements.next()) {
          KeyedElement element = elements.element();
          Object key = element.state().codecs().key().readLast(Bytes.rest(element.key()).input());
          bytes
              .computeIfAbsent((String) key, unknown -> new TreeMap<>())
              .computeIfAbsent(
                  element.state().name() + " " + EntryAddress.of(element),
                  unknown -> new ArrayList<>())
              .add(element.valueIsNull() ? Bytes.EMPTY : Bytes.rest(element.value()));
        }
      }
    }
    return bytes;
  }
}
