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
package io.statesql.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import io.statesql.jdbc.ToyCatalogs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Struct;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompositesTest {
  private static Connection connect(String composites) throws SQLException {
    Connection connection = StateSqlAssert.connect(ToyCatalogs::open, "snapshot=/toy" + composites);
    connection.setSchema("orders");
    return connection;
  }

  @Test
  void jsonTextTellsEveryValue() throws SQLException {
    try (Connection connection = connect(";composites=json")) {
      StateSqlAssert.on(connection)
          .sql("SELECT * FROM composites")
          .types("id INTEGER, items VARCHAR, attrs VARCHAR, nested VARCHAR, more VARCHAR")
          .returns(
              "1, [\"x\",null,\"\\\"é\\\"\"], {\"k\":{\"a\":5,\"b\":\"v\",\"at\":\"2024-02-29 12:00:00.123\"}},"
                  + " {\"a\":7,\"b\":null,\"at\":\"1969-12-31 23:59:59.999\"},"
                  + " {\"d\":1.500,\"f\":\"NaN\",\"bytes\":\"01ff\",\"day\":\"1970-01-01\"}",
              "2, null, null, null, null");
    }
  }

  @Test
  void collectionsOfRowsAreComparedByValue() throws SQLException {
    try (Connection connection = connect(";composites=json")) {
      var on = StateSqlAssert.on(connection);
      String twice =
          "(SELECT id, attrs FROM composites UNION ALL SELECT id, attrs FROM composites)";
      on.sql("SELECT COUNT(*) FROM composites a JOIN composites b ON a.attrs = b.attrs")
          .returns("1");
      on.sql("SELECT COUNT(*) FROM " + twice + " GROUP BY attrs").returns("2", "2");
      on.sql("SELECT COUNT(DISTINCT attrs) FROM " + twice).returns("1");
      on.sql("SELECT id, attrs FROM composites EXCEPT SELECT id, attrs FROM composites")
          .returnsCount(0);
      on.sql("SELECT id, attrs FROM composites INTERSECT SELECT id, attrs FROM composites")
          .returnsCount(2);
      on.sql("SELECT id FROM composites WHERE attrs IN (SELECT attrs FROM composites)")
          .returns("1");
      on.sql("SELECT COUNT(*) OVER (PARTITION BY attrs) FROM " + twice).returns("2", "2", "2", "2");
      on.sql(
              "SELECT d.attrs['k'].a, u.x FROM (SELECT DISTINCT attrs, ARRAY[ROW(id, 2)] AS rs FROM "
                  + twice
                  + ") AS d, UNNEST(d.rs) AS u(x, y) WHERE d.attrs IS NOT NULL")
          .returns("5, 1");
    }
  }

  @Test
  void jsonTextOfTheOnlyColumn() throws SQLException {
    try (Connection connection = connect(";composites=json")) {
      var on = StateSqlAssert.on(connection);
      on.sql("SELECT items FROM composites").returns("[\"x\",null,\"\\\"é\\\"\"]", "null");
      on.sql("SELECT nested FROM composites")
          .returns("{\"a\":7,\"b\":null,\"at\":\"1969-12-31 23:59:59.999\"}", "null");
      on.sql("SELECT attrs FROM composites WHERE id = 2").returns("null");
      on.sql("SELECT ARRAY[ROW(1, 'a'), ROW(2, 'bc')]")
          .returns("[{\"EXPR$0\":1,\"EXPR$1\":\"a\"},{\"EXPR$0\":2,\"EXPR$1\":\"bc\"}]");
      on.sql("SELECT MAP[1, 'a', 2, 'b']").returns("{\"1\":\"a\",\"2\":\"b\"}");
      on.sql("SELECT id FROM composites").types("id INTEGER").returns("1", "2");
    }
  }

  @Test
  void partsOfCompositesAreReadInSql() throws SQLException {
    try (Connection connection = connect("")) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT c.nested.a, c.items[1], c.attrs['k'].b, CARDINALITY(c.items) FROM composites c WHERE c.id = 1")
          .returns("7, x, v, 3");
    }
  }

  @Test
  void objectsAreTheDefault() throws SQLException {
    try (Connection connection = connect("");
        var statement = connection.createStatement();
        ResultSet results =
            statement.executeQuery("SELECT items, attrs, nested FROM composites WHERE id = 1")) {
      assertThat(results.next()).isTrue();
      assertThat((Object[]) results.getArray(1).getArray())
          .isEqualTo(new Object[] {"x", null, "\"é\""});
      Map<?, ?> attrs = (Map<?, ?>) results.getObject(2);
      assertThat(((Struct) attrs.get("k")).getAttributes())
          .isEqualTo(new Object[] {5, "v", LocalDateTime.parse("2024-02-29T12:00:00.123")});
      assertThat(Arrays.asList(((Struct) results.getObject(3)).getAttributes()).subList(0, 2))
          .isEqualTo(Arrays.asList(7, null));
    }
  }

  @Test
  void aMapAloneIsAnObjectToo() throws SQLException {
    try (Connection connection = connect("");
        var statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT attrs FROM composites ORDER BY id")) {
      assertThat(results.next()).isTrue();
      assertThat(((Map<?, ?>) results.getObject(1)).get("k")).isInstanceOf(Struct.class);
      assertThat(results.next()).isTrue();
      assertThat(results.getObject(1)).isNull();
    }
  }
}
