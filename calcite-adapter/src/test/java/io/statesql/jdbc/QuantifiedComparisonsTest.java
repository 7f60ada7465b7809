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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ANY, SOME and ALL compare values of two types as plain comparisons and IN do. */
class QuantifiedComparisonsTest {
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "DECIMAL",
        "DECIMAL(9, 2)",
        "DOUBLE",
        "REAL"
      })
  void numbersOfTwoTypesAreCompared(String type) throws SQLException {
    String two = "(SELECT CAST(i AS " + type + ") FROM numbers WHERE i = 2)";
    sql("SELECT state_key FROM keyed_state WHERE value = ANY " + two).returns("b");
    sql("SELECT state_key FROM keyed_state WHERE value = SOME " + two).returns("b");
    sql("SELECT state_key FROM keyed_state WHERE value IN " + two).returns("b");
    sql("SELECT state_key FROM keyed_state WHERE value <> ALL " + two).returns("a");
    sql("SELECT state_key FROM keyed_state WHERE value NOT IN " + two).returns("a");
    sql("SELECT state_key FROM keyed_state WHERE value <> ANY " + two).returns("a");
    sql("SELECT state_key FROM keyed_state WHERE value = ALL " + two).returns("b");
    sql("SELECT state_key FROM keyed_state WHERE value < ANY " + two).returns("a");
    sql("SELECT state_key FROM keyed_state WHERE value >= ALL " + two).returns("b");
    sql("SELECT state_key FROM keyed_state WHERE \"count\" / 10 = ANY " + two).returns("b");
    sql("SELECT state_key FROM keyed_state WHERE value = ANY (CAST(2 AS %s), 7)".formatted(type))
        .returns("b");
  }

  @Test
  void whatIsUnknownStaysUnknown() throws SQLException {
    String some = "(SELECT CAST(t.y AS BIGINT) FROM (VALUES 1, NULL) AS t (y))";
    sql("SELECT x, x = ANY %1$s, x <> ALL %1$s, x > ANY %1$s, x = ALL %1$s, x <> ANY %1$s FROM (VALUES 1, 3, NULL) AS v (x)"
            .formatted(some))
        .returnsUnordered(
            "1, true, false, null, null, null",
            "3, null, null, true, false, true",
            "null, null, null, null, null, null");
    String none = "(SELECT l FROM numbers WHERE l = 3)";
    sql("SELECT x, x = ANY %1$s, x <> ALL %1$s, x > ANY %1$s, x = ALL %1$s FROM (VALUES 1, NULL) AS v (x)"
            .formatted(none))
        .returnsUnordered("1, false, true, false, true", "null, false, true, false, true");
  }

  @Test
  void aNumberThatIsNoneIsEqualToItself() throws SQLException {
    sql("SELECT name FROM numbers WHERE d = ANY (SELECT r FROM numbers WHERE name = 'max')")
        .returns("max");
    sql("SELECT name FROM numbers WHERE d = ANY (SELECT -d FROM numbers WHERE d = 0)")
        .returnsUnordered("min", "two");
  }

  @Test
  void timesAndTextsAreComparedAsElsewhere() throws SQLException {
    sql("VALUES DATE '2020-01-01' = ANY (SELECT TIMESTAMP '2020-01-01 00:00:00')").returns("true");
    sql("VALUES '1' = ANY (SELECT 1)").returns("true");
  }

  @Test
  void elementsOfAnArrayAreComparedAsRowsAre() throws SQLException {
    sql("SELECT x, x = ANY (ARRAY[1, 2]), x <> ALL (ARRAY[1, NULL]), x > SOME (ARRAY[0]), x <= ALL (ARRAY[1, 2]),"
            + " x = ANY (CAST(NULL AS INTEGER ARRAY)) FROM (VALUES 1, 5, NULL) AS t (x)")
        .returnsUnordered(
            "1, true, false, true, true, null",
            "5, false, null, true, false, null",
            "null, null, null, null, null, null");
    sql("SELECT x = ANY (ARRAY['b', NULL]), x >= ALL (ARRAY['a']) FROM (VALUES 'b', 'a', NULL) AS t (x)")
        .returnsUnordered("true, true", "null, true", "null, null");
    sql("SELECT d = ANY (ARRAY[CAST('NaN' AS DOUBLE), -0e0]), d < ANY (ARRAY[CAST('NaN' AS DOUBLE)])"
            + " FROM (VALUES CAST('NaN' AS DOUBLE), 0e0, 1e0) AS t (d)")
        .returnsUnordered("true, false", "true, true", "false, true");
    sql("VALUES (CAST(1 AS BIGINT) = ANY (ARRAY[2.5, 1.00]))").returns("true");
    sql("VALUES (DATE '2020-01-02' > ALL (ARRAY[DATE '2020-01-01']))").returns("true");
  }
}
