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

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins and set operations give each row as often as they should, also equal rows and NULLs. */
class JoinsTest {
  private static final Integer[][] A = {{1, 1}, {1, 1}, {2, null}, {null, 5}, {null, 5}, {7, 7}};
  private static final Integer[][] B = {{1, 3}, {1, 3}, {null, 5}, {null, 5}, {3, null}, {7, 0}};

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    ToySchema operator =
        new ToySchema()
            .table("a", table(A))
            .table("b", table(B))
            .table("none", table(new Integer[0][]));
    ToySchema catalog = new ToySchema().schema("o", operator).schema("sys", new ToySchema());
    connection =
        StateSqlAssert.connect(
            options -> List.of(new MountedCatalog("toy", catalog)), "snapshot=/toy");
    connection.setSchema("o");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static ToyTable table(Integer[][] rows) {
    ToyTable table =
        new ToyTable(
            columns ->
                columns
                    .add("k", SqlTypeName.INTEGER)
                    .nullable(true)
                    .add("v", SqlTypeName.INTEGER)
                    .nullable(true));
    for (Integer[] row : rows) {
      table.row((Object[]) row);
    }
    return table;
  }

  private StateSqlAssert.Query sql(String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }

  /** Conditions of each kind, as SQL and as what they should find. */
  @SuppressWarnings("ImmutableEnumChecker") // the predicates have no state
  private enum Condition {
    LESS("a.k < b.k", (a, b) -> a[0] != null && b[0] != null && a[0] < b[0]),
    EQUAL("a.k = b.k", (a, b) -> a[0] != null && a[0].equals(b[0])),
    EQUAL_AND_MORE(
        "a.k = b.k AND a.v < b.v",
        (a, b) -> a[0] != null && a[0].equals(b[0]) && a[1] != null && b[1] != null && a[1] < b[1]),
    NOT_DISTINCT("a.k IS NOT DISTINCT FROM b.k", (a, b) -> Objects.equals(a[0], b[0])),
    EITHER(
        "a.k = b.k OR a.v = b.v",
        (a, b) -> (a[0] != null && a[0].equals(b[0])) || (a[1] != null && a[1].equals(b[1]))),
    OF_LEFT("a.k > 5", (a, b) -> a[0] != null && a[0] > 5),
    OF_RIGHT("b.v IS NULL", (a, b) -> b[1] == null),
    ALWAYS("TRUE", (a, b) -> true),
    NEVER("a.k < -5", (a, b) -> false);

    private final String sql;
    private final BiPredicate<Integer[], Integer[]> holds;

    Condition(String sql, BiPredicate<Integer[], Integer[]> holds) {
      this.sql = sql;
      this.holds = holds;
    }
  }

  private static String row(Integer[] a, Integer[] b) {
    return "%s, %s, %s, %s".formatted(a[0], a[1], b[0], b[1]);
  }

  /** Of the rows on the first side, with NULLs for what they lack. */
  private static List<String> unmatched(
      Integer[][] rows, Integer[][] others, BiPredicate<Integer[], Integer[]> matches) {
    return List.of(rows).stream()
        .filter(row -> List.of(others).stream().noneMatch(other -> matches.test(row, other)))
        .map(row -> row(row, new Integer[2]))
        .toList();
  }

  private static List<String> mirrored(List<String> rows) {
    return rows.stream()
        .map(row -> row.split(", "))
        .map(v -> String.join(", ", v[2], v[3], v[0], v[1]))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Condition.class)
  void eachJoinGivesEachRowAsOftenAsItShould(Condition condition) throws SQLException {
    List<String> pairs =
        List.of(A).stream()
            .flatMap(
                a ->
                    List.of(B).stream().filter(b -> condition.holds.test(a, b)).map(b -> row(a, b)))
            .toList();
    List<String> onlyA = unmatched(A, B, condition.holds);
    List<String> onlyB = mirrored(unmatched(B, A, (b, a) -> condition.holds.test(a, b)));
    String query = "SELECT a.k, a.v, b.k, b.v FROM a %s JOIN b ON " + condition.sql;
    assertThat(sql(query.formatted("INNER")).rows()).containsExactlyInAnyOrderElementsOf(pairs);
    assertThat(sql(query.formatted("LEFT")).rows())
        .containsExactlyInAnyOrderElementsOf(concat(pairs, onlyA));
    assertThat(sql(query.formatted("RIGHT")).rows())
        .containsExactlyInAnyOrderElementsOf(concat(pairs, onlyB));
    assertThat(sql(query.formatted("FULL")).rows())
        .containsExactlyInAnyOrderElementsOf(concat(concat(pairs, onlyA), onlyB));
    // With one column, and with none, of a row: a value and an empty row are equal more often.
    sql("SELECT b.k FROM (SELECT k, v FROM a) AS a FULL JOIN b ON " + condition.sql)
        .returnsCount(pairs.size() + onlyA.size() + onlyB.size());
    sql("SELECT COUNT(*) FROM a FULL JOIN b ON " + condition.sql)
        .returns(String.valueOf(pairs.size() + onlyA.size() + onlyB.size()));
    sql("SELECT COUNT(*) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE " + condition.sql + ")")
        .returns(String.valueOf(A.length - onlyA.size()));
    sql("SELECT COUNT(*) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE " + condition.sql + ")")
        .returns(String.valueOf(onlyA.size()));
  }

  private static List<String> concat(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  @ParameterizedTest
  @CsvSource({"a, none, 6", "none, b, 6", "none, none, 0"})
  void aFullJoinWithNothingKeepsTheOtherSide(String left, String right, int rows)
      throws SQLException {
    for (String condition : List.of("l.k < r.k", "l.k = r.k AND l.v < r.v", "l.k = r.k")) {
      sql("SELECT l.k, r.k FROM %s AS l FULL JOIN %s AS r ON %s".formatted(left, right, condition))
          .returnsCount(rows);
    }
  }

  @Test
  void equalRowsOfOneColumnAreKeptApart() throws SQLException {
    sql("SELECT l.k, r.k FROM (SELECT k FROM a) AS l RIGHT JOIN (SELECT k FROM b) AS r ON l.k < 0")
        .returnsUnordered("null, 1", "null, 1", "null, null", "null, null", "null, 3", "null, 7");
    sql("WITH r (x) AS (VALUES 1, 1, 2) SELECT l.k, r.x FROM none AS l FULL JOIN r ON l.k < r.x")
        .returnsUnordered("null, 1", "null, 1", "null, 2");
  }

  @Test
  void aJoinInASubqueryOfEachRowKeepsItsRows() throws SQLException {
    sql("SELECT v, (SELECT COUNT(*) FROM a AS l RIGHT JOIN b AS r ON l.k < -5 WHERE r.k = o.k) FROM a AS o WHERE k = 1")
        .returns("1, 2", "1, 2");
    sql("SELECT COUNT(*) FROM a AS o, LATERAL (SELECT r.k FROM none AS l RIGHT JOIN b AS r ON l.k > r.k + o.k) AS s")
        .returns("36");
  }

  @Test
  void setOperationsCountEqualRows() throws SQLException {
    sql("SELECT k FROM a INTERSECT ALL SELECT k FROM b")
        .returnsUnordered("1", "1", "null", "null", "7");
    sql("SELECT k, v FROM a INTERSECT ALL SELECT k, v FROM b")
        .returnsUnordered("null, 5", "null, 5");
    sql("SELECT k FROM a EXCEPT ALL (SELECT k FROM b WHERE v = 5 UNION ALL SELECT 1)")
        .returnsUnordered("1", "2", "7");
    sql("SELECT k FROM a EXCEPT SELECT k FROM b").returns("2");
    sql("SELECT k FROM a INTERSECT SELECT CAST(k AS BIGINT) FROM b")
        .returnsUnordered("1", "null", "7");
    sql("SELECT k FROM a UNION SELECT k FROM b ORDER BY k").returns("1", "2", "3", "7", "null");
    sql("SELECT k FROM a UNION ALL SELECT k FROM b ORDER BY k LIMIT 5")
        .returns("1", "1", "1", "1", "2");
    sql("SELECT k FROM a EXCEPT SELECT k FROM b WHERE k = 1 EXCEPT SELECT k FROM b WHERE k = 7")
        .returnsUnordered("2", "null");
  }

  @Test
  void decimalsOfTwoScalesAreOneValueInSets() throws SQLException {
    String all = "SELECT x FROM (VALUES CAST('1.00' AS DECIMAL), 1, 2) AS t (x) ";
    sql(all + "EXCEPT ALL SELECT CAST('1.0' AS DECIMAL)").returnsUnordered("1", "2");
    sql(all + "INTERSECT ALL SELECT CAST('1.0' AS DECIMAL)").returns("1");
    sql(all + "EXCEPT SELECT CAST('1.0' AS DECIMAL)").returns("2");
    sql(all + "UNION SELECT CAST('1.0' AS DECIMAL)").returnsUnordered("1", "2");
    sql("SELECT COUNT(DISTINCT ARRAY[x]), COUNT(DISTINCT MAP['a', x]) FROM (" + all + ")")
        .returns("2, 2");
    sql("SELECT COUNT(*) FROM (" + all + ") WHERE ARRAY[x] = ARRAY[CAST('1.0' AS DECIMAL)]")
        .returns("2");
  }

  private static String lateral(String query) {
    return "SELECT a.k, s.x FROM a, LATERAL (" + query + ") AS s";
  }

  @Test
  void aTotalOfNothingIsARowOfEachLateralJoin() throws SQLException {
    String sum = "SELECT SUM(b.v) AS x FROM b WHERE b.k = a.k";
    String[] sums = {"1, 6", "1, 6", "2, null", "null, null", "null, null", "7, 0"};
    for (String end :
        List.of("", " LIMIT 1", " ORDER BY 1", " GROUP BY ()", " HAVING COUNT(*) < 9")) {
      sql(lateral(sum + end)).returnsUnordered(sums);
    }
    sql("SELECT a.k, s.x FROM a CROSS JOIN LATERAL (" + sum + ") AS s").returnsUnordered(sums);
    sql("SELECT a.k, s.x FROM a LEFT JOIN LATERAL (" + sum + ") AS s ON TRUE")
        .returnsUnordered(sums);
    sql(lateral("SELECT DISTINCT SUM(b.v) AS x FROM b WHERE b.k = a.k")).returnsUnordered(sums);
    sql(lateral("SELECT t.x FROM (" + sum + ") AS t WHERE t.x IS NULL"))
        .returnsUnordered("2, null", "null, null", "null, null");
    sql(lateral(sum + " LIMIT 0")).returnsCount(0);
    sql(lateral(sum + " OFFSET 1")).returnsCount(0);
    sql(lateral(sum + " GROUP BY b.k")).returnsUnordered("1, 6", "1, 6", "7, 0");
    sql(lateral("SELECT COUNT(*) AS x FROM b WHERE b.k = a.k GROUP BY ROLLUP (b.v)"))
        .returnsUnordered(
            "1, 2", "1, 2", "1, 2", "1, 2", "2, 0", "null, 0", "null, 0", "7, 1", "7, 1");
    sql(lateral("SELECT MIN(b.v) AS x FROM b WHERE a.k = 1"))
        .returnsUnordered("1, 0", "1, 0", "2, null", "null, null", "null, null", "7, null");
    sql("SELECT COUNT(*) FROM a, LATERAL (SELECT SUM(v) AS x FROM none WHERE none.k = a.k) AS s")
        .returns("6");
    sql("SELECT a.k FROM a WHERE 3 > ALL (" + sum + ")").returns("7");
  }

  @Test
  void aLateralJoinSeesTheRowThatItIsOf() throws SQLException {
    sql(lateral("SELECT SUM(b.v) OVER () AS x FROM b WHERE b.k = a.k"))
        .returnsUnordered("1, 6", "1, 6", "1, 6", "1, 6", "7, 0");
    sql(lateral("SELECT b.v + a.k AS x FROM b WHERE b.k = a.k"))
        .returnsUnordered("1, 4", "1, 4", "1, 4", "1, 4", "7, 7");
    sql(lateral("SELECT b.v + r.v AS x FROM b, a AS r WHERE b.k = a.k AND r.v = a.k"))
        .returnsUnordered("1, 4", "1, 4", "1, 4", "1, 4", "1, 4", "1, 4", "1, 4", "1, 4", "7, 7");
    sql(lateral(
            "SELECT p.x + q.y AS x FROM (SELECT SUM(b.v) AS x FROM b WHERE b.k = a.k) AS p, (SELECT COUNT(*) AS y FROM b WHERE b.k = a.k) AS q"))
        .returnsUnordered("1, 8", "1, 8", "2, null", "null, null", "null, null", "7, 1");
    sql(lateral(
            "SELECT t.y AS x FROM a AS q, LATERAL (SELECT SUM(b.v) AS y FROM b WHERE b.k = a.k) AS t WHERE q.k = a.k"))
        .returnsUnordered("1, 6", "1, 6", "1, 6", "1, 6", "2, null", "7, 0");
    sql(lateral(
            "SELECT COUNT(*) AS x FROM b LEFT JOIN (SELECT * FROM a AS q WHERE q.v = a.v) AS r ON b.k = r.k"))
        .returnsUnordered("1, 8", "1, 8", "2, 6", "null, 6", "null, 6", "7, 6");
    sql(lateral("VALUES (a.k + 1), (a.v)").replace("AS s", "AS s (x)"))
        .returnsUnordered(
            "1, 1",
            "1, 1",
            "1, 2",
            "1, 2",
            "2, 3",
            "2, null",
            "null, 5",
            "null, 5",
            "null, null",
            "null, null",
            "7, 7",
            "7, 8");
    sql(lateral("SELECT SUM(u.y) AS x FROM UNNEST(ARRAY[a.k, a.v]) AS u (y) WHERE u.y > 2"))
        .returnsUnordered("1, null", "1, null", "2, null", "null, 5", "null, 5", "7, 14");
    sql("SELECT a.k FROM a WHERE a.k NOT IN (SELECT b.k FROM b, a AS r WHERE b.v > a.v AND r.v >= a.v)")
        .returnsUnordered("2", "null", "null", "7");
  }

  @Test
  void whatIsOfEachRowIsFoundByAHashTable() throws SQLException {
    for (String query :
        List.of(
            "SELECT a.k, (SELECT COUNT(*) FROM b WHERE b.k = a.k) FROM a",
            "SELECT a.k FROM a WHERE a.v = (SELECT MAX(b.v) FROM b WHERE b.k = a.k)",
            "SELECT a.k FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.k = a.k)",
            "SELECT a.k FROM a WHERE a.v IN (SELECT b.v FROM b WHERE b.k = a.k)",
            lateral("SELECT SUM(b.v) AS x FROM b WHERE b.k = a.k"),
            lateral("SELECT b.v AS x FROM b WHERE b.k = a.k ORDER BY b.v DESC LIMIT 1"),
            "SELECT a.k FROM a JOIN b ON a.k IS NOT DISTINCT FROM b.k")) {
      sql(query).explainLacks("NestedLoop", "Correlate");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"INTEGER", "BIGINT", "DECIMAL(4, 2)", "DOUBLE", "VARCHAR", "VARBINARY"})
  void nullIsEqualToNullWhereItIsNotDistinct(String type) throws SQLException {
    String as =
        type.equals("VARBINARY")
            ? "CAST(CAST(%s AS VARCHAR) AS VARBINARY)"
            : "CAST(%s AS " + type + ")";
    String left = "(SELECT " + as.formatted("k") + " AS k, v FROM a) AS a";
    String right = "(SELECT " + as.formatted("k") + " AS k, v FROM b) AS b";
    String on = " ON a.k IS NOT DISTINCT FROM b.k";
    sql("SELECT COUNT(*) FROM " + left + " JOIN " + right + on).returns("9");
    sql("SELECT COUNT(*) FROM " + left + " LEFT JOIN " + right + on).returns("10");
    sql("SELECT COUNT(*) FROM " + left + " RIGHT JOIN " + right + on).returns("10");
    sql("SELECT COUNT(*) FROM " + left + " FULL JOIN " + right + on).returns("11");
  }

  @Test
  void applyIsAJoinWithLateral() throws SQLException {
    String values = " APPLY (SELECT b.v AS x FROM b WHERE b.k = a.k) AS s";
    sql("SELECT a.k, s.x FROM a CROSS" + values)
        .returnsUnordered("1, 3", "1, 3", "1, 3", "1, 3", "7, 0");
    sql("SELECT a.k, s.x FROM a OUTER" + values)
        .returnsUnordered(
            "1, 3", "1, 3", "1, 3", "1, 3", "2, null", "null, null", "null, null", "7, 0");
    sql("SELECT a.k, s.x FROM a CROSS APPLY (SELECT SUM(b.v) AS x FROM b WHERE b.k = a.k) AS s")
        .returnsUnordered("1, 6", "1, 6", "2, null", "null, null", "null, null", "7, 0");
    sql("SELECT a.k, u.y FROM a CROSS APPLY UNNEST(ARRAY[a.k, a.v]) AS u (y) WHERE u.y > 5")
        .returnsUnordered("7, 7", "7, 7");
  }

  @Test
  void aSubqueryAboveALateralJoinSeesBothSides() throws SQLException {
    String join = " FROM a AS o JOIN LATERAL (SELECT b.v FROM b WHERE b.k = o.k) AS s ON TRUE";
    sql("SELECT o.k" + join + " WHERE EXISTS (SELECT 1 FROM a AS r WHERE r.k = o.k AND r.v < s.v)")
        .returnsUnordered("1", "1", "1", "1");
    sql("SELECT o.k" + join + " WHERE o.k IN (SELECT r.k FROM a AS r WHERE r.v < s.v)")
        .returnsUnordered("1", "1", "1", "1");
    sql("SELECT o.k, (SELECT MAX(r.v) FROM a AS r WHERE r.k > s.v)" + join)
        .returnsUnordered("1, 7", "1, 7", "1, 7", "1, 7", "7, 7");
    sql("SELECT z.k, q.x FROM a AS t CROSS JOIN LATERAL (SELECT b.v AS x, t.k AS k FROM b WHERE b.k = t.k) AS q"
            + " RIGHT JOIN b AS z ON z.k = q.k WHERE z.v = 0 AND z.k IN (SELECT k FROM a WHERE a.k = q.k)")
        .returns("7, 0");
  }

  @Test
  void aSubqueryAmongTheColumnsOfASubqueryIsRefusedWhereItSeesARowOutsideOfBoth()
      throws SQLException {
    String refusal = "A subquery among the columns of another subquery refers to a row outside";
    sql("SELECT o.k, (SELECT SUM((SELECT MAX(r.v) FROM a AS r WHERE r.k = o.k AND r.k = b.k)) FROM b) FROM a AS o")
        .throwsSql("0A000", refusal);
    sql("SELECT o.k, (SELECT (SELECT MAX(r.v) FROM a AS r WHERE r.k = o.k) FROM b WHERE b.k = o.k LIMIT 1) FROM a AS o")
        .throwsSql("0A000", refusal);
    sql("SELECT o.k, (SELECT SUM((SELECT MAX(r.v) FROM a AS r WHERE r.k = b.k)) FROM b WHERE b.k = o.k) FROM a AS o WHERE o.k = 1")
        .returns("1, 2", "1, 2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LATERAL (SELECT b.v AS x FROM b WHERE b.k = t.k) AS q",
        "UNNEST(ARRAY[t.k]) AS q (x)",
        "(SELECT v AS x FROM b) AS p CROSS JOIN LATERAL (VALUES t.k) AS q (x)"
      })
  void aLateralInJoinedParenthesesIsRefusedForItsColumnsWouldBeThoseOfOtherTables(String lateral)
      throws SQLException {
    String joined = "SELECT z.k, q.x FROM (SELECT v, k FROM b) AS z%s (a AS t CROSS JOIN %s)%s";
    sql(joined.formatted(" LEFT JOIN", lateral, " ON z.k > 1"))
        .throwsSql("0A000", "A LATERAL or UNNEST in joined parentheses is not accepted");
    sql(joined.formatted(",", lateral, ""))
        .throwsSql("0A000", "A LATERAL or UNNEST in joined parentheses is not accepted");
    sql("SELECT z.k, q.x FROM (SELECT v, k FROM b) AS z, (SELECT q.x FROM a AS t CROSS JOIN "
            + lateral
            + ") AS q WHERE z.k = 7 AND q.x > 6")
        .rows();
  }

  @Test
  void aFullJoinLeavesTheJoinsInItAsTheyAre() throws SQLException {
    String left = "a AS o LEFT JOIN b AS p ON o.k IS NOT DISTINCT FROM p.k";
    sql("SELECT o.k, p.v FROM " + left + " FULL JOIN a AS q ON q.k < -5 WHERE p.v IS NOT NULL")
        .returnsUnordered(
            "1, 3", "1, 3", "1, 3", "1, 3", "7, 0", "null, 5", "null, 5", "null, 5", "null, 5");
    sql("SELECT COUNT(*) FROM " + left + " FULL JOIN a AS q ON q.k < -5").returns("16");
    sql("SELECT COUNT(*) FROM a AS q FULL JOIN (" + left + ") ON q.k < -5").returns("16");
    sql("SELECT COUNT(*) FROM (SELECT k, COUNT(*) AS n FROM none GROUP BY GROUPING SETS ((k), (v))) AS t GROUP BY ROLLUP (t.k, t.n)")
        .returns("0");
  }

  @Test
  void asofJoinsAreRefused() throws SQLException {
    String join =
        "SELECT t.k, u.v FROM (SELECT * FROM a) AS t %s JOIN (SELECT * FROM b) AS u MATCH_CONDITION t.v >= u.v ON t.k = u.k";
    sql(join.formatted("ASOF")).throwsSql("0A000", "ASOF JOIN is not accepted");
    sql(join.formatted("LEFT ASOF")).throwsSql("0A000", "ASOF JOIN is not accepted");
  }
}
