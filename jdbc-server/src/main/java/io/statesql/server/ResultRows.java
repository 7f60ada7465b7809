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
package io.statesql.server;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.avatica.Meta;

/**
 * The rows of a result, page by page, as the wire carries them: dates as days, times and timestamps
 * as milliseconds, in UTC.
 *
 * <p>Of a date or time beyond the years 1 to 9999 Avatica's client shows four digits of the year,
 * and so another year. Such a cell has its text in place of the number: the client can read the
 * row, and fails when it is asked for this one value.
 */
final class ResultRows {
  /** About what a value needs in a message whose size does not depend on it. */
  private static final int SCALAR_BYTES = 16;

  private static final long FIRST_SECOND =
      LocalDateTime.of(1, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC);
  private static final long LAST_SECOND =
      LocalDateTime.of(9999, 12, 31, 23, 59, 59).toEpochSecond(ZoneOffset.UTC);

  private final ResultSet result;
  private final int[] types;
  private final int maxRows;
  private final int maxBytes;
  private long position;

  /**
   * @param maxRows of a page
   * @param maxBytes about how long a page gets before the next row waits for another
   */
  ResultRows(ResultSet result, int maxRows, int maxBytes) throws SQLException {
    this.result = result;
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
    ResultSetMetaData columns = result.getMetaData();
    this.types = new int[columns.getColumnCount()];
    for (int i = 0; i < types.length; i++) {
      types[i] = columns.getColumnType(i + 1);
    }
  }

  /** How many rows were given out. */
  long position() {
    return position;
  }

  /**
   * The next rows.
   *
   * @param wanted how many, if there is room for them; 0 and below leave the number to us
   */
  Meta.Frame next(int wanted) throws SQLException {
    int limit = wanted <= 0 ? maxRows : Math.min(wanted, maxRows);
    long start = position;
    List<Object> rows = new ArrayList<>();
    long bytes = 0;
    boolean done = false;
    while (rows.size() < limit && bytes < maxBytes) {
      if (!result.next()) {
        done = true;
        break;
      }
      Object[] row = new Object[types.length];
      for (int i = 0; i < row.length; i++) {
        row[i] = value(i + 1, types[i]);
        bytes += size(row[i]);
      }
      rows.add(row);
      position++;
    }
    return new Meta.Frame(start, done, rows);
  }

  private Object value(int column, int type) throws SQLException {
    Object value =
        switch (type) {
          case Types.BIGINT -> result.getLong(column);
          case Types.TIMESTAMP -> {
            long millis = result.getLong(column);
            yield isShown(millis, TimeUnit.MILLISECONDS) ? millis : result.getString(column);
          }
          case Types.DATE -> {
            int days = (int) result.getLong(column);
            yield isShown(days, TimeUnit.DAYS) ? days : result.getString(column);
          }
          case Types.INTEGER, Types.TIME -> (int) result.getLong(column);
          case Types.SMALLINT -> result.getShort(column);
          case Types.TINYINT -> result.getByte(column);
          case Types.DOUBLE, Types.FLOAT -> result.getDouble(column);
          case Types.REAL -> result.getFloat(column);
          default -> result.getObject(column);
        };
    return result.wasNull() ? null : value;
  }

  private static boolean isShown(long sinceEpoch, TimeUnit unit) {
    long seconds = unit.toSeconds(sinceEpoch);
    return seconds >= FIRST_SECOND && seconds <= LAST_SECOND;
  }

  private static long size(Object value) {
    if (value instanceof String text) {
      return text.length();
    }
    return value instanceof byte[] bytes ? bytes.length : SCALAR_BYTES;
  }

  void close() throws SQLException {
    result.close();
  }
}
