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

import io.statesql.StateSqlAssert;
import io.statesql.acceptance.OrdersRun.Form;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same logical state has equal rows, whichever form it was stored in. */
class EqualFormsTest {

  /** Columns with sets, whose elements are in no order. */
  private static final Set<String> SETS = Set.of("channels", "profile_channels");

  /**
   * The tables with payments of a class that the job has not registered. RocksDB serializes each
   * value at once, so that the serializer knows the class when it is stored; the heap backend
   * serializes only while it writes the snapshot, behind the serializers. There the fields have no
   * columns, and only a form with lengths, which the backend's own is not, tells where values end.
   */
  private static final Set<String> UNREGISTERED =
      Set.of("\"customers\".\"keyed_state\"", "\"customers\".\"last-payment\"");

  private static final OrdersRun ROCKSDB =
      OrdersRun.of("rocksdb", Form.CANONICAL, true, 100, 2, 128);

  /** Runs over the input of the sample that ships with the project, which is canonical. */
  static List<OrdersRun> forms() {
    return List.of(
        OrdersRun.of("hashmap", Form.NATIVE, true, 100, 2, 128),
        OrdersRun.of("hashmap", Form.FULL_CHECKPOINT, true, 100, 2, 128),
        ROCKSDB,
        OrdersRun.of("rocksdb", Form.NATIVE, false, 100, 2, 128),
        OrdersRun.of("rocksdb", Form.FULL_CHECKPOINT, false, 100, 2, 128),
        OrdersRun.of("rocksdb", Form.INCREMENTAL_CHECKPOINT, false, 100, 2, 128));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void hasTheRowsOfTheCanonicalSample(OrdersRun run) throws IOException, SQLException {
    try (Connection sample = connect(ProjectFiles.SAMPLE);
        Connection rocksDb = connect(ROCKSDB.snapshot().folder());
        Connection connection = connect(run.snapshot().folder())) {
      assertThat(tables(connection)).isEqualTo(tables(sample));
      for (String table : tables(sample)) {
        if (!UNREGISTERED.contains(table)) {
          assertSameRows(table, connection, sample);
        } else if (run.backend().equals("rocksdb")) {
          assertSameRows(table, connection, rocksDb);
        } else {
          StateSqlAssert.on(connection)
              .sql("SELECT * FROM " + table)
              .throwsSql("58S02", "state \"last-payment\"", "where its values end");
        }
      }
    }
  }

  private static Connection connect(Path snapshot) throws SQLException {
    return QueryResult.connect(snapshot, "composites=json");
  }

  private static void assertSameRows(String table, Connection found, Connection expected)
      throws SQLException {
    assertThat(rows(found, table))
        .as(table)
        .containsExactlyInAnyOrderElementsOf(rows(expected, table));
  }

  /** The tables of all operators. */
  private static Set<String> tables(Connection connection) throws SQLException {
    Set<String> tables = new TreeSet<>();
    try (ResultSet results = connection.getMetaData().getTables(null, null, null, null)) {
      while (results.next()) {
        if (!results.getString("TABLE_SCHEM").equals("sys")) {
          tables.add(
              quote(results.getString("TABLE_SCHEM"))
                  + "."
                  + quote(results.getString("TABLE_NAME")));
        }
      }
    }
    return tables;
  }

  /** The rows of a table, without times of last access. */
  private static List<Map<String, Object>> rows(Connection connection, String table)
      throws SQLException {
    QueryResult result =
        QueryResult.of(connection, "SELECT * FROM " + table, EqualFormsTest::value);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (List<Object> values : result.rows()) {
      Map<String, Object> row = new TreeMap<>();
      for (int i = 0; i < values.size(); i++) {
        row.put(result.columns().get(i).label(), values.get(i));
      }
      row.remove("last_access");
      rows.add(row);
    }
    return rows;
  }

  /** Members of a JSON object are in no order, and those of a set neither. */
  private static Object value(ResultSet results, int column) throws SQLException {
    String text = results.getString(column);
    if (text != null && SETS.contains(results.getMetaData().getColumnLabel(column))) {
      return new HashSet<>((List<?>) JsonValues.parse(text));
    }
    return text != null && text.startsWith("{") ? JsonValues.parse(text) : text;
  }
}
