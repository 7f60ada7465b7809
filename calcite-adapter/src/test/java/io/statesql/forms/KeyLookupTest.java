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

import io.statesql.StateSqlAssert;
import io.statesql.forms.KeyedForms.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a statement with conditions on keys, key groups and map keys reads, and what it returns. */
class KeyLookupTest {
  private static final int KEYS = 200;
  private static final String LAST =
      "SELECT key_groups, entries, scanned_rows FROM sys.last_statement";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void readsOneKeyOfOneKeyGroup(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      String query = "SELECT state_key, state_value FROM " + table(connection, "total");
      StateSqlAssert.on(connection)
          .sql(query + " WHERE state_key = 7")
          .explainContains(
              "fields=[[state_key, state_value]]",
              "access=[point]",
              "condition=[state_key = 7]",
              "keyGroups=[1 of 8]",
              form == Form.ROCKSDB_RESCALED ? "splits=[1 of 2]" : "splits=[1 of 1]")
          .returns("7, 7");

      assertLast(connection, 1, isSorted(form) ? 1 : entriesOfKeyGroup(form, 7), 1);
    }
  }

  @Test
  void explainsInEveryFormOfExplain() throws Exception {
    try (Connection connection = connect(Form.CANONICAL, KEYS)) {
      String query = "SELECT COUNT(*) FROM " + table(connection, "total") + " WHERE state_key = 7";
      for (String form : new String[] {"AS JSON", "AS XML", "AS DOT", "INCLUDING ALL ATTRIBUTES"}) {
        String plan =
            StateSqlAssert.on(connection)
                .sql("EXPLAIN PLAN " + form + " FOR " + query)
                .rows()
                .get(0);
        // DOT cuts long descriptions.
        assertThat(plan).contains(form.equals("AS DOT") ? "access = point" : "state_key = 7");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsTheKeyThatAParameterNames(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS);
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT state_value FROM "
                    + table(connection, "total")
                    + " WHERE state_key = ? AND state_value >= 0")) {
      for (long key : new long[] {7, 13}) {
        statement.setLong(1, key);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getLong(1)).isEqualTo(key);
          assertThat(rows.next()).isFalse();
        }
        assertLast(connection, 1, isSorted(form) ? 1 : entriesOfKeyGroup(form, key), 1);
      }
      statement.setNull(1, java.sql.Types.BIGINT);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isFalse();
      }
      assertLast(connection, 0, 0, 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsAMapEntry(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT state_key, map_key, map_value FROM "
                  + table(connection, "parts")
                  + " WHERE (state_key = 7 AND map_key = 'part-1')"
                  + " OR (state_key = 7 AND map_key = 'part-2')")
          .explainContains("access=[point]", "map_key IN ('part-1', 'part-2')")
          .returnsUnordered("7, part-1, 8", "7, part-2, 9");
      if (isSorted(form)) {
        assertLast(connection, 1, 2, 2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void passesOtherMapEntries(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT COUNT(*), MIN(map_key), MAX(map_key), SUM(map_value) FROM "
                  + table(connection, "parts")
                  + " WHERE map_key = 'part-1'")
          .explainContains("access=[full]", "condition=[map_key = 'part-1']")
          .returns(
              KEYS + ", part-1, part-1, " + LongStream.range(0, KEYS).map(key -> key + 1).sum());
    }
  }

  @ParameterizedTest
  @EnumSource
  void joinsTheStatesOfAKey(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT state_key, total FROM "
                  + table(connection, "keyed_state")
                  + " WHERE state_key IN (3, 7, 7, 3000) OR state_key = 3")
          .explainContains("access=[point]", "condition=[state_key IN (3, 3000, 7)]")
          .returnsUnordered("3, 3", "7, 7");
      if (isSorted(form)) {
        int parts = KeyedForms.PARTS;
        assertThat(last(connection)).endsWith(", " + 2 * (1 + parts) + ", 2");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsTheKeyGroupsThatAreAskedFor(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT COUNT(*) FROM "
                  + table(connection, "total")
                  + " WHERE key_group BETWEEN 1 AND 2 OR key_group = 3")
          .explainContains("access=[key groups]", "keyGroups=[3 of 8]")
          .returns(String.valueOf(keysOf(1) + keysOf(2) + keysOf(3)));
      assertThat(last(connection)).startsWith("3, ");

      StateSqlAssert.on(connection)
          .sql("SELECT state_key FROM " + table(connection, "total") + " WHERE key_group > 7")
          .explainContains("keyGroups=[0 of 8]")
          .returns();
      assertLast(connection, 0, 0, 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsCompositeKeys(Form form) throws Exception {
    TypeSerializer<Tuple2<String, Integer>> pairs =
        Types.<Tuple2<String, Integer>>TUPLE(Types.STRING, Types.INT)
            .createSerializer(new SerializerConfigImpl());
    List<Tuple2<String, Integer>> keys =
        IntStream.range(0, KEYS).mapToObj(i -> Tuple2.of("k" + i % 10, i)).toList();
    Path snapshot = KeyedForms.write(folder, form, pairs, keys);
    try (Connection connection = connect(snapshot)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT state_value FROM "
                  + table(connection, "total")
                  + " WHERE (state_key_f0, state_key_f1) IN (('k3', 13), ('k4', 14), ('k4', 13))")
          .explainContains(
              "access=[point]",
              "condition=[(state_key_f0, state_key_f1) IN (('k3', 13), ('k4', 13), ('k4', 14))]")
          .returnsUnordered("13", "14");
      StateSqlAssert.on(connection)
          .sql("SELECT state_value FROM " + table(connection, "total") + " WHERE state_key_f1 = 13")
          .explainContains("access=[full]")
          .returns("13");
    }
  }

  /** Calcite keeps the rows of a join's second input in memory. */
  @ParameterizedTest
  @EnumSource
  void aJoinKeepsTheFewerRows(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      String few = "(SELECT * FROM " + table(connection, "total") + " WHERE state_key IN (7, 8))";
      String many = "(SELECT * FROM " + table(connection, "parts") + ")";
      for (String join : List.of(few + " AS f JOIN " + many, many + " AS m JOIN " + few)) {
        String sql = "SELECT SUM(map_value) FROM " + join + " AS o USING (state_key)";
        String plan = StateSqlAssert.on(connection).sql("EXPLAIN PLAN FOR " + sql).rows().get(0);
        assertThat(plan).containsSubsequence("HashJoin", "access=[full]", "access=[point]");
        StateSqlAssert.on(connection).sql(sql).returns("51");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsKnownToBeUnique(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      String sql = "SELECT DISTINCT state_key FROM " + table(connection, "total");
      String plan = StateSqlAssert.on(connection).sql("EXPLAIN PLAN FOR " + sql).rows().get(0);
      assertThat(plan).contains("StateScan").doesNotContain("Aggregate");
    }
  }

  @Test
  void findsTheKeysOfALongList() throws Exception {
    try (Connection connection = connect(Form.ROCKSDB, KEYS)) {
      String list =
          LongStream.range(0, 90)
              .mapToObj(i -> String.valueOf(i * 4))
              .collect(Collectors.joining(", "));
      StateSqlAssert.on(connection)
          .sql(
              "SELECT COUNT(*), SUM(state_value) FROM "
                  + table(connection, "total")
                  + " WHERE state_key IN ("
                  + list
                  + ")")
          .explainContains("access=[point]", "... 85 more")
          .returns("50, " + LongStream.range(0, 50).map(i -> i * 4).sum());
      assertThat(last(connection)).endsWith(", 50, 50");
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsTenThousandKeys(Form form) throws Exception {
    try (Connection connection = connect(form, KEYS)) {
      String list =
          LongStream.range(0, 10_000)
              .mapToObj(i -> String.valueOf(i * 4))
              .collect(Collectors.joining(", "));
      String query = "SELECT COUNT(*), SUM(state_value) FROM " + table(connection, "total");
      StateSqlAssert.on(connection)
          .sql(query + " WHERE state_key IN (" + list + ")")
          .explainContains("access=[point]", "... 9995 more")
          .returns("50, " + LongStream.range(0, 50).map(i -> i * 4).sum());
      if (isSorted(form)) {
        assertThat(last(connection)).endsWith(", 50, 50");
      }
      StateSqlAssert.on(connection)
          .sql(query + " WHERE state_key NOT IN (" + list + ")")
          .returns("150, " + (199 * 100 - LongStream.range(0, 50).map(i -> i * 4).sum()));
    }
  }

  @Test
  void joinsWithALongListThatIsToBeComputed() throws Exception {
    try (Connection connection = connect(Form.CANONICAL, KEYS)) {
      for (String value : List.of("%d + 0", "'%d'")) {
        String list =
            IntStream.range(0, 1_000)
                .mapToObj(i -> value.formatted(i * 2))
                .collect(Collectors.joining(", "));
        StateSqlAssert.on(connection)
            .sql(
                "SELECT COUNT(*) FROM "
                    + table(connection, "total")
                    + " WHERE state_key IN ("
                    + list
                    + ")")
            .returns("100");
      }
    }
  }

  private Connection connect(Form form, int keys) throws Exception {
    return connect(
        KeyedForms.write(
            folder, form, LongSerializer.INSTANCE, LongStream.range(0, keys).boxed().toList()));
  }

  private static Connection connect(Path snapshot) throws SQLException {
    return DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot);
  }

  static String table(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT DISTINCT schema_name FROM sys.states")) {
      rows.next();
      return "\"" + rows.getString(1) + "\"." + name;
    }
  }

  /** RocksDB goes to an entry at once; other forms pass those before it in its key group. */
  private static boolean isSorted(Form form) {
    return form == Form.ROCKSDB || form == Form.ROCKSDB_RESCALED;
  }

  private static int keysOf(int keyGroup) {
    return (int)
        LongStream.range(0, KEYS)
            .filter(
                key ->
                    KeyGroupRangeAssignment.assignToKeyGroup(key, KeyedForms.MAX_PARALLELISM)
                        == keyGroup)
            .count();
  }

  /** Of both states: all map entries in canonical form, the map as one in that of the heap. */
  private static int entriesOfKeyGroup(Form form, long key) {
    int keys = keysOf(KeyGroupRangeAssignment.assignToKeyGroup(key, KeyedForms.MAX_PARALLELISM));
    return keys * (form == Form.HEAP ? 2 : 1 + KeyedForms.PARTS);
  }

  private static void assertLast(Connection connection, int keyGroups, int entries, int rows)
      throws SQLException {
    assertThat(last(connection)).isEqualTo(keyGroups + ", " + entries + ", " + rows);
  }

  /** Key groups, entries and rows of the statement before. */
  private static String last(Connection connection) throws SQLException {
    return StateSqlAssert.on(connection).sql(LAST).rows().get(0);
  }
}
