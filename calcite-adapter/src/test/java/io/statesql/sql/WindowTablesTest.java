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

import io.statesql.StateSqlAssert;
import io.statesql.jdbc.ToyCatalogs;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows by windows of time: TUMBLE, HOP and SESSION, and the frames of OVER. */
class WindowTablesTest {
  private static final String FIRST = "(SELECT id, ts FROM times WHERE id = 1), DESCRIPTOR(ts)";

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

  private StateSqlAssert.Query windows(String call) {
    return sql("SELECT id, window_start, window_end FROM TABLE(" + call + ") ORDER BY 1, 2");
  }

  @Test
  void daysAreWindows() throws SQLException {
    windows("TUMBLE(" + FIRST + ", INTERVAL '1' DAY)")
        .returns("1, 2024-02-29 00:00:00.000, 2024-03-01 00:00:00.000");
    windows("TUMBLE(" + FIRST + ", INTERVAL '1' WEEK)")
        .returns("1, 2024-02-29 00:00:00.000, 2024-03-07 00:00:00.000");
    windows("HOP(" + FIRST + ", INTERVAL '1' DAY, INTERVAL '2' DAY)")
        .returns(
            "1, 2024-02-28 00:00:00.000, 2024-03-01 00:00:00.000",
            "1, 2024-02-29 00:00:00.000, 2024-03-02 00:00:00.000");
    windows("SESSION(" + FIRST + ", DESCRIPTOR(id), INTERVAL '1' HOUR)")
        .returns("1, 2024-02-29 12:00:00.123, 2024-02-29 13:00:00.123");
  }

  /** Calcite would make windows of as many milliseconds of them. */
  @Test
  void monthsAreNoWindows() {
    windows("TUMBLE(" + FIRST + ", INTERVAL '1' MONTH)").throwsSql("0A000", "months or years");
    windows("TUMBLE(" + FIRST + ", INTERVAL '1' QUARTER)").throwsSql("0A000", "months or years");
    windows("HOP(" + FIRST + ", INTERVAL '1' MONTH, INTERVAL '2' MONTH)")
        .throwsSql("0A000", "months or years");
    windows("SESSION(" + FIRST + ", DESCRIPTOR(id), INTERVAL '1' YEAR)")
        .throwsSql("0A000", "months or years");
    sql("SELECT * FROM times t WHERE EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE times, DESCRIPTOR(ts), INTERVAL '1' YEAR)) w WHERE w.id = t.id)")
        .throwsSql("0A000", "months or years");
  }

  @Test
  void rowsWithoutATimeAreInNoWindow() {
    windows("TUMBLE(TABLE times, DESCRIPTOR(ts), INTERVAL '1' DAY)")
        .throwsSql("22023", "TUMBLE", "time is NULL");
    windows("HOP(TABLE times, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '2' DAY)")
        .throwsSql("22023", "HOP", "time is NULL");
    windows("SESSION(TABLE times, DESCRIPTOR(ts), DESCRIPTOR(id), INTERVAL '1' DAY)")
        .throwsSql("22023", "SESSION", "time is NULL");
  }

  @Test
  void lengthsAndColumnsThatHaveNoMeaningAreRefused() {
    windows("TUMBLE(" + FIRST + ", INTERVAL '0' DAY)").throwsSql("0A000", "longer than nothing");
    windows("TUMBLE(" + FIRST + ", CAST(NULL AS INTERVAL DAY))").throwsSql("0A000", "literal");
    windows("HOP(" + FIRST + ", INTERVAL '2' DAY, INTERVAL '1' DAY)")
        .throwsSql("0A000", "at least as long");
    windows("HOP(" + FIRST + ", INTERVAL '1' SECOND, INTERVAL '99' DAY)")
        .throwsSql("0A000", "8553600 windows");
    windows("SESSION(" + FIRST + ", INTERVAL '1' DAY)").throwsSql("0A000", "DESCRIPTOR(key)");
    windows("SESSION(" + FIRST + ", DESCRIPTOR(id, ts), INTERVAL '1' DAY)")
        .throwsSql("0A000", "one column");
    sql("SELECT COUNT(*) FROM times GROUP BY TUMBLE(ts, INTERVAL '1' DAY)")
        .throwsSql("0A000", "Line 1", "TUMBLE is not accepted in GROUP BY");
  }

  private StateSqlAssert.Query sums(String order, String frame) {
    return sql(
        "SELECT i, SUM(i) OVER (ORDER BY " + order + " " + frame + ") FROM numbers ORDER BY i");
  }

  /** Where the least integer less one is no large one. */
  @Test
  void aFrameOfADistanceKnowsTheEndsOfItsType() throws SQLException {
    for (String order : new String[] {"i", "s", "t"}) {
      sums(order, "RANGE BETWEEN 1 PRECEDING AND CURRENT ROW")
          .returns("-2147483648, -2147483648", "1, 1", "2, 3", "2147483647, 2147483647");
    }
    sums("l", "RANGE BETWEEN 1 PRECEDING AND CURRENT ROW").throwsSql("22003", "long overflow");
  }

  @Test
  void aFrameIsCountedInWhatItSays() throws SQLException {
    String rows = "SELECT SUM(id) OVER (ORDER BY %s %s) FROM times WHERE id < 3";
    sql(rows.formatted("ts", "RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW"))
        .returns("2", "1");
    sql(rows.formatted("ts", "RANGE BETWEEN INTERVAL '1' MONTH PRECEDING AND CURRENT ROW"))
        .throwsSql("0A000", "Line 1, column", "months or years");
    sql(rows.formatted("d", "RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW"))
        .throwsSql("0A000", "DATE");
    sql(rows.formatted("ts", "ROWS BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW"))
        .throwsSql("0A000", "ROWS counts rows");
    sql(rows.formatted("ts", "ROWS BETWEEN id PRECEDING AND CURRENT ROW"))
        .throwsSql("0A000", "literal");
    sql(rows.formatted("id", "RANGE BETWEEN 2.5 PRECEDING AND CURRENT ROW"))
        .throwsSql("0A000", "whole number");
    sql(rows.formatted(
            "id", "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP"))
        .throwsSql("0A000", "EXCLUDE");
  }

  @Test
  void callsWithOverThatCannotRunAreRefused() {
    sql("SELECT SUM((SELECT 1)) OVER () FROM times").throwsSql("0A000", "subquery");
    sql("SELECT PERCENT_RANK() OVER (ORDER BY id) FROM times").throwsSql("0A000", "PERCENT_RANK");
    sql("SELECT LAG(id) IGNORE NULLS OVER (ORDER BY id) FROM times")
        .throwsSql("0A000", "IGNORE NULLS");
    sql("SELECT NTH_VALUE(id, 0) OVER (ORDER BY id) FROM times").throwsSql("0A000", "1 or more");
    sql("SELECT NTILE(4) OVER (ORDER BY id) FROM times")
        .throwsSql("0A000", "NTILE is not accepted");
    sql("SELECT RANK() OVER (ORDER BY items) FROM composites").throwsSql("0A000", "ARRAY");
  }
}
