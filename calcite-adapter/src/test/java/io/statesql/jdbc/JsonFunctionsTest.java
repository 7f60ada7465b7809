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

/** The JSON functions of SQL: values as SQL prints them, errors as sentences. */
class JsonFunctionsTest {
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
  void datesTimesAndBytesAreWrittenAsTheyPrint() throws SQLException {
    sql("SELECT JSON_OBJECT('ts': ts), JSON_OBJECT('tm': tm) FROM times WHERE id = 1")
        .returns("{\"ts\":\"2024-02-29 12:00:00.123\"}, {\"tm\":\"12:00:00.123\"}");
    sql("SELECT JSON_ARRAY(d, X'00ff', INTERVAL '1' DAY, 1.50, TRUE) FROM times WHERE id = 1")
        .returns("[\"2024-02-29\",\"00ff\",\"+1\",1.50,true]");
    sql("SELECT JSON_ARRAY(d NULL ON NULL) FROM times WHERE id = 5").returns("[null]");
  }

  @Test
  void collectionsOfNumbersAndTextAreWritten() throws SQLException {
    sql("SELECT JSON_OBJECT('items': items) FROM composites WHERE id = 1")
        .returns("{\"items\":[\"x\",null,\"\\\"é\\\"\"]}");
    sql("SELECT JSON_ARRAYAGG(i) FROM numbers WHERE i IN (1, 2)").returns("[1,2]");
    sql("SELECT JSON_OBJECTAGG(name: i) FROM numbers WHERE i = 1").returns("{\"one\":1}");
  }

  /** They would come as the numbers and lists that stand for them inside of the engine. */
  @Test
  void whatWouldBeWrittenOtherwiseThanItPrintsIsRefused() {
    sql("SELECT JSON_OBJECT('attrs': attrs) FROM composites").throwsSql("42000", "JSON_OBJECT");
    sql("SELECT JSON_ARRAY(nested) FROM composites").throwsSql("42000", "JSON_ARRAY");
    sql("SELECT JSON_ARRAY(ARRAY[DATE '2024-02-29'])").throwsSql("42000", "JSON_ARRAY");
    sql("SELECT JSON_ARRAYAGG(d) FROM times").throwsSql("42000", "JSON_ARRAYAGG", "CAST");
    sql("SELECT JSON_OBJECTAGG(CAST(id AS VARCHAR): ts) FROM times")
        .throwsSql("42000", "JSON_OBJECTAGG", "CAST");
  }

  @Test
  void valuesAreReadAsTheTypeThatIsAskedFor() throws SQLException {
    sql("SELECT JSON_VALUE('{\"a\":5}', '$.a' RETURNING BIGINT)").returns("5");
    sql("SELECT JSON_VALUE('{\"a\":\"5\"}', '$.a' RETURNING INTEGER)").returns("5");
    sql("SELECT JSON_VALUE('{\"a\":5.0}', '$.a' RETURNING INTEGER)").returns("5");
    sql("SELECT JSON_VALUE('{\"a\":5.5}', '$.a' RETURNING DECIMAL(5, 2))").returns("5.50");
    sql("SELECT JSON_VALUE('{\"a\":5}', '$.a' RETURNING DOUBLE)").returns("5.0");
    sql("SELECT JSON_VALUE('{\"a\":true}', '$.a' RETURNING BOOLEAN)").returns("true");
    sql("SELECT JSON_VALUE('{\"a\":\"2024-02-29\"}', '$.a' RETURNING DATE)").returns("2024-02-29");
    sql("SELECT JSON_VALUE('{}', '$.a' RETURNING BIGINT)").returns("null");
    sql("SELECT JSON_VALUE('{}', 'lax $.a' RETURNING BIGINT DEFAULT 7 ON EMPTY)").returns("7");
    sql("SELECT JSON_VALUE('{\"a\":5}', '$.a') || 'x'").returns("5x");
    sql("SELECT SUM(JSON_VALUE('{\"a\":' || CAST(i AS VARCHAR) || '}', '$.a' RETURNING INTEGER))"
            + " FROM numbers WHERE i IN (1, 2)")
        .returns("3");
    sql("SELECT JSON_VALUE('{\"a\":\"x\"}', '$.a' RETURNING BIGINT)").throwsSql("22018", "x");
    sql("SELECT JSON_VALUE('{\"a\":3000000000}', '$.a' RETURNING INTEGER)").throwsSql("22003");
  }

  @Test
  void whatAPathDoesNotFindIsASentence() {
    sql("SELECT JSON_VALUE('{}', 'strict $.a' ERROR ON ERROR)").throwsSql("22018", "$['a']");
    sql("SELECT JSON_VALUE('nothing', '$.a' ERROR ON ERROR)").throwsSql("22018", "JSON");
    sql("SELECT JSON_QUERY('{}', 'strict $.a' ERROR ON ERROR)").throwsSql("22018", "$['a']");
  }

  @Test
  void jsonIsJsonHoweverDeep() throws SQLException {
    String deep = "[".repeat(5000) + "]".repeat(5000);
    sql("SELECT x IS JSON, x IS JSON ARRAY, x IS NOT JSON OBJECT, x || ']' IS JSON FROM (VALUES '"
            + deep
            + "') AS t (x)")
        .returns("true, true, true, false");
    sql("VALUES ('1' IS JSON SCALAR, '{}' IS JSON OBJECT, '{} 1' IS JSON, '' IS JSON, '{\"a\":}' IS NOT JSON, CAST(NULL AS VARCHAR) IS JSON)")
        .returns("true, true, false, false, true, null");
  }
}
