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

import static io.statesql.acceptance.QueryResult.quote;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.statesql.StateSqlAssert;
import io.statesql.golden.GoldenEntry;
import io.statesql.golden.GoldenFile;
import io.statesql.golden.GoldenState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What SQL shows of the snapshots in Flink's own tests is what Flink yields when it restores them:
 * savepoints in canonical and native form and checkpoints, written by Flink 1.8 to 2.2 with either
 * backend.
 */
class GoldenOverSqlTest {

  /** The jobs with keyed and operator state of many kinds, in every form since Flink 1.15. */
  private static final Pattern EVERY_FORM =
      Pattern.compile(
          "new-stateful-(broadcast-)?udf-migration-itcase-flink(1\\.(1[5-9]|20)|2\\.[0-2])"
              + "-(hashmap|rocksdb)-(savepoint|savepoint-native|checkpoint)");

  private static final String WITHOUT_KEY_SERIALIZER =
      "new-stateful-udf-migration-itcase-flink1.17-hashmap-checkpoint";

  /**
   * Their changelog holds no serializer of the keys, and they have no other state that does: Flink
   * has it from the job.
   */
  private static final Set<String> OPERATORS_WITHOUT_KEY_SERIALIZER =
      Set.of("d5c8b168c6cbfe8c507a10f88b325243", "dab25811652d3d4983a30c6e4afacb1c");

  /**
   * The state of {@code ListCheckpointed}: objects in Java's own form, which SQL shows as bytes.
   */
  private static final String JAVA_SERIALIZED = "_default_";

  private static final Pattern TIMER = Pattern.compile("_timer_state/(event|processing)_(.*)");

  static List<String> snapshots() throws IOException {
    return GoldenFile.snapshots(ProjectFiles.GOLDEN);
  }

  @Test
  void theSnapshotsAreOfEveryForm() throws IOException {
    // Two jobs, nine versions, two backends, three forms.
    assertThat(snapshots())
        .filteredOn(snapshot -> EVERY_FORM.matcher(snapshot).matches())
        .hasSize(2 * 9 * 2 * 3);
  }

  @ParameterizedTest
  @MethodSource("snapshots")
  void showsWhatFlinkRestores(String snapshot) throws IOException, SQLException {
    GoldenFile golden = GoldenFile.of(ProjectFiles.GOLDEN, snapshot);
    try (Connection connection = connect(snapshot)) {
      Map<String, List<Map<String, String>>> expected = expected(golden);
      assertThat(tables(connection)).containsExactlyElementsOf(expected.keySet());
      for (GoldenState state : golden.states()) {
        String table = table(state.operator(), state.name(), state.kind());
        if (!lacksKeySerializer(snapshot, state.operator())) {
          assertThat(rows(connection, table))
              .as(table)
              .containsExactlyInAnyOrderElementsOf(expected.get(table));
          // Every subtask has a copy of broadcast state, and a table shows it once.
          int count =
              state.kind().equals("BROADCAST") ? expected.get(table).size() : state.entries();
          assertThat(count(connection, state)).as("%s", state).isEqualTo(count);
        }
      }
    }
  }

  @Test
  void saysThatAChangelogLacksTheSerializerOfItsKeys() throws SQLException {
    try (Connection connection = connect(WITHOUT_KEY_SERIALIZER)) {
      for (String operator : OPERATORS_WITHOUT_KEY_SERIALIZER) {
        StateSqlAssert.on(connection)
            .sql("SELECT * FROM " + table(operator, "state-name", "VALUE"))
            .throwsSql("58S02", operator, "The changelog does not hold the serializer of its keys");
      }
    }
  }

  private static boolean lacksKeySerializer(String snapshot, String operator) {
    return snapshot.equals(WITHOUT_KEY_SERIALIZER)
        && OPERATORS_WITHOUT_KEY_SERIALIZER.contains(operator);
  }

  private static Connection connect(String snapshot) throws SQLException {
    return QueryResult.connect(ProjectFiles.FLINK_TESTS.resolve(snapshot), "composites=json");
  }

  /** The rows of each table, a table being {@code "operator"."table"}. */
  private static Map<String, List<Map<String, String>>> expected(GoldenFile golden)
      throws IOException {
    Map<String, List<Map<String, String>>> tables = new TreeMap<>();
    for (GoldenState state : golden.states()) {
      tables.put(table(state.operator(), state.name(), state.kind()), new ArrayList<>());
    }
    Set<List<Object>> broadcast = new HashSet<>();
    for (GoldenEntry entry : golden.entries()) {
      boolean isCopy =
          entry.kind().equals("BROADCAST")
              && !broadcast.add(List.of(entry.operator(), entry.state(), entry.mapKey()));
      if (!isCopy) {
        tables.get(table(entry.operator(), entry.state(), entry.kind())).add(row(entry));
      }
    }
    return tables;
  }

  private static String table(String operator, String state, String kind) {
    return quote(operator) + "." + quote(kind.equals("TIMER") ? "timers" : state);
  }

  private static Map<String, String> row(GoldenEntry entry) throws IOException {
    Map<String, String> row = new LinkedHashMap<>();
    if (entry.subtask() != null && !entry.kind().equals("BROADCAST")) {
      row.put("subtask", entry.subtask().toString());
    }
    put(row, "state_key", entry.key());
    put(row, "namespace", entry.namespace());
    put(row, "map_key", entry.mapKey());
    if (entry.index() != null) {
      row.put("list_index", entry.index().toString());
    }
    switch (entry.kind()) {
      case "TIMER" -> putTimer(row, entry);
      case "LIST", "SPLIT_LIST", "UNION_LIST" -> {
        if (entry.state().equals(JAVA_SERIALIZED)) {
          row.put("list_value", javaSerialized(entry.value().textValue()));
        } else {
          put(row, "list_value", entry.value());
        }
      }
      case "MAP", "BROADCAST" -> put(row, "map_value", entry.value());
      default -> put(row, "state_value", entry.value());
    }
    if (entry.keyGroup() != null) {
      row.put("key_group", entry.keyGroup().toString());
    }
    return row;
  }

  private static void putTimer(Map<String, String> row, GoldenEntry entry) {
    var name = TIMER.matcher(entry.state());
    assertThat(name.matches()).as(entry.state()).isTrue();
    row.put("time_domain", name.group(1).equals("event") ? "EVENT" : "PROCESSING");
    row.put("timer_timestamp", entry.value().asText());
    row.put("timer_service", name.group(2));
  }

  private static String javaSerialized(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(text);
    }
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  /** A scalar is one column; the fields of a tuple are columns of their own. */
  private static void put(Map<String, String> row, String column, JsonNode value) {
    if (value == null || (value.isNull() && column.equals("namespace"))) {
      return;
    }
    if (!value.isObject()) {
      row.put(column, value.isNull() ? null : value.asText());
      return;
    }
    boolean isKey = column.endsWith("_key");
    value
        .fields()
        .forEachRemaining(
            field ->
                row.put(
                    isKey ? column + "_" + field.getKey() : field.getKey(),
                    field.getValue().isNull() ? null : field.getValue().asText()));
  }

  /** The tables of single states and of timers. */
  private static Set<String> tables(Connection connection) throws SQLException {
    Set<String> tables = new TreeSet<>();
    for (List<Object> row :
        QueryResult.of(
                connection,
                "SELECT schema_name, operator_id, table_name FROM sys.states"
                    + " WHERE table_name IS NOT NULL",
                ResultSet::getString)
            .rows()) {
      tables.add(quote((String) row.get(1)) + "." + quote((String) row.get(2)));
    }
    return tables;
  }

  /** The rows of a table without what follows from other columns. */
  private static List<Map<String, String>> rows(Connection connection, String table)
      throws SQLException {
    QueryResult result = QueryResult.of(connection, "SELECT * FROM " + table, ResultSet::getString);
    List<Map<String, String>> rows = new ArrayList<>();
    for (List<Object> values : result.rows()) {
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < values.size(); i++) {
        row.put(result.columns().get(i).label(), (String) values.get(i));
      }
      row.remove("fire_time");
      rows.add(row);
    }
    return rows;
  }

  private static int count(Connection connection, GoldenState state) throws SQLException {
    String sql = "SELECT COUNT(*) FROM " + table(state.operator(), state.name(), state.kind());
    var timer = TIMER.matcher(state.name());
    if (timer.matches()) {
      sql +=
          " WHERE time_domain = '%s' AND timer_service = '%s'"
              .formatted(timer.group(1).equals("event") ? "EVENT" : "PROCESSING", timer.group(2));
    }
    return ((Long) QueryResult.of(connection, sql, ResultSet::getObject).rows().get(0).get(0))
        .intValue();
  }
}
