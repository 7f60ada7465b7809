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

/** Intervals have milliseconds, as times do, and print them. */
class IntervalsTest {
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
  void printTheirMilliseconds() throws SQLException {
    sql("SELECT INTERVAL '1 02:03:04.567' DAY TO SECOND, INTERVAL '-4.5' SECOND")
        .returns("+1 02:03:04.567, -4.500");
    sql("SELECT INTERVAL '4.567' SECOND(2, 6), INTERVAL '4.56' SECOND(2, 2)")
        .returns("+4.567, +4.56");
    sql("SELECT INTERVAL '4.567' SECOND(2, 2)").throwsSql("42000", "4.567");
    sql("SELECT INTERVAL '4.567' SECOND * 2, INTERVAL '1' MONTH * 13, INTERVAL '1-2' YEAR TO MONTH")
        .returns("+9.134, +13, +1-02");
    sql("SELECT CAST(INTERVAL '1:02.345' MINUTE TO SECOND AS VARCHAR)").returns("+1:02.345");
    sql("VALUES INTERVAL '0.001' SECOND").returns("+0.001");
  }

  @Test
  void betweenTimesPrintTheirMilliseconds() throws SQLException {
    sql("SELECT (ts - TIMESTAMP '2024-02-29 11:59:58') SECOND FROM times WHERE id = 1")
        .returns("+2.123");
    sql("SELECT (ts - TIMESTAMP '2024-02-28 00:00:00') DAY TO SECOND FROM times WHERE id = 1")
        .returns("+1 12:00:00.123");
    sql("SELECT MAX((ts - TIMESTAMP '2024-02-29 11:59:58') SECOND) FROM times WHERE id = 1")
        .returns("+2.123");
  }

  @Test
  void nothingFinerThanAMillisecondIsDropped() {
    sql("SELECT INTERVAL '4.5678' SECOND").throwsSql("22008", "4.5678", "millisecond");
    sql("SELECT INTERVAL '4.567891' SECOND(2, 6)").throwsSql("22008", "4.567891");
  }
}
