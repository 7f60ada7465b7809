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
        .returnsUnordered("one, -Infinity", "two, 0.0");
    sql("SELECT name FROM numbers WHERE d = (SELECT MAX(d) FROM numbers WHERE t < 2 AND t > -9)")
        .returns("one");
    sql("SELECT MAX(m) FROM (SELECT MIN(d) AS m FROM numbers GROUP BY name)").returns("NaN");
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
