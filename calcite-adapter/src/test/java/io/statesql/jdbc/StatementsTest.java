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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.StateSqlAssert;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementsTest {
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
  void queriesOfEveryFormRun() throws SQLException {
    sql("VALUES (1, 'a'), (2, 'bc')").returns("1, a", "2, bc");
    sql("WITH w AS (SELECT state_key FROM keyed_state) SELECT COUNT(*) FROM w").returns("3");
    sql("SELECT 1 UNION SELECT 2 EXCEPT SELECT 1").returns("2");
    sql("SELECT * FROM (TABLE keyed_state)").returnsCount(3);
    sql("SELECT state_key FROM keyed_state WHERE key_group = 4")
        .explainContains("EnumerableTableScan(table=[[shop, orders, keyed_state]])")
        .returns("b");
    sql("SELECT JSON_VALUE('{\"a\": 1}', 'lax $.a') AS v").returns("1");
    sql("SELECT FLOOR(ts TO HOUR) AS hr, COUNT(*) FROM times WHERE id = 1 GROUP BY FLOOR(ts TO HOUR)")
        .returns("2024-02-29 12:00:00.000, 1");
    sql("SELECT 1; -- the end").returns("1");
    sql("SELECT ';' /* ; */ ;").returns(";");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MERGE INTO keyed_state AS t USING Single AS s ON t.key_group = s.x WHEN MATCHED THEN UPDATE SET key_group = 1",
        "ALTER SESSION SET x = 1",
        "SET x = 1",
        "RESET ALL",
        "CALL f(1)"
      })
  void otherStatementsAreRefusedAlsoWhenPrepared(String statement) {
    sql(statement).throwsSql("0A000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO keyed_state VALUES ('x', 1, 2, 'u', 3)",
        "UPSERT INTO keyed_state VALUES ('x', 1, 2, 'u', 3)",
        "UPDATE keyed_state SET \"value\" = 1",
        "DELETE FROM keyed_state",
        "EXPLAIN PLAN FOR DELETE FROM keyed_state"
      })
  void onlyTablesOfStateCanBeChanged(String statement) {
    sql(statement).throwsSql("0A000", "keyed_state cannot be changed");
  }

  @Test
  void syntaxErrorsNamePositionAndToken() {
    sql("SELECT\n FROM keyed_state")
        .throwsSql("42000", "Line 2, column 2: syntax error near 'FROM'");
    sql("SELECT offset FROM keyed_state")
        .throwsSql("42000", "Line 1, column 8: ", "'offset'", "double quotes");
    sql("SELECT 1 FROM keyed_state LIMIT x").throwsSql("42000", "syntax error near 'x'.");
    sql("SELECT 1 FROM keyed_state LIMIT 2.5").throwsSql("22023", "not 2.5");
    sql("SELECT 1 FROM keyed_state LIMIT 2 OFFSET 99999999999").throwsSql("22023", "2147483647");
    sql("vacuum tables")
        .throwsSql("42000", "Line 1, column 1: this is no statement of StateSQL: use SELECT");
    sql("\\d").throwsSql("42000", "syntax error at the character ", "(92).");
    sql("SELECT 1 FROM my-uid.keyed_state")
        .throwsSql("42000", "Line 1, column 17: ", "'-'; a name with a dash needs double quotes.");
    sql("SELECT 1 +").throwsSql("42000", "ends too soon");
    sql("SELECT 1,\n 'abc").throwsSql("42000", "Line 2, column 2: the text", "has no end.");
    sql("SELECT # FROM t").throwsSql("42000", "Line 1, column 8");
    sql("").throwsSql("42000", "The statement is empty.");
    sql(" -- nothing\n/* at all */").throwsSql("42000", "The statement is empty.");
    sql(";").throwsSql("42000");
    sql("SELECT 1; SELECT 2").throwsSql("42000", "syntax error near ';'");
    sql("CREATE TABLE t (a INTEGER)").throwsSql("42000", "column 1: this is no statement");
    sql("DROP TABLE t").throwsSql("42000", "syntax error near 'TABLE'; expected SCHEMA.");
    sql("DROP SCHEMA \"ordes\"").throwsSql("3F000", "did you mean \"orders\"?");
    sql("DROP SCHEMA shops.orders").throwsSql("3D000", "catalog \"shops\"; did you mean \"shop\"?");
    sql("UPDATE keyed_state SET x = 1 FROM t").throwsSql("42000", "syntax error near 'FROM'.");
    sql("SELECT INTERVAL '30 days' FROM t").throwsSql("42000", "as in INTERVAL '30' DAY.");
    sql("SELECT 1 FROM \"orders.keyed_state\"")
        .throwsSql("42S02", "did you mean \"orders\".\"keyed_state\"?");
  }

  @Test
  void validationErrorsNameThePosition() {
    sql("SELECT state_key + ARRAY[1] FROM keyed_state")
        .throwsSql("42000", "Line 1, column 8: ", "Cannot apply '+'");
    sql("SELECT state_key, COUNT(*) FROM keyed_state")
        .throwsSql("42000", "Line 1, column 8: ", "not being grouped");
    sql("SELECT nofunction(1)").throwsSql("42000", "Line 1, column 8: ", "nofunction");
  }

  @Test
  void aFailingScanIsOneSentence() throws SQLException {
    sql("SELECT * FROM broken")
        .throwsSql("XX001", "File f, operator o, state s: 3 bytes are missing at offset 7.");
    sql("SELECT COUNT(*) FROM broken").throwsSql("XX001", "offset 7.");
    try (var statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT x FROM broken")) {
      assertThat(results.next()).isTrue();
      assertThat(results.getInt(1)).isEqualTo(1);
      assertThatThrownBy(results::next)
          .isInstanceOf(SQLException.class)
          .hasMessage("File f, operator o, state s: 3 bytes are missing at offset 7.");
    }
  }

  @Test
  void wrongValuesAreErrors() {
    sql("SELECT CAST(state_key AS INTEGER) FROM keyed_state")
        .throwsSql("22018", "The text 'a' is not a number");
    sql("SELECT 1 FROM keyed_state WHERE state_key = 5")
        .throwsSql("22018", "The text 'a' is not a number", "needs single quotes");
    sql("SELECT CAST(state_key AS DECIMAL) FROM keyed_state")
        .throwsSql("22018", "'a' is not a number");
    sql("SELECT CAST(state_key AS DATE) FROM keyed_state").throwsSql("22018");
  }

  @Test
  void parametersWork() throws SQLException {
    try (var statement =
        connection.prepareStatement(
            "SELECT key_group FROM keyed_state WHERE state_key = ? AND \"count\" < ?")) {
      statement.setString(1, "b");
      statement.setLong(2, 100);
      try (ResultSet results = statement.executeQuery()) {
        assertThat(results.next()).isTrue();
        assertThat(results.getInt(1)).isEqualTo(4);
        assertThat(results.next()).isFalse();
      }
    }
  }
}
