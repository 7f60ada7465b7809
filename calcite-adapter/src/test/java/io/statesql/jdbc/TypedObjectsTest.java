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

import io.statesql.StateSqlAssert;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values as objects of the class that a program asks for, as JDBC 4.2 has it. */
class TypedObjectsTest {
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

  /** What needs no zone is the same in each. */
  @Test
  void timesAreThoseOfJavaTimeInEveryZone() throws SQLException {
    TimeZone zone = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
    try {
      assertThat(get("ts", LocalDateTime.class))
          .isEqualTo(LocalDateTime.parse("2024-02-29T12:00:00.123"));
      assertThat(get("ts", Instant.class)).isEqualTo(Instant.parse("2024-02-29T12:00:00.123Z"));
      assertThat(get("ts", OffsetDateTime.class))
          .isEqualTo(OffsetDateTime.parse("2024-02-29T12:00:00.123Z"));
      assertThat(get("d", LocalDate.class)).isEqualTo(LocalDate.parse("2024-02-29"));
      assertThat(get("tm", LocalTime.class)).isEqualTo(LocalTime.parse("12:00:00.123"));
      assertThat(get("DATE '12026-01-01'", LocalDate.class)).isEqualTo(LocalDate.of(12026, 1, 1));
      assertThat(get("ts", String.class)).isEqualTo("2024-02-29 12:00:00.123");
    } finally {
      TimeZone.setDefault(zone);
    }
  }

  @Test
  void numbersTextAndTheRestComeAsAsked() throws SQLException {
    assertThat(get("id", Long.class)).isEqualTo(1L);
    assertThat(get("id", Integer.class)).isEqualTo(1);
    assertThat(get("id", BigDecimal.class)).isEqualTo(BigDecimal.ONE);
    assertThat(get("CAST(id AS DOUBLE)", Double.class)).isEqualTo(1.0);
    assertThat(get("id = 1", Boolean.class)).isTrue();
    assertThat(get("X'01ff'", byte[].class)).isEqualTo(new byte[] {1, -1});
    assertThat(get("id", Object.class)).isEqualTo(1);
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> get("3000000000", Integer.class))
        .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("22003"));
  }

  @Test
  void nullIsNull() throws SQLException {
    for (Class<?> type :
        new Class<?>[] {
          LocalDateTime.class, Instant.class, String.class, Integer.class, BigDecimal.class
        }) {
      assertThat(get("CAST(NULL AS TIMESTAMP)", type)).as(type.getName()).isNull();
    }
  }

  @Test
  void whatDoesNotFitIsNamed() {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> get("id", LocalDate.class))
        .withMessage("The column d of type INTEGER cannot be given as a java.time.LocalDate.");
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> get("ts", java.util.UUID.class))
        .withMessageContaining("java.util.UUID");
  }

  private <T> T get(String expression, Class<T> type) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results =
            statement.executeQuery("SELECT " + expression + " AS d FROM times WHERE id = 1")) {
      results.next();
      T value = results.getObject(1, type);
      assertThat(results.getObject("d", type)).isEqualTo(value);
      return value;
    }
  }
}
