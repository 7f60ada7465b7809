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
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A number that does not fit the Java type that is asked for is an error, not its low bits. */
class NumberGettersTest {
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection =
        DriverManager.getConnection(
            "jdbc:statesql:snapshot=" + Path.of("../sql-examples/snapshots/orders"));
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "3000000000 | int",
        "CAST(70000 AS INTEGER) | short",
        "CAST(300 AS SMALLINT) | byte",
        "CAST('9223372036854775808' AS DECIMAL(30, 0)) | long",
        "CAST('NaN' AS DOUBLE) | int",
        "1e300 | long"
      })
  void numberThatDoesNotFitIsRefused(String number, String javaType) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> get(number, javaType))
        .withMessageContaining("does not fit into a")
        .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("22003"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2147483647 | int | 2147483647",
        "CAST(-9223372036854775808 AS BIGINT) | long | -9223372036854775808",
        "CAST(12.9 AS DECIMAL(5, 1)) | int | 12",
        "CAST(-128 AS TINYINT) | byte | -128",
        "CAST(NULL AS BIGINT) | int | 0"
      })
  void numberThatFitsIsGiven(String number, String javaType, long expected) throws SQLException {
    assertThat(get(number, javaType)).isEqualTo(expected);
  }

  @Test
  void labelsAreCheckedAsPositionsAre() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT 3000000000 AS n")) {
      results.next();
      assertThat(results.getLong("n")).isEqualTo(3_000_000_000L);
      assertThatExceptionOfType(SQLException.class).isThrownBy(() -> results.getInt("n"));
    }
  }

  private long get(String number, String javaType) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT " + number)) {
      results.next();
      return switch (javaType) {
        case "byte" -> results.getByte(1);
        case "short" -> results.getShort(1);
        case "int" -> results.getInt(1);
        default -> results.getLong(1);
      };
    }
  }
}
