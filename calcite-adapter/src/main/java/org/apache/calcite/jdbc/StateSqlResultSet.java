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
package org.apache.calcite.jdbc;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.jdbc.TypedObjects;
import io.statesql.plan.StatementCancellation;
import io.statesql.sql.SqlErrors;
import io.statesql.type.DateTimeText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.jspecify.annotations.Nullable;

/**
 * A result set whose failures are one sentence, and whose dates and times have the same text in
 * every time zone.
 */
final class StateSqlResultSet extends CalciteResultSet {
  /** The thread that moves to the next row at the moment; null if none does. */
  private volatile @Nullable Thread mover;

  /** The rows that may be given; 0 for all. Avatica forgets this of prepared statements. */
  private final long most;

  private long given;

  /** Of the run that begins with this result. */
  private final Cancellation running;

  StateSqlResultSet(
      AvaticaStatement statement,
      CalcitePrepare.CalciteSignature<?> signature,
      ResultSetMetaData metaData,
      TimeZone timeZone,
      Meta.Frame firstFrame)
      throws SQLException {
    super(statement, signature, metaData, timeZone, firstFrame);
    this.most = statement.getLargeMaxRows();
    try {
      this.running =
          StatementCancellation.starting(
              statement.connection.getCancelFlag(statement.handle), statement.getQueryTimeout());
    } catch (NoSuchStatementException e) {
      throw SqlErrors.translate(e);
    }
  }

  @Override
  public boolean next() throws SQLException {
    if (signature.statementType != null && signature.statementType.canUpdate()) {
      return nextCount();
    }
    if (most > 0 && given >= most) {
      checkOpen();
      return false;
    }
    mover = Thread.currentThread();
    try {
      boolean found = SqlErrors.<Boolean, SQLException>translating(running, super::next);
      given += found ? 1 : 0;
      return found;
    } finally {
      mover = null;
    }
  }

  /**
   * Moves to the number of rows that were changed, also if the statement was canceled meanwhile:
   * what has been done may be committed.
   */
  private boolean nextCount() throws SQLException {
    checkOpen();
    return SqlErrors.<Boolean, SQLException>translating(cursor::next);
  }

  /** Ends a move that is under way in another thread, and the statement if that is what closes. */
  @Override
  public void close() {
    Thread moving = mover;
    if (isOfClosedStatement() || (moving != null && moving != Thread.currentThread())) {
      cancel();
    }
    super.close();
  }

  private boolean isOfClosedStatement() {
    try {
      return statement.isClosed();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String getString(String columnLabel) throws SQLException {
    return getString(findColumn(columnLabel));
  }

  @Override
  public String getString(int columnIndex) throws SQLException {
    int type = type(columnIndex);
    return switch (type) {
      case Types.DATE, Types.TIME, Types.TIMESTAMP -> dateTime(columnIndex, type);
      default -> super.getString(columnIndex);
    };
  }

  private String dateTime(int columnIndex, int type) throws SQLException {
    long value = getLong(columnIndex);
    if (wasNull()) {
      return null;
    }
    return switch (type) {
      case Types.DATE -> DateTimeText.date((int) value);
      case Types.TIME -> DateTimeText.time((int) value);
      default -> DateTimeText.timestamp(value);
    };
  }

  @Override
  public <T> T getObject(int columnIndex, Class<T> type) throws SQLException {
    return TypedObjects.get(this, columnIndex, type);
  }

  @Override
  public <T> T getObject(String columnLabel, Class<T> type) throws SQLException {
    return getObject(findColumn(columnLabel), type);
  }

  // Avatica's own getters take the low bits of a number that does not fit.

  @Override
  public byte getByte(int columnIndex) throws SQLException {
    return isNumber(columnIndex)
        ? (byte) whole(columnIndex, Byte.MIN_VALUE, Byte.MAX_VALUE, "byte")
        : super.getByte(columnIndex);
  }

  @Override
  public byte getByte(String columnLabel) throws SQLException {
    return getByte(findColumn(columnLabel));
  }

  @Override
  public short getShort(int columnIndex) throws SQLException {
    return isNumber(columnIndex)
        ? (short) whole(columnIndex, Short.MIN_VALUE, Short.MAX_VALUE, "short")
        : super.getShort(columnIndex);
  }

  @Override
  public short getShort(String columnLabel) throws SQLException {
    return getShort(findColumn(columnLabel));
  }

  @Override
  public int getInt(int columnIndex) throws SQLException {
    return isNumber(columnIndex)
        ? (int) whole(columnIndex, Integer.MIN_VALUE, Integer.MAX_VALUE, "int")
        : super.getInt(columnIndex);
  }

  @Override
  public int getInt(String columnLabel) throws SQLException {
    return getInt(findColumn(columnLabel));
  }

  @Override
  public long getLong(int columnIndex) throws SQLException {
    return isNumber(columnIndex)
        ? whole(columnIndex, Long.MIN_VALUE, Long.MAX_VALUE, "long")
        : super.getLong(columnIndex);
  }

  @Override
  public long getLong(String columnLabel) throws SQLException {
    return getLong(findColumn(columnLabel));
  }

  private boolean isNumber(int columnIndex) {
    return switch (type(columnIndex)) {
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> true;
      case Types.BIGINT, Types.DECIMAL, Types.NUMERIC -> true;
      case Types.REAL, Types.FLOAT, Types.DOUBLE -> true;
      default -> false;
    };
  }

  private int type(int columnIndex) {
    boolean known = columnIndex >= 1 && columnIndex <= columnMetaDataList.size();
    return known ? columnMetaDataList.get(columnIndex - 1).type.id : Types.NULL;
  }

  /** The whole part of a number, which must lie in a range; 0 for NULL. */
  private long whole(int columnIndex, long min, long max, String javaType) throws SQLException {
    BigDecimal number = number(columnIndex);
    if (number == null) {
      return 0;
    }
    BigInteger whole = number.toBigInteger();
    if (whole.compareTo(BigInteger.valueOf(min)) < 0
        || whole.compareTo(BigInteger.valueOf(max)) > 0) {
      throw overflow(number, javaType);
    }
    return whole.longValue();
  }

  private BigDecimal number(int columnIndex) throws SQLException {
    return switch (type(columnIndex)) {
      case Types.DECIMAL, Types.NUMERIC -> getBigDecimal(columnIndex);
      case Types.REAL, Types.FLOAT, Types.DOUBLE -> approximate(columnIndex);
      default -> integer(columnIndex);
    };
  }

  private BigDecimal integer(int columnIndex) throws SQLException {
    BigDecimal value = BigDecimal.valueOf(super.getLong(columnIndex));
    return wasNull() ? null : value;
  }

  private BigDecimal approximate(int columnIndex) throws SQLException {
    double value = getDouble(columnIndex);
    if (wasNull()) {
      return null;
    }
    if (!Double.isFinite(value)) {
      throw overflow(value, "whole number");
    }
    return BigDecimal.valueOf(value);
  }

  private static SQLException overflow(Object number, String javaType) {
    return SqlErrors.translate(
        new StateSqlException(
            ErrorCode.NUMERIC_OVERFLOW, number + " does not fit into a " + javaType + "."));
  }
}
