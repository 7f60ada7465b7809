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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The breadth of Calcite's SQL goes through our rewriting unharmed. */
class QueryFormsTest {
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
  void joins() throws SQLException {
    sql("SELECT k.state_key, n.name FROM keyed_state k JOIN numbers n ON k.value = n.i ORDER BY 1")
        .returns("a, one", "b, two");
    sql("SELECT k.state_key, n.name FROM keyed_state k LEFT JOIN numbers n ON k.value = n.i AND n.i > 1 ORDER BY 1")
        .returns("a, null", "b, two", "ç, null");
    sql("SELECT COUNT(*) FROM keyed_state CROSS JOIN numbers").returns("12");
    sql("SELECT a.x, b.x FROM Totals a NATURAL FULL JOIN Single b").returnsCount(2);
    sql("SELECT s.x FROM orders.keyed_state k, \"other-shop\".orders.keyed_state s WHERE k.key_group + 97 = s.x")
        .returns("100");
  }

  @Test
  void subQueries() throws SQLException {
    sql("SELECT state_key FROM keyed_state k WHERE EXISTS (SELECT 1 FROM numbers n WHERE n.i = k.value AND n.t + 1 > 2)")
        .returns("b");
    sql("SELECT state_key, (SELECT MAX(n.i) FROM numbers n WHERE n.i < k.key_group) FROM keyed_state k ORDER BY 1")
        .returns("a, 2", "b, 2", "ç, 2");
    sql("SELECT state_key FROM keyed_state WHERE value = (SELECT MIN(i) FROM numbers WHERE i > 0)")
        .returns("a");
    sql("SELECT COUNT(*) FROM keyed_state WHERE key_group > ALL (SELECT value FROM keyed_state WHERE value IS NOT NULL)")
        .returns("3");
    sql("SELECT (SELECT SUM(l) FROM numbers) AS s").returns("2");
    sql("SELECT k.state_key, l.v FROM keyed_state k, LATERAL (SELECT k.value * 2 AS v) AS l WHERE k.value = 2")
        .returns("b, 4");
  }

  @Test
  void grouping() throws SQLException {
    sql("SELECT value > 1 AS big, COUNT(*), SUM(\"count\"), AVG(value), MIN(user) FROM keyed_state GROUP BY value > 1 ORDER BY 2, 3")
        .returns("false, 1, 10, 1, ann", "true, 1, 20, 2, bob", "null, 1, null, null, null");
    sql("SELECT state_key, key_group, SUM(value) FROM keyed_state GROUP BY GROUPING SETS ((state_key), (key_group), ()) HAVING SUM(value) > 2")
        .returns("null, null, 3");
    sql("SELECT state_key FROM keyed_state GROUP BY ROLLUP (state_key) ORDER BY 1 NULLS FIRST")
        .returns("null", "a", "b", "ç");
    sql("SELECT COUNT(*) FILTER (WHERE value = 1), COUNT(DISTINCT value), LISTAGG(user, '+') WITHIN GROUP (ORDER BY user) FROM keyed_state")
        .returns("1, 2, ann+bob");
    sql("SELECT STDDEV_POP(value), VAR_SAMP(value) FROM keyed_state").returns("0.5, 0.5");
    sql("SELECT STDDEV_POP(l), VAR_SAMP(l), COUNT(*) FROM numbers").returnsCount(1);
    sql("SELECT value > 1, COUNT(*) FROM keyed_state GROUP BY 1 ORDER BY 1")
        .returns("false, 1", "true, 1", "null, 1");
  }

  @Test
  void windowFunctions() throws SQLException {
    sql("SELECT state_key, ROW_NUMBER() OVER (ORDER BY key_group DESC) AS n, LAG(value) OVER (ORDER BY key_group) AS p,"
            + " SUM(value) OVER (ORDER BY key_group ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM keyed_state ORDER BY n")
        .returns("ç, 1, 2, 2", "b, 2, 1, 3", "a, 3, null, 1");
    sql("SELECT id, SUM(d) OVER (PARTITION BY bounded > 1 ORDER BY id) FROM decimals WHERE id IN (3, 4)")
        .returnsUnordered("3, 1.0", "4, 1.00");
  }

  @Test
  void setOperationsAndLimits() throws SQLException {
    sql("SELECT i FROM numbers WHERE i > 0 UNION SELECT s FROM numbers WHERE s > 0 ORDER BY 1")
        .returns("1", "2", "32767", "2147483647");
    sql("SELECT t FROM numbers ORDER BY t LIMIT 1 OFFSET 1").returns("1");
    sql("SELECT t FROM numbers ORDER BY t FETCH FIRST 2 ROWS ONLY").returns("-128", "1");
    sql("SELECT 1.10 AS d UNION SELECT 1.1 UNION SELECT 1").returns("1.10", "1.00");
    sql("WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT SUM(n) FROM r")
        .returns("6");
  }

  @Test
  void whatStandsForNullIsComparedInItsPlace() throws SQLException {
    String orKeyGroup = "SELECT state_key FROM keyed_state WHERE %s IN (0, 2)";
    sql(orKeyGroup.formatted("COALESCE(value, key_group + 90)")).returns("b");
    sql(orKeyGroup.formatted("CASE WHEN value IS NOT NULL THEN value ELSE key_group + 90 END"))
        .returns("b");
    sql(orKeyGroup.formatted("NULLIF(COALESCE(value, key_group + 90), 7)")).returns("b");
  }

  @Test
  void aComparisonWithWhatTurnsOutToBeNullFindsNothing() throws SQLException {
    for (String nothing :
        List.of("CASE WHEN 7 > 19 THEN 16 END", "NULLIF(1, 1)", "CAST(NULL AS INTEGER)")) {
      sql("SELECT key_group, COUNT(*) FROM keyed_state WHERE key_group = %s GROUP BY key_group"
              .formatted(nothing))
          .returns();
      sql("SELECT key_group + 1 < %s IS NULL FROM keyed_state".formatted(nothing))
          .returns("true", "true", "true");
    }
  }

  @Test
  void anUnknownBooleanIsBetweenNoOthers() throws SQLException {
    String rows = "SELECT state_key FROM keyed_state WHERE NULLIF(value < 9, value = 2) ";
    for (String condition :
        List.of("BETWEEN FALSE AND TRUE", "IN (FALSE, TRUE)", "NOT IN (FALSE)", ">= FALSE")) {
      sql(rows + condition).returns("a");
    }
  }

  @Test
  void setOperationsOfOneColumnTakeJoins() throws SQLException {
    String joined = "SELECT k.value FROM keyed_state k JOIN numbers n ON k.value = n.i";
    sql("SELECT i FROM numbers EXCEPT " + joined).returnsUnordered("2147483647", "-2147483648");
    sql("SELECT i FROM numbers INTERSECT " + joined).returnsUnordered("1", "2");
    sql("SELECT i FROM numbers INTERSECT ALL " + joined).returnsUnordered("1", "2");
    sql("SELECT i FROM numbers EXCEPT ALL " + joined + " EXCEPT SELECT 2147483647")
        .returns("-2147483648");
  }

  @Test
  void functions() throws SQLException {
    sql("SELECT SUBSTRING(user FROM 2 FOR 1), POSITION('n' IN user), TRIM(BOTH 'a' FROM user), OVERLAY(user PLACING 'x' FROM 1),"
            + " user LIKE 'a%', user SIMILAR TO '(ann|bob)' FROM keyed_state WHERE value = 1")
        .returns("n, 2, nn, xnn, true, true");
    sql("SELECT EXTRACT(YEAR FROM ts), YEAR(ts), FLOOR(ts TO DAY), ts + INTERVAL '1' DAY, TIMESTAMPDIFF(HOUR, ts, ts + INTERVAL '3' HOUR)"
            + " FROM times WHERE id = 1")
        .returns("2024, 2024, 2024-02-29 00:00:00.000, 2024-03-01 12:00:00.123, 3");
    sql("SELECT ROUND(2.345, 2), CEIL(1.2), FLOOR(-1.2), MOD(7, 4), POWER(2, 10), SQRT(16), TRUNCATE(2.99, 1), SIGN(-3)")
        .returns("2.35, 2, -2, 3, 1024.0, 4.0, 2.9, -1");
    sql("SELECT COALESCE(NULL, 'x'), NULLIF(1, 1), CASE value WHEN 1 THEN 'one' ELSE 'many' END, GREATEST(1, 2) FROM keyed_state WHERE value = 2")
        .throwsSql("42000", "GREATEST");
    sql("SELECT JSON_OBJECT('k' VALUE value), JSON_QUERY('{\"a\": [1, 2]}', '$.a'), JSON_EXISTS('{\"a\": 1}', '$.a')"
            + " FROM keyed_state WHERE value = 1")
        .returns("{\"k\":1}, [1,2], true");
    sql("SELECT JSON_VALUE(items, '$[0]') FROM composites")
        .throwsSql("42000", "JSON_VALUE reads JSON text, and not a value of type VARCHAR ARRAY");
    sql("SELECT id FROM composites WHERE JSON_EXISTS(id, '$.a')")
        .throwsSql("42000", "JSON_EXISTS reads JSON text, and not a value of type INTEGER");
    sql("SELECT CAST('42' AS INTEGER), CAST(1 AS BOOLEAN), CAST(TRUE AS VARCHAR), CAST(1.5 AS VARCHAR(2)), X'01ff'")
        .returns("42, true, TRUE, 1., 01ff");
  }

  @Test
  void argumentsOutOfTheDomainOfAFunctionAreNamed() {
    sql("SELECT LN(0)").throwsSql("22023", "logarithm");
    sql("SELECT LOG10(i - 1) FROM numbers WHERE i = 1").throwsSql("22023", "logarithm");
  }

  @Test
  void argumentsThatTheFunctionsOfTheJdkRefuseAreNamed() {
    sql("SELECT RAND_INTEGER(value - 9) FROM keyed_state").throwsSql("22023", "positive");
    sql("SELECT CAST(user AS UUID) FROM keyed_state").throwsSql("22023", "UUID", "ann");
    sql("SELECT user SIMILAR TO '{' FROM keyed_state").throwsSql("22023", "Illegal repetition");
  }

  @Test
  void aSubQueryInPlaceOfAValueHasOneRow() {
    sql("SELECT (SELECT user FROM keyed_state) AS u").throwsSql("21000", "more than one row");
    sql("SELECT * FROM numbers WHERE i = (SELECT value FROM keyed_state)")
        .throwsSql("21000", "more than one row");
  }

  @Test
  void aFunctionThatDoesNotTakeATypeIsToldAsSuch() {
    sql("SELECT RAND_INTEGER(l) FROM numbers").throwsSql("0A000", "does not take");
    sql("SELECT LISTAGG(X'00ff') FROM numbers").throwsSql("0A000", "does not take");
  }

  @Test
  void matchRecognizeIsRefused() {
    sql("SELECT * FROM keyed_state MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS TRUE)")
        .throwsSql("0A000", "MATCH_RECOGNIZE");
  }

  @Test
  void collections() throws SQLException {
    sql("SELECT c.id, u.item FROM composites c CROSS JOIN UNNEST(c.items) AS u (item) WHERE c.id = 1")
        .returnsUnordered("1, x", "1, null", "1, \"é\"");
    sql("SELECT ARRAY[1, 2][2], MAP['a', 1]['a'], CARDINALITY(ARRAY[1, 2]), ELEMENT(ARRAY[5])")
        .returns("2, 1, 2, 5");
    sql("SELECT * FROM UNNEST(ARRAY['p', 'qq']) WITH ORDINALITY AS u (v, o)")
        .returns("p, 1", "qq, 2");
    sql("SELECT COLLECT(value) FROM keyed_state WHERE value IS NOT NULL").returns("[1, 2]");
  }

  @Test
  void unnestOfNothingHasNoRows() throws SQLException {
    sql("SELECT c.id, u.item FROM composites c CROSS JOIN UNNEST(c.items) AS u (item)")
        .returnsUnordered("1, x", "1, null", "1, \"é\"");
    sql("SELECT c.id, u.k, u.v.a FROM composites c CROSS JOIN UNNEST(c.attrs) AS u (k, v)")
        .returns("1, k, 5");
    sql("SELECT c.id, u.item FROM composites c LEFT JOIN UNNEST(c.items) AS u (item) ON TRUE WHERE c.id = 2")
        .returns("2, null");
    sql("SELECT c.id, u.a, u.b FROM lines c CROSS JOIN UNNEST(c.lines) AS u (a, b) ORDER BY u.a")
        .returns("1, 1, one", "1, 2, two");
    sql("SELECT id FROM composites c WHERE EXISTS (SELECT 1 FROM UNNEST(c.attrs) AS u (k, v))")
        .returns("1");
    sql("SELECT id, (SELECT COUNT(*) FROM UNNEST(c.items)) FROM composites c")
        .returns("1, 3", "2, 0");
  }

  @Test
  void whatACollectionDoesNotHoldIsNull() throws SQLException {
    sql("SELECT id, items[1], items[9], attrs['k'].a, attrs['none'].a, attrs['none'], c.nested.a FROM composites c")
        .returns("1, x, null, 5, null, null, 7", "2, null, null, null, null, null, null");
    sql("SELECT id, CARDINALITY(items), CARDINALITY(attrs) FROM composites")
        .returns("1, 3, 1", "2, null, null");
    sql("SELECT id, lines[2].b, lines[3].b FROM lines").returns("1, two, null", "2, null, null");
  }

  @Test
  void explanations() throws SQLException {
    sql("SELECT state_key FROM keyed_state WHERE value + 1 = 2")
        .explainContains("EnumerableTableScan")
        .explainLacks("LogicalProject");
    sql("EXPLAIN PLAN AS JSON FOR SELECT 1 FROM keyed_state").returnsCount(1);
    sql("EXPLAIN PLAN WITHOUT IMPLEMENTATION FOR SELECT 1 FROM keyed_state").returnsCount(1);
  }
}
