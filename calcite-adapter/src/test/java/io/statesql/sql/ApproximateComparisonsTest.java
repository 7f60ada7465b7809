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
package io.statesql.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import io.statesql.jdbc.ToyCatalogs;
import io.statesql.sql.function.ApproximateNumbers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApproximateComparisonsTest {
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
  void ordersDoublesWithNanLastAndMinusZeroFirst() {
    double[] rising = {
      Double.NEGATIVE_INFINITY,
      -Double.MAX_VALUE,
      -1.5,
      -Double.MIN_VALUE,
      -0.0,
      0.0,
      Double.MIN_VALUE,
      1,
      Double.MAX_VALUE,
      Double.POSITIVE_INFINITY,
      Double.NaN
    };
    List<Long> places = DoubleStream.of(rising).mapToObj(ApproximateNumbers::order).toList();
    assertThat(places).isSorted().doesNotHaveDuplicates();
    assertThat(places.stream().mapToDouble(ApproximateNumbers::ofOrder).toArray())
        .isEqualTo(rising);
    assertThat(ApproximateNumbers.key(-0.0)).isEqualTo(ApproximateNumbers.key(0.0));
    assertThat(Stream.of(Double.longBitsToDouble(-1L), Double.NaN).map(ApproximateNumbers::key))
        .containsOnly(ApproximateNumbers.key(Double.NaN));
  }

  @Test
  void nanIsTheGreatestWhereverItStands() throws SQLException {
    sql("SELECT MIN(d), MAX(d), MIN(r), MAX(r) FROM numbers")
        .types("EXPR$0 DOUBLE, EXPR$1 DOUBLE, EXPR$2 REAL, EXPR$3 REAL")
        .returns("-Infinity, NaN, -0.0, NaN");
    for (String direction : new String[] {"ASC", "DESC"}) {
      sql("SELECT MIN(d), MAX(d), COUNT(*), MAX(i) FROM (SELECT d, i FROM numbers ORDER BY name "
              + direction
              + " LIMIT 4)")
          .returns("-Infinity, NaN, 4, 2147483647");
    }
    sql("SELECT MIN(d), MAX(r) FROM numbers WHERE name = 'max'").returns("NaN, NaN");
    sql("SELECT MIN(d), MAX(d) FROM numbers WHERE name IN ('min', 'two')").returns("-0.0, 0.0");
    sql("SELECT MAX(d), MIN(r) FROM numbers WHERE name = 'one'").returns("-Infinity, Infinity");
    sql("SELECT MIN(d), MAX(r) FROM numbers WHERE name = 'none'").returns("null, null");
  }

  @Test
  void extremesGroupFilterAndNest() throws SQLException {
    sql("SELECT CHAR_LENGTH(name) AS n, MAX(d) AS d, SUM(t), MIN(r) FILTER (WHERE t > 1) FROM numbers GROUP BY CHAR_LENGTH(name)")
        .returns("3, NaN, 2, 0.1");
    sql("SELECT name, MAX(d) FROM numbers WHERE t > 0 GROUP BY ROLLUP (name) HAVING MAX(d) > -1 OR name = 'one'")
        .returnsUnordered("null, NaN", "max, NaN", "one, -Infinity", "two, 0.0");
    sql("SELECT name FROM numbers WHERE d = (SELECT MAX(d) FROM numbers WHERE t < 2 AND t > -9)")
        .returns("one");
    sql("SELECT MAX(m) FROM (SELECT MIN(d) AS m FROM numbers GROUP BY name)").returns("NaN");
  }

  @Test
  void aggregatesBesideADistinctOneKeepNanAndInfinities() throws SQLException {
    sql("SELECT COUNT(DISTINCT name), SUM(d), AVG(d) FROM numbers").returns("4, NaN, NaN");
    sql("SELECT COUNT(DISTINCT name), SUM(d), MIN(d) FROM numbers WHERE name <> 'max'")
        .returns("3, -Infinity, -Infinity");
    sql("SELECT CHAR_LENGTH(name), COUNT(DISTINCT name), COUNT(DISTINCT t), SUM(-d) FROM numbers WHERE name <> 'max' GROUP BY CHAR_LENGTH(name)")
        .returns("3, 3, 3, Infinity");
  }

  @Test
  void anExtremeOfNoMatchingRowsIsNull() throws SQLException {
    sql("SELECT name FROM numbers a WHERE d < (SELECT MAX(1e0) FROM numbers b WHERE b.t = a.t + 100)")
        .returns();
    sql("SELECT name FROM numbers a WHERE (SELECT MIN(1e0) FROM numbers b WHERE b.t = a.t + 100) IS NULL")
        .returnsUnordered("max", "min", "one", "two");
  }

  @Test
  void eachRowIsInAConditionOrInItsOpposite() throws SQLException {
    sql("SELECT name FROM numbers WHERE d > 0").returns("max");
    sql("SELECT name FROM numbers WHERE NOT (d > 0)").returnsUnordered("min", "one", "two");
    sql("SELECT name FROM numbers WHERE d < 0").returns("one");
    sql("SELECT name FROM numbers WHERE NOT (d < 0)").returnsUnordered("max", "min", "two");
    sql("SELECT name FROM numbers WHERE d NOT BETWEEN -1 AND 1").returnsUnordered("max", "one");
    sql("SELECT name FROM numbers WHERE CASE WHEN d <= 0 THEN FALSE ELSE TRUE END").returns("max");
    sql("SELECT a.name, b.name FROM numbers a JOIN numbers b ON a.d >= b.d WHERE b.name = 'max'")
        .returns("max, max");
  }

  @Test
  void anyAndAllTakeNanForTheGreatest() throws SQLException {
    sql("SELECT name FROM numbers WHERE d < ANY (SELECT d FROM numbers)")
        .returnsUnordered("min", "one", "two");
    sql("SELECT name FROM numbers WHERE d >= ALL (SELECT d FROM numbers)").returns("max");
    sql("SELECT name FROM numbers WHERE 1e9 > ALL (SELECT d FROM numbers)").returns();
    sql("SELECT name FROM numbers WHERE d <= ALL (SELECT r FROM numbers WHERE name <> 'max')")
        .returnsUnordered("one", "min", "two");
  }

  @Test
  void windowsTakeNanForTheGreatestToo() throws SQLException {
    sql("SELECT name, MAX(d) OVER (ORDER BY name ROWS 1 PRECEDING), MIN(r) OVER (ORDER BY name ROWS 1 PRECEDING), MAX(d) OVER () FROM numbers ORDER BY name")
        .returns(
            "max, NaN, NaN, NaN",
            "min, NaN, -0.0, NaN",
            "one, -0.0, -0.0, NaN",
            "two, 0.0, 0.1, NaN");
  }

  @Test
  void equalityOfExpressionsDoesNotDependOnThePlan() throws SQLException {
    sql("SELECT name FROM numbers WHERE d = d").returns("max", "min", "one", "two");
    sql("SELECT name FROM numbers WHERE d <> d").returns();
    sql("SELECT name FROM numbers WHERE r = d").returns("max", "min");
    sql("SELECT name FROM numbers WHERE d = CAST('NaN' AS DOUBLE)").returns("max");
    sql("SELECT a.name, b.name FROM numbers a JOIN numbers b ON a.d = b.d")
        .explainContains("APPROXIMATE_KEY")
        .returnsUnordered("max, max", "min, min", "min, two", "two, min", "two, two", "one, one");
    sql("SELECT a.name, b.name FROM numbers a JOIN numbers b ON a.d = b.d OR a.name = b.name")
        .returnsUnordered("max, max", "min, min", "min, two", "two, min", "two, two", "one, one");
    sql("SELECT name FROM numbers WHERE d IN (SELECT d FROM numbers WHERE name IN ('max', 'min'))")
        .returnsUnordered("max", "min", "two");
    sql("SELECT name FROM numbers WHERE d NOT IN (SELECT d FROM numbers WHERE name IN ('max', 'min'))")
        .returns("one");
    sql("SELECT a.name FROM numbers a, numbers b WHERE a.d IS NOT DISTINCT FROM b.d AND b.name = 'max'")
        .returns("max");
  }

  @Test
  void equalityWithALiteralStaysAComparison() throws SQLException {
    sql("SELECT name FROM numbers WHERE d = 0e0")
        .explainLacks("APPROXIMATE_KEY")
        .returns("min", "two");
  }

  @Test
  void groupsTakeNanForOneValueAndTellZerosApart() throws SQLException {
    sql("SELECT v, COUNT(*) FROM (SELECT d AS v FROM numbers UNION ALL SELECT CAST(r AS DOUBLE) FROM numbers WHERE r <> 0.1 OR name = 'max') GROUP BY v ORDER BY v")
        .returns("-Infinity, 1", "-0.0, 2", "0.0, 1", "Infinity, 1", "NaN, 2");
  }
}
