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

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Counts the states of snapshots by how far SQL shows them. */
final class SnapshotTotals {

  private static final String NO_DATA = "sets of merging windows";

  /** What reasons say, by a part of them, in the order in which one stands for a state. */
  private static final Map<String, String> REASONS = new LinkedHashMap<>();

  static {
    REASONS.put("it is the book-keeping of merging windows", NO_DATA);
    REASONS.put("raw operator state", "raw operator state");
    REASONS.put(
        "The changelog does not hold the serializer of its keys",
        "a changelog without key serializer");
    REASONS.put("The Scala type", "Scala serializers");
    REASONS.put("Values are Java-serialized", "Java-serialized objects");
    REASONS.put("is not one of Flink's own", "serializers of the job's own");
    REASONS.put(
        "for which the snapshot stores no serializer",
        "classes that the snapshot does not describe");
  }

  /** How far a state is shown. */
  private enum Extent {
    DECODED,
    OPAQUE,
    UNREADABLE,
    INTERNAL
  }

  private final String title;
  private int snapshots;
  private int operators;
  private final Map<Extent, Integer> states = new TreeMap<>();
  private final Map<String, Integer> reasons = new TreeMap<>();
  private final List<String> unknown = new ArrayList<>();

  SnapshotTotals(String title) {
    this.title = title;
  }

  /**
   * Reads all tables of a snapshot.
   *
   * @throws SQLException if it cannot be opened
   */
  void add(Path snapshot) throws SQLException {
    snapshots++;
    try (Connection connection = QueryResult.connect(snapshot, "composites=json")) {
      operators += rows(connection, "SELECT operator_id FROM sys.operators").size();
      String sql = "SELECT operator_id, table_name, state_name, reason FROM sys.states";
      for (List<Object> state : rows(connection, sql)) {
        addState(connection, snapshot, state);
      }
    }
  }

  private void addState(Connection connection, Path snapshot, List<Object> state) {
    String table = (String) state.get(1);
    String reason = (String) state.get(3);
    Extent extent = reason == null ? Extent.DECODED : Extent.OPAQUE;
    if (table == null) {
      extent = Extent.UNREADABLE;
    } else {
      try {
        rows(connection, "SELECT * FROM " + quote((String) state.get(0)) + "." + quote(table));
      } catch (SQLException e) {
        extent = Extent.UNREADABLE;
        reason = Objects.toString(reason, "") + e.getMessage();
      }
    }
    String known = extent == Extent.DECODED ? null : known(Objects.toString(reason));
    if (NO_DATA.equals(known)) {
      extent = Extent.INTERNAL;
    }
    states.merge(extent, 1, Integer::sum);
    if (extent != Extent.DECODED) {
      if (known == null) {
        unknown.add(snapshot + " " + state + ": " + reason);
      } else {
        reasons.merge(extent.name().toLowerCase(Locale.ROOT) + ": " + known, 1, Integer::sum);
      }
    }
  }

  private static String known(String reason) {
    return REASONS.entrySet().stream()
        .filter(entry -> reason.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static List<List<Object>> rows(Connection connection, String sql) throws SQLException {
    return QueryResult.of(connection, sql, ResultSet::getString).rows();
  }

  /** States that are not decoded for a reason that is not counted on. */
  List<String> unknown() {
    return List.copyOf(unknown);
  }

  /** The sums, then how many states are not decoded for each reason. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %d snapshots, %d operators, %d states: %d decoded, %d opaque,"
                + " %d unreadable, %d without data",
            title,
            snapshots,
            operators,
            states.values().stream().mapToInt(Integer::intValue).sum(),
            states.getOrDefault(Extent.DECODED, 0),
            states.getOrDefault(Extent.OPAQUE, 0),
            states.getOrDefault(Extent.UNREADABLE, 0),
            states.getOrDefault(Extent.INTERNAL, 0)));
    reasons.forEach((reason, count) -> lines.add("  " + count + " " + reason));
    return lines;
  }
}
