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
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.statesql.StateSqlAssert;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements of a few characters, or of many, that would take hours are refused with a reason. */
class StatementSizesTest {
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

  /** Once, and without the statement in the message, which may be long. */
  private void refused(String sql, String state, String reason) {
    SQLException failure =
        catchThrowableOfType(
            SQLException.class,
            () -> {
              try (Statement statement = connection.createStatement()) {
                statement.executeQuery(sql).next();
              }
            });
    assertThat((Throwable) failure).isNotNull();
    assertThat(failure.getMessage()).contains(reason);
    assertThat(failure.getSQLState()).isEqualTo(state);
  }

  @Test
  void decimalsOfMillionsOfDigitsAreRefused() {
    sql("SELECT CAST(x AS DECIMAL) + 1 FROM (VALUES '1e100000000') AS t (x)")
        .throwsSql("22003", "more than 10000 digits");
    sql("VALUES CAST('1e-100000000' AS DECIMAL) * 2").throwsSql("22003", "more than 10000 digits");
    sql("WITH RECURSIVE r (x, n) AS (SELECT CAST('3' AS DECIMAL), 1 FROM (VALUES 1)"
            + " UNION ALL SELECT x * x, n + 1 FROM r WHERE n < 60) SELECT COUNT(x) FROM r")
        .throwsSql("22003", "more than 10000 digits");
    refused("VALUES " + "7".repeat(10_001), "42000", "more than 10000 digits");
  }

  /** Each of these would make a hundred million digits of a few stored bytes. */
  @Test
  void storedDecimalsOfHugeScaleAreShownAndNotRounded() throws SQLException {
    for (int scale : new int[] {100_000_000, -100_000_000}) {
      ToySource source =
          new ToySource(
              columns -> columns.add("d", SqlTypeName.DECIMAL),
              number ->
                  number == 0
                      ? new Object[] {new BigDecimal(BigInteger.valueOf(7), scale)}
                      : number == 1 ? new Object[] {new BigDecimal("1.5")} : null,
              cancellation -> {});
      ToySchema catalog =
          new ToySchema()
              .schema("stored", new ToySchema().table("t", source))
              .schema("sys", new ToySchema());
      try (Connection stored =
          StateSqlAssert.connect(
              options -> List.of(new MountedCatalog("toy", catalog)), "snapshot=/toy")) {
        String text = new BigDecimal(BigInteger.valueOf(7), scale).toString();
        StateSqlAssert.on(stored)
            .sql("SELECT CAST(d AS VARCHAR), d > 1.5 FROM stored.t WHERE d <> 1.5")
            .returns(text + ", " + (scale < 0));
        for (String expression :
            List.of(
                "CAST(d AS BIGINT)",
                "CAST(d AS DECIMAL(20, 2))",
                "ROUND(d, 2)",
                "TRUNCATE(d, 2)",
                "FLOOR(d)",
                "CEIL(d)",
                "SUM(d)",
                "AVG(d)",
                "SUM(DISTINCT d)",
                "AVG(DISTINCT d)",
                "STDDEV_POP(d)",
                "VAR_SAMP(DISTINCT d)",
                "COVAR_POP(1.5, d)",
                "REGR_SXX(1.5, d)",
                "STDDEV_SAMP(d) OVER ()",
                "SUM(d) OVER ()",
                "AVG(d) OVER (ORDER BY d)")) {
          StateSqlAssert.on(stored)
              .sql("SELECT " + expression + " FROM stored.t")
              .throwsSql("22003", "more than 10000 digits");
        }
      }
    }
  }

  /** The parser calls itself for each operator. */
  @Test
  void operatorsInARowThatTheStackDoesNotHoldAreRefused() throws Exception {
    String chain = "VALUES 'a'" + " || 'a'".repeat(9_000);
    FutureTask<Void> statement =
        new FutureTask<>(() -> sql(chain).throwsSql("42000", "too many operators in a row"), null);
    Thread small = new Thread(null, statement, "small", 1 << 18);
    small.start();
    statement.get(60, TimeUnit.SECONDS);
  }

  @Test
  void decimalsOfManyDigitsAreComputedWith() throws SQLException {
    String seven = "7".repeat(4_000);
    sql("SELECT CAST(x AS DECIMAL) - 1 FROM (VALUES '" + seven + "') AS t (x)")
        .returns(seven.substring(1) + "6");
    sql("VALUES (1.5 * 2, 1.25 + 1, MOD(7.5, 2), 3 - 0.25)").returns("3.0, 2.25, 1.5, 2.75");
  }

  @Test
  void roundingToMoreDigitsThanThereAreChangesNothing() throws SQLException {
    sql("SELECT ROUND(x, 2000000000) = x, TRUNCATE(x, y), ROUND(x, -2000000000) FROM (VALUES (1.55, 1)) AS t (x, y)")
        .returns("true, 1.5, 0");
  }

  @Test
  void groupingSetsByTheThousandsAreRefused() throws SQLException {
    String columns = names(20);
    sql("SELECT COUNT(*) FROM (VALUES ("
            + IntStream.range(0, 20).mapToObj(String::valueOf).collect(Collectors.joining(", "))
            + ")) AS t ("
            + columns
            + ") GROUP BY CUBE("
            + columns
            + ")")
        .throwsSql("0A000", "grouping sets");
    sql("SELECT COUNT(*) FROM (VALUES (1, 2, 3)) AS t (c0, c1, c2) GROUP BY CUBE(c0, c1), ROLLUP(c2)")
        .returnsCount(8);
  }

  private static String names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
  }

  @Test
  void commonTablesThatEachDoubleTheLastAreRefused() throws SQLException {
    sql(doubling(25)).throwsSql("0A000", "tables and subqueries");
    sql(doubling(4)).returns("16");
  }

  private static String doubling(int times) {
    String tables =
        IntStream.rangeClosed(1, times)
            .mapToObj(
                i ->
                    ", t%d AS (SELECT x FROM t%d UNION ALL SELECT x FROM t%d)"
                        .formatted(i, i - 1, i - 1))
            .collect(Collectors.joining());
    return "WITH t0 AS (SELECT 1 AS x)" + tables + " SELECT COUNT(*) FROM t" + times;
  }

  @Test
  void expressionsOfAHundredThousandTermsAreRefused() throws SQLException {
    refused("VALUES 1" + "+1".repeat(100_000), "42000", "operators");
    refused("VALUES 'a'" + "||'a'".repeat(100_000), "42000", "operators");
    refused("VALUES NOT TRUE" + " AND NOT TRUE".repeat(100_000), "42000", "operators");
    sql("VALUES 1" + "+1".repeat(300)).returns("301");
  }

  @Test
  void textIsNotDoubledToGigabytes() throws SQLException {
    sql("WITH RECURSIVE r (x, n) AS (SELECT CAST('ab' AS VARCHAR), 1 FROM (VALUES 1)"
            + " UNION ALL SELECT x || x, n + 1 FROM r WHERE n < 40) SELECT COUNT(x) FROM r")
        .throwsSql("53200", "134217728 characters");
    sql("WITH RECURSIVE r (x, n) AS (SELECT CAST('ab' AS VARCHAR), 1 FROM (VALUES 1)"
            + " UNION ALL SELECT REPLACE(x, 'a', 'aaaaaaaaaa'), n + 1 FROM r WHERE n < 40) SELECT COUNT(x) FROM r")
        .throwsSql("53200", "characters");
    sql("SELECT x || x, REPLACE(x, 'b', 'cd'), REPLACE(x, '', 'c'), REPLACE(x, 'b', '') FROM (VALUES 'abb') AS t (x)")
        .returns("abbabb, acdcd, abb, a");
  }

  @Test
  void textIsNotPaddedToGigabytes() {
    sql("SELECT CAST(x AS CHAR(2000000000)) FROM (VALUES 'a') AS t (x)")
        .throwsSql("22023", "CHAR(2000000000)");
  }
}
