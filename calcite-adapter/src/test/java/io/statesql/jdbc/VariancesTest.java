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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Variances and covariances keep their digits where numbers are large and close to each other. */
class VariancesTest {
  private static final String CLOSE =
      "(VALUES (1, 1e9), (2, 1e9 + 1), (2, 1e9 + 2), (3, CAST(NULL AS DOUBLE))) AS t (g, x)";

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = StateSqlAssert.connect(ToyCatalogs::open, "snapshot=/toy");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private StateSqlAssert.Query sql(String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }

  @Test
  void ofDoublesThatAreCloseToEachOther() throws SQLException {
    sql("SELECT VAR_POP(x), VAR_SAMP(x), STDDEV_SAMP(x), VARIANCE(x), STDDEV(x) FROM " + CLOSE)
        .returns("0.6666666666666666, 1.0, 1.0, 1.0, 1.0");
    sql("SELECT STDDEV_POP(x) FROM (VALUES (1.7e12), (1.7e12), (1.7e12)) AS t (x)").returns("0.0");
    sql("SELECT COVAR_POP(x, -x), COVAR_SAMP(x, g), REGR_SXX(g, x), REGR_SYY(x, g) FROM " + CLOSE)
        .returns("-0.6666666666666666, 0.5, 2.0, 2.0");
  }

  @Test
  void ofGroups() throws SQLException {
    sql("SELECT g, VAR_POP(x), STDDEV_SAMP(x), VAR_SAMP(x) IS NULL FROM " + CLOSE + " GROUP BY g")
        .returnsUnordered(
            "1, 0.0, null, true", "2, 0.25, 0.7071067811865476, false", "3, null, null, true");
    sql("SELECT VAR_POP(x) FILTER (WHERE g > 1), VAR_POP(DISTINCT x), COUNT(DISTINCT g) FROM "
            + CLOSE)
        .returns("0.25, 0.6666666666666666, 3");
  }

  @Test
  void overWindows() throws SQLException {
    sql("SELECT g, VAR_POP(x) OVER (PARTITION BY g), STDDEV_SAMP(x) OVER (), COVAR_POP(x, g) OVER ()"
            + " FROM "
            + CLOSE
            + " ORDER BY g LIMIT 2")
        .returns("1, 0.0, 1.0, 0.3333333333333333", "2, 0.25, 1.0, 0.3333333333333333");
    sql("SELECT x, VAR_POP(x) OVER (ORDER BY x ROWS 1 PRECEDING) FROM " + CLOSE + " WHERE g < 3")
        .returnsUnordered("1.0E9, 0.0", "1.000000001E9, 0.25", "1.000000002E9, 0.25");
  }

  @Test
  void ofIntegersAreDecimals() throws SQLException {
    sql("SELECT COVAR_POP(a, b), REGR_SXX(a, b) FROM (VALUES (1, 2), (2, 5), (4, NULL)) AS t (a, b)")
        .returns("0.75, 4.5");
    sql("SELECT COVAR_SAMP(a, b) IS NULL FROM (VALUES (1, 2)) AS t (a, b) GROUP BY a")
        .returns("true");
  }

  @Test
  void distinctValuesInWindowsAreRefused() throws SQLException {
    sql("SELECT SUM(DISTINCT x) OVER () FROM " + CLOSE).throwsSql("0A000", "SUM(DISTINCT ...)");
    sql("SELECT MIN(DISTINCT g) OVER () FROM " + CLOSE + " LIMIT 1").returns("1");
  }

  @Test
  void sumsOfNullAloneAreNull() throws SQLException {
    sql("SELECT SUM(CAST(NULL AS DECIMAL)) OVER (), AVG(CAST(NULL AS BIGINT)) OVER (),"
            + " MAX(CAST(NULL AS DECIMAL)) OVER (), COUNT(CAST(NULL AS DECIMAL)) OVER (),"
            + " VAR_POP(CAST(NULL AS INTEGER)) OVER () FROM (VALUES 1) AS t (x)")
        .returns("null, null, null, 0, null");
  }
}
