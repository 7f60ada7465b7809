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

/** Rows of several columns are equal if all columns are, different if one is, and else unknown. */
class RowComparisonsTest {
  private static final String ROWS =
      " FROM (VALUES (1, 2), (3, 4), (7, 7), (NULL, 7), (NULL, 4)) AS t (a, b)";

  private static final String MEMBERS =
      "(SELECT u.x, u.y FROM (VALUES (1, NULL), (7, 7)) AS u (x, y))";

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
  void aSubqueryWithNullInOneColumnLeavesUnknownWhatTheOthersDoNotDecide() throws SQLException {
    sql("SELECT a, b" + ROWS + " WHERE (a, b) NOT IN " + MEMBERS).returns("3, 4");
    sql("SELECT a, b" + ROWS + " WHERE (a, b) IN " + MEMBERS).returns("7, 7");
    sql("SELECT a, b" + ROWS + " WHERE ((a, b) IN " + MEMBERS + ") IS NULL")
        .returnsUnordered("1, 2", "null, 7", "null, 4");
    sql("SELECT a, b" + ROWS + " WHERE a = 1 OR NOT ((a, b) IN " + MEMBERS + ")")
        .returnsUnordered("1, 2", "3, 4");
    sql("SELECT a, b, (a, b) IN %1$s, (a, b) = ANY %1$s, (a, b) <> ALL %1$s, (a, b) NOT IN %1$s"
                .formatted(MEMBERS)
            + ROWS)
        .returnsUnordered(
            "1, 2, null, null, null, null",
            "3, 4, false, false, true, true",
            "7, 7, true, true, false, false",
            "null, 7, null, null, null, null",
            "null, 4, null, null, null, null");
    sql("SELECT COUNT(*)" + ROWS + " WHERE (a, b) NOT IN (SELECT i, l FROM numbers WHERE i = -7)")
        .returns("5");
    sql("SELECT COUNT(*)"
            + ROWS
            + " WHERE (a, b) NOT IN (SELECT CAST(NULL AS INTEGER), CAST(NULL AS INTEGER))")
        .returns("0");
    sql("SELECT COUNT(*) FILTER (WHERE (a, b) NOT IN " + MEMBERS + ")" + ROWS).returns("1");
    sql("SELECT b, MAX(a)" + ROWS + " GROUP BY b HAVING (MAX(a), b) NOT IN " + MEMBERS)
        .returns("4, 3");
  }

  @Test
  void aSubqueryMayReferToTheRow() throws SQLException {
    sql("SELECT name FROM numbers n WHERE (i, d) NOT IN"
            + " (SELECT m.i, CAST(NULL AS DOUBLE) FROM numbers m WHERE m.name = n.name AND m.i < 2)")
        .returnsUnordered("two", "max");
    sql("SELECT n.name, m.name FROM numbers n LEFT JOIN numbers m"
            + " ON n.i = m.i AND (n.i, m.d) NOT IN (SELECT 2, CAST(NULL AS DOUBLE))"
            + " WHERE n.i > 0 AND n.i < 9")
        .returnsUnordered("one, one", "two, null");
  }

  @Test
  void valuesAreEqualInRowsAsTheyAreAlone() throws SQLException {
    String unknown =
        "(SELECT x, y FROM (VALUES (CAST(1.0 AS DECIMAL), CAST('NaN' AS DOUBLE)), (2, NULL)) AS u (x, y))";
    sql("SELECT (1.00, CAST('NaN' AS DOUBLE)) IN " + unknown).returns("true");
    sql("SELECT (1, CAST('NaN' AS REAL)) NOT IN " + unknown).returns("false");
    sql("SELECT (2.0, 5e0) NOT IN " + unknown).returns("null");
    sql("SELECT (0e0, 1) NOT IN (SELECT -d, 1 FROM numbers WHERE d = 0)").returns("false");
  }

  @Test
  void someAndAllLookAtEachColumn() throws SQLException {
    String one = "(SELECT x, y FROM (VALUES (1, 3)) AS u (x, y))";
    sql("SELECT b, (1, b) <> ANY %1$s, (1, b) = ALL %1$s FROM (VALUES 3, 4, NULL) AS t (b)"
            .formatted(one))
        .returnsUnordered("3, false, true", "4, true, false", "null, null, null");
    sql("SELECT (1, 4) <= ALL " + one).throwsSql("0A000", "by = and <> alone");
    sql("SELECT (1, 4) > ANY " + one).throwsSql("0A000", "by = and <> alone");
  }

  @Test
  void twoRowsAreComparedFromLeftToRight() throws SQLException {
    sql("SELECT b, ROW(1, b) = ROW(1, 3), ROW(1, b) <> ROW(1, 3), ROW(1, b) < ROW(1, 3), ROW(1, b) >= ROW(1, 3),"
            + " ROW(1, b) <> ROW(2, 3), ROW(1, b) < ROW(2, 3),"
            + " ROW(1, b) IS DISTINCT FROM ROW(1, 3), ROW(1, b) IS NOT DISTINCT FROM ROW(1, NULL)"
            + " FROM (VALUES 3, 4, NULL) AS t (b)")
        .returnsUnordered(
            "3, true, false, false, true, true, true, false, false",
            "4, false, true, false, true, true, true, true, false",
            "null, null, null, null, null, true, true, true, true");
  }

  @Test
  void equalRowsAreOneInGroupsAndSets() throws SQLException {
    String rows =
        "SELECT CAST(ROW(x, 1) AS ROW(f DECIMAL, g INTEGER)) AS r FROM (VALUES 1.0, 1.00, 2) AS t (x)";
    sql("SELECT t.r.f, t.c FROM (SELECT r, COUNT(*) AS c FROM (" + rows + ") GROUP BY r) AS t")
        .returnsUnordered("1, 2", "2, 1");
    sql("SELECT COUNT(DISTINCT r), COUNT(*) FROM (" + rows + ")").returns("2, 3");
    sql("SELECT COUNT(*) FROM (SELECT DISTINCT r, 1 FROM (" + rows + "))").returns("2");
    sql("SELECT COUNT(*) FROM (" + rows + " INTERSECT SELECT ROW(1.000, 1))").returns("1");
    sql("SELECT COUNT(*) FROM (" + rows + " EXCEPT ALL SELECT ROW(1.000, 1))").returns("2");
    sql("SELECT COUNT(*) OVER (PARTITION BY r) FROM (" + rows + ")")
        .returnsUnordered("2", "2", "1");
  }
}
