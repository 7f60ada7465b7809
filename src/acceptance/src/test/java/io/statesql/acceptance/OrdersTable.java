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

import io.statesql.acceptance.QueryResult.Column;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * One table of a snapshot of the orders job, as the input implies it and as SQL shows it, both in
 * the same plain form: dates and times are the text that JDBC gives, with a column {@code
 * <name>_nanos} beside a time that has finer digits; composites are {@link JsonValues}, those
 * without order sorted.
 */
final class OrdersTable {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);
  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder()
          .appendValue(ChronoField.YEAR, 4, 10, SignStyle.NEVER)
          .appendPattern("-MM-dd")
          .toFormatter(Locale.ROOT);
  private static final int NANOS_PER_MILLISECOND = 1_000_000;

  private final OrdersSnapshot snapshot;
  private final String uid;
  private final String table;
  private final List<Map<String, Object>> rows;
  private final Set<String> notYetRead;
  private final Set<String> unordered;
  private final Set<String> preciseTimes;

  /**
   * @param name as {@code uid/table}
   * @param rows as the expectation has them
   * @param notYetRead columns to leave out, as {@code uid/table.column}; with {@code
   *     uid/keyed_state.state} all columns of that state
   */
  OrdersTable(
      OrdersSnapshot snapshot,
      String name,
      List<Map<String, Object>> rows,
      Set<String> notYetRead) {
    this.snapshot = snapshot;
    int slash = name.indexOf('/');
    this.uid = name.substring(0, slash);
    this.table = name.substring(slash + 1);
    this.rows = rows;
    this.notYetRead = notYetRead;
    this.unordered = columnsWith(rows, Set.class::isInstance);
    // Windows, timers and Avro's timestamp-millis count milliseconds.
    this.preciseTimes =
        columnsWith(rows, value -> value instanceof Instant || value instanceof LocalDateTime);
    preciseTimes.removeAll(
        Set.of("window_start", "window_end", "fire_time", "placed_at", "pending-order_placed_at"));
  }

  private static Set<String> columnsWith(
      List<Map<String, Object>> rows, Predicate<Object> condition) {
    return rows.stream()
        .flatMap(row -> row.entrySet().stream())
        .filter(cell -> condition.test(cell.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** The rows that the input implies. */
  List<Map<String, Object>> expected() {
    return rows.stream().map(this::expected).toList();
  }

  private Map<String, Object> expected(Map<String, Object> row) {
    Map<String, Object> plain = new LinkedHashMap<>();
    row.forEach(
        (column, value) -> {
          if (!isNotYetRead(column) && !column.equals("last_access")) {
            plain.put(column, plain(value));
            if (preciseTimes.contains(column)) {
              plain.put(column + "_nanos", nanos(value));
            }
          }
        });
    expectKeyGroup(row, plain);
    return plain;
  }

  /** The key groups of keys that the JDK and Flink can hash. */
  private void expectKeyGroup(Map<String, Object> row, Map<String, Object> plain) {
    Object key = row.get("state_key");
    if (row.containsKey("state_key_f0")) {
      key = Tuple2.of(row.get("state_key_f0"), row.get("state_key_f1"));
    }
    if (key != null) {
      plain.put(
          "key_group", KeyGroupRangeAssignment.assignToKeyGroup(key, snapshot.maxParallelism()));
    }
  }

  private static Object plain(Object value) {
    if (value instanceof Instant instant) {
      return TIMESTAMP.format(instant.atOffset(ZoneOffset.UTC));
    }
    if (value instanceof LocalDateTime dateTime) {
      return TIMESTAMP.format(dateTime);
    }
    if (value instanceof LocalDate date) {
      return DATE.format(date);
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof Set<?> set) {
      return sorted(JsonValues.of(set));
    }
    if (value instanceof List || value instanceof Map) {
      return JsonValues.of(value);
    }
    return value;
  }

  private static Object nanos(Object time) {
    if (time == null) {
      return null;
    }
    return ((Temporal) time).get(ChronoField.NANO_OF_SECOND) % NANOS_PER_MILLISECOND;
  }

  private static Object sorted(Object list) {
    return list == null
        ? null
        : ((List<?>) list).stream().map(String.class::cast).sorted().toList();
  }

  /** The rows that SQL shows. Checks what has no place in the expectation, and leaves it out. */
  List<Map<String, Object>> stored(Connection connection) throws SQLException {
    Set<String> composites = composites();
    QueryResult result =
        QueryResult.of(
            connection, "SELECT * FROM " + quote(uid) + "." + quote(table), OrdersTable::value);
    assertThat(result.columns().stream().map(Column::label))
        .as("columns of %s/%s", uid, table)
        .doesNotHaveDuplicates();
    List<Map<String, Object>> stored = new ArrayList<>();
    for (List<Object> values : result.rows()) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int i = 0; i < values.size(); i++) {
        String column = result.columns().get(i).label();
        if (!isNotYetRead(column)) {
          row.put(column, stored(column, values.get(i), composites));
        }
      }
      check(row);
      stored.add(row);
    }
    return stored;
  }

  /** The columns that are ARRAY, MAP or ROW when they are not given as JSON. */
  private Set<String> composites() throws SQLException {
    Set<String> composites = new HashSet<>();
    try (Connection objects = QueryResult.connect(snapshot.folder());
        ResultSet columns = objects.getMetaData().getColumns(null, uid, table, null)) {
      while (columns.next()) {
        switch (columns.getInt("DATA_TYPE")) {
          case Types.ARRAY, Types.STRUCT, Types.JAVA_OBJECT, Types.OTHER ->
              composites.add(columns.getString("COLUMN_NAME"));
          default -> {}
        }
      }
    }
    return composites;
  }

  private Object stored(String column, Object value, Set<String> composites) {
    if (column.equals("list_index")) {
      return ((Number) value).longValue();
    }
    if (value == null || !composites.contains(column)) {
      return value;
    }
    Object composite = JsonValues.parse((String) value);
    return unordered.contains(column) ? sorted(composite) : composite;
  }

  private static Object value(ResultSet results, int column) throws SQLException {
    return switch (results.getMetaData().getColumnType(column)) {
      case Types.DATE, Types.TIME, Types.TIMESTAMP -> results.getString(column);
      case Types.VARBINARY, Types.BINARY -> hex(results.getBytes(column));
      default -> results.getObject(column);
    };
  }

  private static Object hex(byte[] bytes) {
    return bytes == null ? null : HexFormat.of().formatHex(bytes);
  }

  private void check(Map<String, Object> row) {
    checkAndRemove(row, "window_start_ms", null);
    checkAndRemove(row, "window_end_ms", null);
    if (uid.equals("order-batches")) {
      checkAndRemove(row, "namespace", "GlobalWindow");
    }
    if (row.containsKey("last_access")) {
      assertThat(LocalDateTime.parse((String) row.remove("last_access"), TIMESTAMP))
          .isBetween(utc(snapshot.begin()), utc(snapshot.end()));
    }
    if (!row.containsKey("state_key")
        && !row.containsKey("state_key_f0")
        && row.containsKey("key_group")) {
      assertThat((Integer) row.remove("key_group")).isBetween(0, snapshot.maxParallelism() - 1);
    }
  }

  private static LocalDateTime utc(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private static void checkAndRemove(Map<String, Object> row, String column, Object expected) {
    if (row.containsKey(column)) {
      assertThat(row.remove(column)).as(column).isEqualTo(expected);
    }
  }

  private boolean isNotYetRead(String column) {
    String full = uid + "/" + table + "." + column;
    return notYetRead.stream().anyMatch(name -> full.equals(name) || full.startsWith(name + "_"));
  }
}
