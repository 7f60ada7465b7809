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
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Calcite cannot run is refused with the reason, and what it stumbles over runs. */
class RefusedArgumentsTest {
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
  void aSubqueryMayReferToEitherSideOfAJoin() throws SQLException {
    sql("SELECT COUNT(*) FROM keyed_state a CROSS JOIN numbers b WHERE EXISTS (SELECT 1 FROM keyed_state c WHERE a.state_key = c.state_key)")
        .returns("12");
    sql("SELECT COUNT(*) FROM keyed_state a CROSS JOIN numbers b WHERE EXISTS (SELECT 1 FROM numbers c WHERE b.name = c.name AND c.i = 1)")
        .returns("3");
    sql("SELECT b.name, (SELECT MAX(c.value) FROM keyed_state c WHERE c.key_group = a.key_group) FROM keyed_state a JOIN numbers b ON a.value = b.i ORDER BY 1")
        .returns("one, 1", "two, 2");
  }

  @Test
  void mapsAndWhatHasThemInsideAreNotSortedBy() throws SQLException {
    sql("SELECT * FROM composites ORDER BY attrs").throwsSql("0A000", "MAP has no order");
    sql("SELECT id FROM composites ORDER BY attrs LIMIT 1").throwsSql("0A000", "no order");
    sql("SELECT id FROM composites ORDER BY ARRAY[attrs]").throwsSql("0A000", "no order");
    sql("SELECT RANK() OVER (ORDER BY attrs) FROM composites").throwsSql("0A000", "no order");
    sql("SELECT id FROM composites WHERE id IN (SELECT id FROM composites ORDER BY attrs LIMIT 1)")
        .throwsSql("0A000", "no order");
    sql("SELECT id FROM composites ORDER BY items LIMIT 1").returnsCount(1);
  }

  @Test
  void aRowIsNoCondition() {
    sql("SELECT id FROM composites c WHERE c.nested").throwsSql("42000", "WHERE", "condition");
    sql("SELECT id FROM composites WHERE ROW(1, 2)").throwsSql("42000", "WHERE", "condition");
    sql("SELECT 1 FROM composites c JOIN numbers n ON c.nested").throwsSql("42000", "condition");
  }

  @Test
  void intervalsAndDatesAreNotRoundedToWhatTheyLack() throws SQLException {
    sql("VALUES CEIL(INTERVAL '1' DAY)").throwsSql("0A000", "CEIL", "INTERVAL DAY");
    sql("VALUES FLOOR(INTERVAL '1-2' YEAR TO MONTH)").throwsSql("0A000", "FLOOR");
    sql("SELECT FLOOR(d TO HOUR) FROM times").throwsSql("0A000", "DATE", "CAST");
    sql("SELECT FLOOR(d TO MONTH), CEIL(d TO YEAR), FLOOR(d TO DAY) FROM times WHERE id = 1")
        .returns("2024-02-01, 2025-01-01, 2024-02-29");
    sql("VALUES TIMESTAMPADD(MICROSECOND, 1, DATE '2024-01-01')").throwsSql("0A000", "MICROSECOND");
    sql("VALUES TIMESTAMPADD(NANOSECOND, 1, TIMESTAMP '2024-01-01 00:00:00')")
        .throwsSql("0A000", "milliseconds");
  }

  @Test
  void weeksAndQuartersAreDaysAndMonths() throws SQLException {
    sql("VALUES (CAST(INTERVAL '2' WEEK AS VARCHAR), CAST(INTERVAL '1' QUARTER AS VARCHAR))")
        .returns("+14, +3");
    sql("SELECT ts + INTERVAL '1' WEEK, ts - INTERVAL '1' QUARTER FROM times WHERE id = 1")
        .returns("2024-03-07 12:00:00.123, 2023-11-29 12:00:00.123");
  }

  @Test
  void whatIsNotForAFunctionIsRefusedWithThePlace() {
    sql("SELECT 1, name MEMBER OF i FROM numbers").throwsSql("0A000", "column 11", "MEMBER OF");
    sql("SELECT JSON_TYPE(i) FROM numbers").throwsSql("42000", "Line 1", "JSON_TYPE", "INTEGER");
    sql("SELECT SUBSTRING(name FROM 'a') FROM numbers").throwsSql("0A000", "SUBSTRING", "CHAR");
    sql("VALUES EXTRACT(WEEK(MONDAY) FROM DATE '2024-01-01')").throwsSql("0A000", "WEEK");
    sql("VALUES INTERVAL '1' DAY IN ('a', 2)").throwsSql("0A000", "INTERVAL");
    sql("SELECT MULTISET[i, 2.5] FROM numbers").throwsSql("0A000", "MULTISET", "one type");
    sql("VALUES CAST('a' AS VARIANT)").throwsSql("0A000", "VARIANT");
    sql("SELECT MAX(attrs) FROM composites").throwsSql("0A000", "no order");
    sql("SELECT * FROM numbers (x INTEGER)").throwsSql("0A000", "further columns");
    sql("SELECT SUM(1) FROM numbers GROUP BY DISTINCT ROLLUP(i, i)")
        .throwsSql("0A000", "GROUP BY DISTINCT");
    sql("VALUES JSON_REMOVE('no JSON', '$.a')").throwsSql("22023", "JSON_REMOVE");
  }

  private static String times(int count, String text, String between) {
    return IntStream.range(0, count)
        .mapToObj(i -> text.replace("#", String.valueOf(i)))
        .collect(Collectors.joining(between));
  }

  @Test
  void whatIsTooLongIsRefused() throws SQLException {
    String tooLong = "too long";
    sql("SELECT " + times(3_000, "i + #", ", ") + " FROM numbers").throwsSql("0A000", tooLong);
    assertThat(sql("SELECT COUNT(*) FROM numbers WHERE " + times(50, "i <> #", " AND ")).rows())
        .hasSize(1);
  }
}
