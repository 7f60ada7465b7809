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

import io.statesql.StateSqlAssert;
import io.statesql.forms.KeyedForms.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the connection property isolate changes for a user, and what it does not. */
class IsolateTest {
  private static final String UID = EntryForms.ROCKSDB.operator();

  @TempDir private Path folder;

  @Test
  void everyTableAndConditionGivesTheSameRows() throws Exception {
    Path snapshot = EntryForms.ROCKSDB.write(folder, 60);
    List<String> queries = new ArrayList<>();
    for (String table : List.of("address", "words", "hits")) {
      queries.add("SELECT * FROM \"%s\".\"%s\"".formatted(UID, table));
    }
    queries.add("SELECT * FROM \"%s\".keyed_state".formatted(UID));
    queries.add("SELECT * FROM \"%s\".keyed_state WHERE state_key = 'key3'".formatted(UID));
    queries.add(
        "SELECT * FROM \"%s\".\"parts\" WHERE state_key IN ('key1', 'key5') AND map_key = 'y'"
            .formatted(UID));
    queries.add("SELECT * FROM \"%s\".\"count\" WHERE key_group < 8".formatted(UID));
    queries.add("SELECT COUNT(*) FROM \"%s\".\"words\"".formatted(UID));
    queries.add("SELECT state_key FROM \"%s\".\"name\" LIMIT 2".formatted(UID));
    try (Connection trusting = connect(snapshot, false);
        Connection isolating = connect(snapshot, true)) {
      for (String query : queries) {
        List<String> rows = StateSqlAssert.on(trusting).sql(query).rows();
        assertThat(rows).as(query).isNotEmpty();
        assertThat(StateSqlAssert.on(isolating).sql(query).rows())
            .as(query)
            .containsExactlyInAnyOrderElementsOf(rows);
      }
    }
  }

  @Test
  void explainSaysIt() throws Exception {
    Path snapshot = EntryForms.ROCKSDB.write(folder, 1);
    String query = "SELECT * FROM \"%s\".\"count\"".formatted(UID);
    try (Connection trusting = connect(snapshot, false);
        Connection isolating = connect(snapshot, true)) {
      StateSqlAssert.on(isolating).sql(query).explainContains("isolated=[true]");
      StateSqlAssert.on(trusting).sql(query).explainLacks("isolated");
    }
  }

  @Test
  void aProcessThatIsKilledIsOneStatementsError() throws Exception {
    Path snapshot =
        KeyedForms.write(
            folder,
            Form.ROCKSDB,
            LongSerializer.INSTANCE,
            LongStream.range(0, 20_000).boxed().toList());
    String query = "SELECT * FROM rocks.\"parts\"";
    try (Connection connection = connect(snapshot, true);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      readers().forEach(ProcessHandle::destroyForcibly);

      assertThatThrownBy(
              () -> {
                while (rows.next()) {
                  rows.getLong(1);
                }
              })
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("58S03"))
          .hasMessageContaining("Operator \"rocks\"")
          .hasMessageContaining("the process that read the RocksDB files of");
      StateSqlAssert.on(connection).sql("SELECT COUNT(*) FROM rocks.\"total\"").returns("20000");
    }
    assertThat(readers()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void changesOfRocksDbFilesAreRefused(EntryForms form) throws Exception {
    Path snapshot = form.write(folder, 7);
    String table = "\"%s\".\"count\"".formatted(form.operator());
    String update = "UPDATE " + table + " SET state_value = 70 WHERE state_key = 'key3'";
    String query = "SELECT state_value FROM " + table + " WHERE state_key = 'key3'";
    try (Connection connection = connect(snapshot, true)) {
      if (form == EntryForms.ROCKSDB) {
        StateSqlAssert.on(connection)
            .sql(update)
            .throwsSql("0A000", "Operator \"rocks\", subtask 0", "as the option isolate wants it");
        StateSqlAssert.on(connection).sql(query).returns("3");
      } else {
        try (Statement statement = connection.createStatement()) {
          assertThat(statement.executeUpdate(update)).isEqualTo(1);
        }
        StateSqlAssert.on(connection).sql(query).returns("70");
      }
    }
  }

  private static Connection connect(Path snapshot, boolean isolate) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot=s=" + snapshot + (isolate ? ";isolate=true" : ""));
  }

  private static List<ProcessHandle> readers() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().commandLine().orElse("").contains("ReaderMain"))
        .toList();
  }
}
