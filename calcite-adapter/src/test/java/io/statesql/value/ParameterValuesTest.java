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
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.statesql.StateSqlAssert;
import io.statesql.jdbc.ToyCatalogs;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterValuesTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2024, 2, 29, 12, 0, 0, 123_000_000);

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

  static List<Arguments> held() {
    return List.of(
        Arguments.of("numbers WHERE i = ?", 2L),
        Arguments.of("numbers WHERE i = ?", 2.0),
        Arguments.of("numbers WHERE i = ?", new BigDecimal("2.00")),
        Arguments.of("numbers WHERE i = ?", " 2 "),
        Arguments.of("numbers WHERE t = ? AND i = 2", 2),
        Arguments.of("numbers WHERE CAST(i AS DECIMAL) = ?", BigInteger.TWO),
        Arguments.of("numbers WHERE CAST(i AS DECIMAL) = ?", "2.0"),
        Arguments.of("numbers WHERE CAST(i AS DOUBLE) = ?", 2L),
        Arguments.of("numbers WHERE CAST(i AS DOUBLE) / 10 = ?", "0.2"),
        Arguments.of("numbers WHERE name = ?", "two"),
        Arguments.of("times WHERE d = ?", LocalDate.of(2024, 2, 29)),
        Arguments.of("times WHERE d = ?", java.sql.Date.valueOf("2024-02-29")),
        Arguments.of("times WHERE tm = ?", LocalTime.of(12, 0, 0, 123_000_000)),
        Arguments.of("times WHERE ts = ?", NOON),
        Arguments.of("times WHERE ts = ?", NOON.toInstant(ZoneOffset.UTC)),
        Arguments.of("times WHERE ts = ?", NOON.plusHours(2).atOffset(ZoneOffset.ofHours(2))),
        Arguments.of("times WHERE ts = ?", NOON.atZone(ZoneOffset.UTC)));
  }

  @ParameterizedTest
  @MethodSource("held")
  void aValueMayBeOfAnyClassThatFitsTheType(String condition, Object value) throws SQLException {
    assertThat(count(condition, value)).isEqualTo(1);
  }

  static List<Arguments> refused() {
    return List.of(
        Arguments.of("numbers WHERE i = ?", (1L << 32) + 2),
        Arguments.of("numbers WHERE i = ?", 2.5),
        Arguments.of("numbers WHERE i = ?", Double.NaN),
        Arguments.of("numbers WHERE i = ?", "two"),
        Arguments.of("numbers WHERE i = ?", true),
        Arguments.of("numbers WHERE t = ?", 258),
        Arguments.of("numbers WHERE s = ?", 65_538),
        Arguments.of("numbers WHERE l = ?", new BigDecimal("18446744073709551618")),
        Arguments.of("numbers WHERE r = ?", 1e300),
        Arguments.of("numbers WHERE r = ?", 16_777_217L),
        Arguments.of("numbers WHERE CAST(i AS DOUBLE) = ?", 9_007_199_254_740_993L),
        Arguments.of("numbers WHERE CAST(i AS DOUBLE) = ?", "0.12345678901234567890"),
        Arguments.of("numbers WHERE name = ?", 2),
        Arguments.of("numbers WHERE (i = 2) = ?", 1),
        Arguments.of("times WHERE d = ?", "2024-02-29"),
        Arguments.of("times WHERE tm = ?", LocalTime.of(12, 0, 0, 123_000_001)),
        Arguments.of("times WHERE ts = ?", NOON.plusNanos(1)),
        Arguments.of("times WHERE ts = ?", Instant.EPOCH.plusNanos(1)));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aValueIsNeverCutDownToItsType(String condition, Object value) {
    SQLException failure = catchThrowableOfType(SQLException.class, () -> count(condition, value));

    assertThat((Throwable) failure).isNotNull();
    assertThat(failure.getMessage()).contains("Parameter 1", "cannot hold", value.toString());
    assertThat(failure.getSQLState()).isEqualTo("22018");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'t' = ?",
        "'t' IN (?, 'x')",
        "'t' IS NOT DISTINCT FROM ?",
        "CAST(name AS CHAR(1)) = ?",
        "? BETWEEN 'a' AND 't'",
        "CASE 't' WHEN ? THEN TRUE ELSE FALSE END",
        "CASE WHEN i = 2 THEN ? ELSE 't' END = 't'",
        "NULLIF('t', ?) IS NULL"
      })
  void textIsNotCutToTheLengthOfWhatStandsBesideIt(String condition) throws SQLException {
    assertThat(count("numbers WHERE i = 2 AND " + condition, "two")).isEqualTo(0);
    assertThat(count("numbers WHERE i = 2 AND " + condition, "t")).isEqualTo(1);
  }

  @Test
  void bytesAreNotCutToTheLengthOfWhatStandsBesideThem() throws SQLException {
    assertThat(count("numbers WHERE i = 2 AND X'01' = ?", new byte[] {1, 2})).isEqualTo(0);
    assertThat(count("numbers WHERE i = 2 AND X'01' = ?", new byte[] {1})).isEqualTo(1);
  }

  @Test
  void aPreparedStatementGivesNoMoreRowsThanItMay() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT i FROM numbers WHERE i > ? OR TRUE")) {
      statement.setInt(1, 0);
      statement.setMaxRows(2);
      assertThat(rows(statement)).isEqualTo(2);
      statement.setMaxRows(0);
      assertThat(rows(statement)).isGreaterThan(2);
    }
  }

  private static int rows(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      int rows = 0;
      while (result.next()) {
        rows++;
      }
      return rows;
    }
  }

  @Test
  void nullStaysNull() throws SQLException {
    assertThat(count("numbers WHERE i = ?", null)).isZero();
  }

  @Test
  void aParameterWithoutAValueIsNamed() throws SQLException {
    for (String sql :
        List.of("SELECT i FROM numbers WHERE i = ?", "SELECT i FROM numbers LIMIT ?")) {
      try (var statement = connection.prepareStatement(sql)) {
        SQLException failure = catchThrowableOfType(SQLException.class, statement::executeQuery);
        assertThat(failure.getSQLState()).isEqualTo("07001");
        assertThat(failure.getMessage()).startsWith("A parameter of the statement has no value");
      }
    }
  }

  @Test
  void aStatementWithParametersThatWasNotPreparedIsRefused() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql :
          List.of("SELECT i FROM numbers WHERE i = ?", "SELECT i FROM numbers LIMIT ?")) {
        SQLException failure =
            catchThrowableOfType(SQLException.class, () -> statement.executeQuery(sql));
        assertThat(failure.getSQLState()).isEqualTo("07001");
        assertThat(failure.getMessage())
            .isEqualTo(
                "The statement has 1 parameters, of which 0 have values; prepare it, and set each.");
        try (var plan = statement.executeQuery("EXPLAIN PLAN FOR " + sql)) {
          assertThat(plan.next()).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"LIMIT ?", "ORDER BY i LIMIT ?", "OFFSET ? ROWS", "ORDER BY i OFFSET ? ROWS"})
  void aNumberOfRowsMayBeAParameter(String clause) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT i FROM numbers " + clause)) {
      for (Object count : new Object[] {1, 1L, "1"}) {
        statement.setObject(1, count);
        try (ResultSet results = statement.executeQuery()) {
          assertThat(results.next()).isTrue();
        }
      }
      for (Object count : new Object[] {-1, 2.5, null, 1L << 40}) {
        statement.setObject(1, count);
        SQLException failure = catchThrowableOfType(SQLException.class, statement::executeQuery);
        assertThat(failure.getSQLState()).isEqualTo("22023");
        assertThat(failure.getMessage()).startsWith("Parameter 1 is a number of rows: ");
      }
    }
  }

  private int count(String condition, Object value) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT count(*) FROM " + condition)) {
      statement.setObject(1, value);
      try (ResultSet results = statement.executeQuery()) {
        assertThat(results.next()).isTrue();
        return results.getInt(1);
      }
    }
  }
}
