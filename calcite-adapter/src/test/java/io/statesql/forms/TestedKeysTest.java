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
package io.statesql.forms;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import io.statesql.forms.ManyKeys.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conditions on keys that name no keys are asked before anything else of a key is read. */
class TestedKeysTest {
  private static final int KEYS = 6000;

  private static final ValueStateDescriptor<Long> AMOUNT =
      new ValueStateDescriptor<>("amount", LongSerializer.INSTANCE);
  private static final MapStateDescriptor<String, Long> PARTS =
      new MapStateDescriptor<>("parts", StringSerializer.INSTANCE, LongSerializer.INSTANCE);

  @TempDir private static Path folder;

  @BeforeAll
  static void write() throws Exception {
    for (Form form : Form.values()) {
      ManyKeys.write(
          folder.resolve(form.name()),
          form,
          128,
          states -> {
            for (int i = 0; i < KEYS; i++) {
              String key = "key-" + i;
              states.of(key, AMOUNT).update((long) i);
              states.of(key, PARTS).put("a", (long) i);
              states.of(key, PARTS).put("b", -1L);
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void rowsOfOtherKeysAreNotMade(Form form) throws Exception {
    try (Connection connection = connect(form)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT state_key, amount, CARDINALITY(parts) FROM %s"
                      .formatted(table(connection, "keyed_state"))
                  + " WHERE state_key LIKE 'key-599_' AND amount <> 5995 ORDER BY 1 LIMIT 2")
          .explainContains("keyTest=[LIKE($0, ")
          .returns("key-5990, 5990, 2", "key-5991, 5991, 2");
      assertThat(rowsRead(connection)).isEqualTo(10);
      StateSqlAssert.on(connection)
          .sql(
              "SELECT state_key, map_key, map_value FROM %s".formatted(table(connection, "parts"))
                  + " WHERE state_key >= 'key-5998' AND state_key < 'key-6' ORDER BY 1, 2")
          .explainContains("keyTest=")
          .returns("key-5998, a, 5998", "key-5998, b, -1", "key-5999, a, 5999", "key-5999, b, -1");
      assertThat(rowsRead(connection)).isEqualTo(4);
      StateSqlAssert.on(connection)
          .sql(
              "SELECT COUNT(*), SUM(state_value) FROM %s".formatted(table(connection, "amount"))
                  + " WHERE CHAR_LENGTH(state_key) = 5")
          .explainContains("StateFold", "keyTest=")
          .returns("10, 45");
      assertThat(rowsRead(connection)).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void testsThatMostKeysPassAreGivenUp(Form form) throws Exception {
    try (Connection connection = connect(form)) {
      StateSqlAssert.on(connection)
          .sql(
              "SELECT COUNT(*) FROM %s".formatted(table(connection, "keyed_state"))
                  + " WHERE state_key <> 'key-17' AND UPPER(state_key) <> 'KEY-18'")
          .explainContains("keyTest=")
          .returns(String.valueOf(KEYS - 2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTestThatFailsIsTheStatementsError(Form form) throws Exception {
    String quotient = "1 / (CHAR_LENGTH(state_key) - 5) >= 0";
    try (Connection connection = connect(form)) {
      String amounts = table(connection, "amount");
      StateSqlAssert.on(connection)
          .sql("SELECT COUNT(*) FROM " + amounts + " WHERE " + quotient)
          .throwsSql("22012", "divided by zero");
    }
  }

  @ParameterizedTest
  @EnumSource
  void parametersAndChangesOfTheTransactionAreSeen(Form form) throws Exception {
    try (Connection connection = connect(form)) {
      connection.setAutoCommit(false);
      StateSqlAssert.on(connection)
          .sql(
              "DELETE FROM "
                  + table(connection, "keyed_state")
                  + " WHERE state_key LIKE 'key-59_5'")
          .explainContains("keyTest=[LIKE($0, ");
      String amounts = table(connection, "amount");
      try (Statement change = connection.createStatement()) {
        assertThat(
                change.executeUpdate("DELETE FROM " + amounts + " WHERE state_key LIKE 'key-59_5'"))
            .isEqualTo(10);
        change.executeUpdate(
            "INSERT INTO " + amounts + " (state_key, state_value) VALUES ('key-59x5', 1)");
      }
      try (PreparedStatement statement =
          connection.prepareStatement(
              "SELECT COUNT(*) FROM " + amounts + " WHERE state_key LIKE ?")) {
        assertThat(count(statement, "key-59_5")).isEqualTo(1);
        assertThat(count(statement, "key-59_6")).isEqualTo(10);
        assertThat(count(statement, null)).isZero();
      }
      connection.rollback();
    }
  }

  private static long count(PreparedStatement statement, String pattern) throws SQLException {
    statement.setString(1, pattern);
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static long rowsRead(Connection connection) throws SQLException {
    return Long.parseLong(
        StateSqlAssert.on(connection).sql("SELECT scanned_rows FROM last_statement").rows().get(0));
  }

  private static String table(Connection connection, String state) throws SQLException {
    String schema =
        StateSqlAssert.on(connection).sql("SELECT schema_name FROM operators").rows().get(0);
    return "\"" + schema + "\".\"" + state + "\"";
  }

  private static Connection connect(Form form) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot=state="
            + folder.resolve(form.name())
            + ";commitTo="
            + folder.resolve("edits"));
  }
}
