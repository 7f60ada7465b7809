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

/** Literals mean what they say, and the text of a value is that which the value prints as. */
class LiteralsTest {
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

  /** All text is UTF-8, whatever the literal calls itself. */
  @Test
  void textLiteralsOfEveryFormCompareWithColumns() throws SQLException {
    sql("SELECT state_key FROM keyed_state WHERE state_key = U&'\\00e7'").returns("ç");
    sql("SELECT state_key FROM keyed_state WHERE state_key = N'ç'").returns("ç");
    sql("SELECT state_key FROM keyed_state WHERE state_key = _UTF16'ç'").returns("ç");
    sql("SELECT state_key || U&'\\20ac' || '!' FROM keyed_state WHERE state_key = 'ç'")
        .returns("ç€!");
    sql("SELECT * FROM (VALUES ('a'), (U&'\\00e9')) AS t (c) WHERE c <> 'a'").returns("é");
    sql("SELECT state_key FROM keyed_state WHERE state_key IN ('x', U&'!00e7' UESCAPE '!')")
        .returns("ç");
  }

  /** Calcite reads literals by the Julian calendar, which dates of state do not have. */
  @Test
  void datesBeforeTheGregorianCalendarAreDates() throws SQLException {
    sql("SELECT DATE '1582-10-10', TIMESTAMP '1582-10-14 23:59:59.5'")
        .returns("1582-10-10, 1582-10-14 23:59:59.500");
    sql("SELECT DATE '1582-10-15' - INTERVAL '1' DAY").returns("1582-10-14");
    sql("SELECT DATE '1000-02-28' + INTERVAL '1' DAY").returns("1000-03-01");
    sql("SELECT DATE '1500-02-29'").throwsSql("22018", "1500-02-29");
    sql("SELECT id FROM times WHERE d < DATE '1582-10-10'").returns("4");
  }

  @Test
  void floatingPointAsTextKeepsItsSign() throws SQLException {
    sql("SELECT name, CAST(d AS VARCHAR), CAST(r AS VARCHAR) FROM numbers")
        .returnsUnordered(
            "max, NaN, NaN", "min, -0.0, -0.0", "one, -Infinity, Infinity", "two, 0.0, 0.1");
    sql("SELECT CAST(1e0 AS VARCHAR), CAST(1e20 AS VARCHAR), CAST(123456.75e0 AS VARCHAR(6))")
        .returns("1.0, 1.0E20, 123456");
    sql("SELECT d || '' FROM numbers WHERE name = 'min'").returns("-0.0");
  }
}
