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

import io.statesql.StateSqlAssert;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Totals of grouping sets, with DISTINCT and of no rows. */
class GroupingTotalsTest {
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = StateSqlAssert.connect(ToyCatalogs::open, "snapshot=/toy");
    connection.setSchema("orders");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private StateSqlAssert.Query sql(String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }

  @Test
  void aTotalOfNoRowsIsOneRow() throws SQLException {
    for (String nothing : new String[] {"FALSE", "name = 'three'", "i > 9 AND i < 1"}) {
      sql("SELECT name, COUNT(*), SUM(i), AVG(48), GROUPING(name) FROM numbers WHERE %s GROUP BY ROLLUP (name)"
              .formatted(nothing))
          .returns("null, 0, null, null, 1");
      sql("SELECT name, i, COUNT(*), GROUPING(name, i) FROM numbers WHERE %s GROUP BY CUBE (name, i)"
              .formatted(nothing))
          .returns("null, null, 0, 3");
      sql("SELECT COUNT(*) FROM numbers WHERE %s GROUP BY ()".formatted(nothing)).returns("0");
      sql("SELECT name, COUNT(*) FROM numbers WHERE %s GROUP BY GROUPING SETS ((name), (i))"
              .formatted(nothing))
          .returnsCount(0);
      sql("SELECT COUNT(DISTINCT i), COUNT(DISTINCT name), COUNT(*), SUM(i) FROM numbers WHERE %s"
              .formatted(nothing))
          .returns("0, 0, 0, null");
      sql("SELECT SUM(c) FROM (SELECT COUNT(*) AS c FROM numbers WHERE %s GROUP BY name)"
              .formatted(nothing))
          .returns("null");
    }
  }

  @Test
  void aDistinctInGroupingSetsCountsInEachSetByItself() throws SQLException {
    String aggregates =
        "COUNT(DISTINCT t.v), COUNT(*), SUM(t.v), MAX(t.v), MIN(t.v), COUNT(DISTINCT t.v) FILTER (WHERE t.v > 1)";
    String from =
        " FROM (VALUES ('x', 1, 1), ('x', 1, 2), ('y', 1, 2), ('y', 2, 2), (NULL, 2, 3)) AS t (a, b, v)";
    sql("SELECT t.a, t.b, "
            + aggregates
            + ", GROUPING(t.a, t.b), GROUPING(t.b)"
            + from
            + " GROUP BY CUBE (t.a, t.b)")
        .returnsUnordered(
            union(
                "SELECT t.a, t.b, " + aggregates + ", 0, 0" + from + " GROUP BY t.a, t.b",
                "SELECT t.a, NULL, " + aggregates + ", 1, 1" + from + " GROUP BY t.a",
                "SELECT NULL, t.b, " + aggregates + ", 2, 0" + from + " GROUP BY t.b",
                "SELECT NULL, NULL, " + aggregates + ", 3, 1" + from));
    sql("SELECT t.b, COUNT(DISTINCT t.v), COUNT(*), GROUPING(t.b), GROUP_ID()"
            + from
            + " GROUP BY GROUPING SETS ((t.b), (t.b), ())")
        .returnsUnordered(
            "1, 2, 3, 0, 0", "1, 2, 3, 0, 1", "2, 2, 2, 0, 0", "2, 2, 2, 0, 1", "null, 3, 5, 1, 0");
    sql("SELECT COUNT(*) FROM numbers WHERE 2 IN (SELECT COUNT(DISTINCT t.v)"
            + from
            + " GROUP BY ROLLUP (t.a))")
        .returns("4");
    sql("SELECT t.a, COUNT(DISTINCT t.v), SUM(DISTINCT t.v)"
            + from
            + " WHERE t.b = 9 GROUP BY ROLLUP (t.a)")
        .returns("null, 0, null");
  }

  private String[] union(String... queries) throws SQLException {
    List<String> rows = new ArrayList<>();
    for (String query : queries) {
      rows.addAll(sql(query).rows());
    }
    return rows.toArray(String[]::new);
  }

  @Test
  void aJoinWithTheTotalOfNoRowsKeepsTheOtherSide() throws SQLException {
    sql("SELECT state_key FROM keyed_state, (SELECT COUNT(*) FROM numbers WHERE name = 'three')")
        .returnsUnordered("a", "b", "ç");
    sql("SELECT k.state_key FROM keyed_state k LEFT JOIN (SELECT MAX(i) FROM numbers WHERE FALSE) ON TRUE")
        .returnsUnordered("a", "b", "ç");
    sql("SELECT state_key FROM keyed_state WHERE EXISTS (SELECT COUNT(*) FROM numbers WHERE i = -7)")
        .returnsUnordered("a", "b", "ç");
    sql("SELECT COUNT(*) FROM numbers n JOIN (SELECT name, i FROM numbers GROUP BY GROUPING SETS ((name), (i))) g"
            + " ON n.name = g.name AND n.i = g.i")
        .returns("0");
  }

  @Test
  void aSubqueryThatFindsNothingLeavesTheRestOfTheCondition() throws SQLException {
    for (String nothing :
        new String[] {"FALSE", "i = -7", "i > 9 AND i < 1", "i IN (1, 2) AND i = 3"}) {
      sql("SELECT state_key FROM keyed_state WHERE key_group = 4 OR value IN (SELECT i FROM numbers WHERE %s)"
              .formatted(nothing))
          .returns("b");
      sql("SELECT state_key FROM keyed_state WHERE key_group = 4 OR EXISTS (SELECT i FROM numbers WHERE %s)"
              .formatted(nothing))
          .returns("b");
      sql("SELECT state_key FROM keyed_state WHERE key_group = 4 OR value > ANY (SELECT i FROM numbers WHERE %s)"
              .formatted(nothing))
          .returns("b");
      sql("SELECT state_key FROM keyed_state WHERE key_group = 4 OR value = (SELECT i FROM numbers WHERE %s)"
              .formatted(nothing))
          .returns("b");
      sql("SELECT state_key FROM keyed_state WHERE key_group = 4 AND value NOT IN (SELECT i FROM numbers WHERE %s)"
              .formatted(nothing))
          .returns("b");
      sql("SELECT state_key FROM keyed_state WHERE value > ALL (SELECT i FROM numbers WHERE %s)"
              .formatted(nothing))
          .returnsUnordered("a", "b", "ç");
    }
  }

  @Test
  void aListIsAsLongAsItsTextsAndNullOfNoRows() throws SQLException {
    sql("SELECT LISTAGG('x'), COUNT(DISTINCT i) FROM numbers").returns("x,x,x,x, 4");
    sql("SELECT LISTAGG(CASE WHEN i > 1 THEN 'a' ELSE 'b' END, '') WITHIN GROUP (ORDER BY i), COUNT(DISTINCT i) FROM numbers WHERE i > 0")
        .returns("baa, 3");
    sql("SELECT LISTAGG('x') IS NULL, COUNT(*) FROM numbers WHERE i = -7").returns("true, 0");
    sql("SELECT COUNT(*) FROM (SELECT LISTAGG('x') AS l FROM numbers WHERE i = -7) AS t WHERE t.l = t.l")
        .returns("0");
    sql("SELECT LISTAGG(DISTINCT name, ';') WITHIN GROUP (ORDER BY name DESC), COUNT(DISTINCT i) FROM numbers")
        .returns("two;one;min;max, 4");
    sql("SELECT LISTAGG(name, ';') WITHIN GROUP (ORDER BY i DESC) FILTER (WHERE i > 0), COUNT(DISTINCT i) FROM numbers")
        .returns("max;two;one, 4");
  }
}
