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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
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
          case Types.TIMESTAMP -> shown(result.getLong(column), TimeUnit.MILLISECONDS, column);
          case Types.DATE -> (int) shown(result.getLong(column), TimeUnit.DAYS, column);
          case Types.INTEGER, Types.TIME -> (int) result.getLong(column);
          case Types.SMALLINT -> result.getShort(column);
          case Types.TINYINT -> result.getByte(column);
          case Types.DOUBLE, Types.FLOAT -> result.getDouble(column);
          case Types.REAL -> result.getFloat(column);
          default -> result.getObject(column);
        };
    return result.wasNull() ? null : value;
  }

  /**
   * A date or time that the client can show: of other years Avatica's client shows four digits, and
   * so another year.
   */
  private long shown(long sinceEpoch, TimeUnit unit, int column) throws SQLException {
    if (unit.toSeconds(sinceEpoch) < FIRST_SECOND || unit.toSeconds(sinceEpoch) > LAST_SECOND) {
      String name = result.getMetaData().getColumnLabel(column);
      throw new StateSqlException(
          ErrorCode.DATETIME_OVERFLOW,
          ("The column %s holds %s, and clients show no years but 1 to 9999; ask for CAST(\"%s\" AS"
                  + " VARCHAR).")
              .formatted(name, result.getString(column), name));
    }
    return sinceEpoch;
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
