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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.sql.SqlErrors;
import io.statesql.value.DateTimeParser;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Gives a value of a result as an object of a class, as JDBC 4.2 has it; Avatica does not. */
public final class TypedObjects {
  private TypedObjects() {}

  /**
   * Reads a column of the current row.
   *
   * @param column from 1
   * @return null for NULL
   * @throws SQLException if the type of the column has no such form, or the value does not fit
   */
  public static <T> T get(ResultSet row, int column, Class<T> type) throws SQLException {
    Object value = value(row, column, type);
    if (row.wasNull()) {
      return null;
    }
    if (!type.isInstance(value)) {
      throw SqlErrors.translate(
          new StateSqlException(
              ErrorCode.INVALID_VALUE,
              "The column %s of type %s cannot be given as a %s."
                  .formatted(
                      row.getMetaData().getColumnLabel(column),
                      row.getMetaData().getColumnTypeName(column),
                      type.getTypeName())));
    }
    return type.cast(value);
  }

  private static Object value(ResultSet row, int column, Class<?> type) throws SQLException {
    return switch (row.getMetaData().getColumnType(column)) {
      case Types.DATE ->
          type == LocalDate.class
              ? LocalDate.ofEpochDay(row.getLong(column))
              : other(row, column, type);
      case Types.TIME ->
          type == LocalTime.class
              ? DateTimeParser.time((int) row.getLong(column), 0)
              : other(row, column, type);
      case Types.TIMESTAMP -> time(row, column, type);
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.DECIMAL,
          Types.REAL,
          Types.FLOAT,
          Types.DOUBLE ->
          number(row, column, type);
      default -> other(row, column, type);
    };
  }

  private static Object time(ResultSet row, int column, Class<?> type) throws SQLException {
    if (type == LocalDateTime.class) {
      return DateTimeParser.dateTime(row.getLong(column));
    }
    if (type == Instant.class) {
      return Instant.ofEpochMilli(row.getLong(column));
    }
    if (type == OffsetDateTime.class) {
      return Instant.ofEpochMilli(row.getLong(column)).atOffset(ZoneOffset.UTC);
    }
    return other(row, column, type);
  }

  private static Object number(ResultSet row, int column, Class<?> type) throws SQLException {
    if (type == Byte.class) {
      return row.getByte(column);
    }
    if (type == Short.class) {
      return row.getShort(column);
    }
    if (type == Integer.class) {
      return row.getInt(column);
    }
    if (type == Long.class) {
      return row.getLong(column);
    }
    if (type == Float.class) {
      return row.getFloat(column);
    }
    if (type == Double.class) {
      return row.getDouble(column);
    }
    return type == BigDecimal.class ? row.getBigDecimal(column) : other(row, column, type);
  }

  private static Object other(ResultSet row, int column, Class<?> type) throws SQLException {
    if (type == String.class) {
      return row.getString(column);
    }
    return type == byte[].class ? row.getBytes(column) : row.getObject(column);
  }
}
