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
package sqlline;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import org.apache.calcite.avatica.SentCells;

/**
 * Reads the values of a result as the shell shows them: the same text for a value in every time
 * zone and locale, and no digit lost. Timestamps are UTC in the proleptic calendar with
 * milliseconds, decimals are plain, bytes are hex.
 *
 * <p>sqlline reads rows from a {@link ResultSet}, so this gives it one, whose columns are all text.
 * A column for whose type the user set a format of sqlline's ({@code numberFormat} and the like)
 * stays as it is.
 */
final class CellReader {
  /** Formats made for people, where NULL must be seen and one row is to stay on its lines. */
  private static final Set<String> VISUAL_FORMATS = Set.of("table", "ansiconsole", "vertical");

  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder()
          .appendValue(ChronoField.YEAR, 4, 10, SignStyle.NORMAL)
          .appendPattern("-MM-dd")
          .toFormatter(Locale.ROOT);

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 3, 9, true)
          .toFormatter(Locale.ROOT);

  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DATE)
          .appendLiteral(' ')
          .append(TIME)
          .toFormatter(Locale.ROOT);

  private final ResultSet rows;
  private final ResultSetMetaData metaData;
  private final int[] types;
  private final SqlLineOpts opts;
  private final boolean visual;
  private final boolean exactTimes;
  private final Optional<SentCells> sent;
  private final Calendar utc = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);

  /**
   * @param exactTimes whether the driver's own texts of dates and times are those that the shell
   *     shows; {@link java.sql} classes lack the ten days that the Julian calendar lost in 1582
   */
  CellReader(ResultSet rows, SqlLineOpts opts, String outputFormat, boolean exactTimes)
      throws SQLException {
    this.rows = rows;
    this.opts = opts;
    this.exactTimes = exactTimes;
    this.sent = SentCells.of(rows);
    this.visual = isVisual(outputFormat);
    this.metaData = rows.getMetaData();
    this.types = new int[metaData.getColumnCount() + 1];
    for (int column = 1; column < types.length; column++) {
      types[column] = metaData.getColumnType(column);
    }
  }

  /** Whether an output format is made for people. */
  static boolean isVisual(String outputFormat) {
    return VISUAL_FORMATS.contains(outputFormat);
  }

  /**
   * SQL type of a column.
   *
   * @param column from 1
   * @return a constant of {@link Types}
   */
  int sqlType(int column) {
    return types[column];
  }

  /** The same rows with every value as its text. */
  ResultSet asTexts() {
    ResultSetMetaData textTypes =
        (ResultSetMetaData)
            Proxy.newProxyInstance(
                CellReader.class.getClassLoader(),
                new Class<?>[] {ResultSetMetaData.class},
                (proxy, method, args) ->
                    method.getName().equals("getColumnType")
                        ? shownType((int) args[0])
                        : invoke(metaData, method, args));
    return (ResultSet)
        Proxy.newProxyInstance(
            CellReader.class.getClassLoader(),
            new Class<?>[] {ResultSet.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "getMetaData" -> textTypes;
                  case "getString" -> shown((int) args[0]);
                  // Most drivers answer these with an exception, for every row.
                  case "rowDeleted", "rowUpdated", "rowInserted" -> false;
                  default -> invoke(rows, method, args);
                });
  }

  private static Object invoke(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private int shownType(int column) {
    BuiltInProperty format =
        switch (types[column]) {
          case Types.TINYINT,
              Types.SMALLINT,
              Types.INTEGER,
              Types.BIGINT,
              Types.REAL,
              Types.FLOAT,
              Types.DOUBLE,
              Types.DECIMAL,
              Types.NUMERIC ->
              BuiltInProperty.NUMBER_FORMAT;
          case Types.DATE -> BuiltInProperty.DATE_FORMAT;
          case Types.TIME -> BuiltInProperty.TIME_FORMAT;
          case Types.TIMESTAMP -> BuiltInProperty.TIMESTAMP_FORMAT;
          default -> null;
        };
    return format == null || opts.isDefault(format) ? Types.VARCHAR : types[column];
  }

  private String shown(int column) throws SQLException {
    String text = text(column);
    if (!visual) {
      return text;
    }
    if (text == null) {
      return opts.isDefault(BuiltInProperty.NULL_VALUE) ? "null" : null;
    }
    return types[column] == Types.VARCHAR || types[column] == Types.CHAR
        ? ControlCharacters.escape(text)
        : text;
  }

  /** A value's text; null for NULL. */
  private String text(int column) throws SQLException {
    if (isTime(types[column]) && sent.isPresent()) {
      Optional<String> text = sent.get().text(column);
      if (text.isPresent()) {
        return text.get();
      }
    }
    switch (exactTimes && isTime(types[column]) ? Types.VARCHAR : types[column]) {
      case Types.DATE -> {
        Date date = rows.getDate(column, utc);
        return date == null ? null : DATE.format(utc(date.getTime()).toLocalDate());
      }
      case Types.TIME -> {
        Time time = rows.getTime(column, utc);
        return time == null ? null : TIME.format(utc(time.getTime()).toLocalTime());
      }
      case Types.TIMESTAMP -> {
        Timestamp timestamp = rows.getTimestamp(column, utc);
        return timestamp == null
            ? null
            : TIMESTAMP.format(utc(timestamp.getTime()).withNano(timestamp.getNanos()));
      }
      case Types.DECIMAL, Types.NUMERIC -> {
        BigDecimal number = rows.getBigDecimal(column);
        return number == null ? null : number.toPlainString();
      }
      case Types.REAL, Types.FLOAT, Types.DOUBLE -> {
        Object number = rows.getObject(column);
        return number == null ? null : number.toString();
      }
      case Types.BOOLEAN, Types.BIT -> {
        boolean value = rows.getBoolean(column);
        return rows.wasNull() ? null : Boolean.toString(value);
      }
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY -> {
        byte[] bytes = rows.getBytes(column);
        return bytes == null ? null : HexFormat.of().formatHex(bytes);
      }
      default -> {
        return rows.getString(column);
      }
    }
  }

  private static boolean isTime(int type) {
    return type == Types.DATE || type == Types.TIME || type == Types.TIMESTAMP;
  }

  /**
   * What a {@link java.sql} date reads as in UTC. Its days before 15 October 1582 are those of the
   * Julian calendar, with the same year, month and day as the SQL value.
   */
  private LocalDateTime utc(long epochMillis) {
    utc.setTimeInMillis(epochMillis);
    int year = utc.get(Calendar.YEAR);
    return LocalDateTime.of(
        utc.get(Calendar.ERA) == GregorianCalendar.BC ? 1 - year : year,
        utc.get(Calendar.MONTH) + 1,
        utc.get(Calendar.DAY_OF_MONTH),
        utc.get(Calendar.HOUR_OF_DAY),
        utc.get(Calendar.MINUTE),
        utc.get(Calendar.SECOND),
        (int) Math.floorMod(epochMillis, 1000L) * 1_000_000);
  }
}
