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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.ExactConversion;
import java.math.BigDecimal;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;

/**
 * The parameters of a prepared statement as values of the types that the statement gives them.
 * Calcite takes what the client has set as it is: it would cut a number down to the type's bits,
 * which then equals another number, and cast any other class without a look at it. Here a value
 * that its type cannot hold is an error.
 */
public final class ParameterValues implements DataContext {
  /** Under this name a context has the number of parameters that have values, NULL included. */
  public static final String GIVEN = "statesql.parameters";

  private static final int NANOS_PER_MILLISECOND = 1_000_000;

  private final DataContext context;
  private final Map<String, Object> values = new HashMap<>();

  /**
   * @param rowCounts the positions of those that are numbers of rows, from 0
   */
  private ParameterValues(
      DataContext context, List<AvaticaParameter> parameters, Set<Integer> rowCounts) {
    this.context = context;
    // To a statement that was not prepared, nobody can give values.
    if (context.get(GIVEN) instanceof Integer given && given < parameters.size()) {
      throw new StateSqlException(
          ErrorCode.MISSING_PARAMETER,
          "The statement has %d parameters, of which %d have values; prepare it, and set each."
              .formatted(parameters.size(), given));
    }
    for (int i = 0; i < parameters.size(); i++) {
      String name = "?" + i;
      Object value = context.get(name);
      if (rowCounts.contains(i)) {
        requireRowCount(value, i + 1);
      }
      if (value != null) {
        values.put(name, convert(value, i + 1, parameters.get(i)));
      }
    }
  }

  /** A statement like the given one whose parameters are checked, or itself when it has none. */
  public static <T> CalciteSignature<T> check(
      CalciteSignature<T> signature, Set<Integer> rowCounts) {
    return signature.parameters.isEmpty()
        ? signature
        : new CheckedSignature<>(signature, Set.copyOf(rowCounts));
  }

  private static void requireRowCount(Object value, int position) {
    Number count = integer(value, Integer.SIZE);
    if (count == null || count.longValue() < 0) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "Parameter %d is a number of rows: a whole number from 0 to %d, not %s."
              .formatted(position, Integer.MAX_VALUE, value));
    }
  }

  @Override
  public Object get(String name) {
    Object value = values.get(name);
    return value == null ? context.get(name) : value;
  }

  @Override
  public SchemaPlus getRootSchema() {
    return context.getRootSchema();
  }

  @Override
  public JavaTypeFactory getTypeFactory() {
    return context.getTypeFactory();
  }

  @Override
  public QueryProvider getQueryProvider() {
    return context.getQueryProvider();
  }

  private static Object convert(Object value, int position, AvaticaParameter parameter) {
    Object converted =
        switch (parameter.parameterType) {
          case Types.TINYINT -> integer(value, Byte.SIZE);
          case Types.SMALLINT -> integer(value, Short.SIZE);
          case Types.INTEGER -> intValue(value);
          case Types.BIGINT -> integer(value, Long.SIZE);
          case Types.REAL -> real(number(value));
          case Types.FLOAT, Types.DOUBLE -> doubleOf(number(value));
          case Types.DECIMAL, Types.NUMERIC -> number(value);
          case Types.CHAR, Types.VARCHAR -> value instanceof String ? value : null;
          case Types.BOOLEAN -> value instanceof Boolean ? value : null;
          case Types.BINARY, Types.VARBINARY -> value instanceof ByteString ? value : null;
          case Types.DATE -> date(value);
          case Types.TIME -> time(value);
          case Types.TIMESTAMP -> timestamp(value);
          default -> value;
        };
    if (converted == null) {
      throw new StateSqlException(
          ErrorCode.INVALID_VALUE,
          "Parameter %d is of type %s, which cannot hold the %s %s."
              .formatted(position, parameter.typeName, value.getClass().getSimpleName(), value));
    }
    return converted;
  }

  /** A number, also one written as text; else null. */
  private static Number number(Object value) {
    if (value instanceof String text) {
      try {
        return new BigDecimal(text.strip());
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return value instanceof Number number ? number : null;
  }

  private static Number integer(Object value, int bits) {
    Number number = number(value);
    if (number == null) {
      return null;
    }
    try {
      long exact = ExactConversion.decimal(number).longValueExact();
      return Long.SIZE - Long.numberOfLeadingZeros(exact < 0 ? ~exact : exact) < bits
          ? (Long) exact
          : null;
    } catch (ArithmeticException | NumberFormatException e) {
      // A fraction, NaN, infinite, or beyond a BIGINT.
      return null;
    }
  }

  /** In the class that generated code takes a number of rows to be of. */
  private static Integer intValue(Object value) {
    Number number = integer(value, Integer.SIZE);
    return number == null ? null : number.intValue();
  }

  private static Number real(Number number) {
    return number == null ? null : ExactConversion.real(number);
  }

  private static Number doubleOf(Number number) {
    return number == null ? null : ExactConversion.doubleOf(number);
  }

  /** Days since 1970, which is what {@code setDate} makes of its argument. */
  private static Object date(Object value) {
    if (value instanceof LocalDate date) {
      return Math.toIntExact(date.toEpochDay());
    }
    return value instanceof Number ? value : null;
  }

  /** Milliseconds of the day, which is what {@code setTime} makes of its argument. */
  private static Object time(Object value) {
    if (value instanceof LocalTime time) {
      return isWhole(time.get(ChronoField.NANO_OF_SECOND))
          ? (int) TimeUnit.NANOSECONDS.toMillis(time.toNanoOfDay())
          : null;
    }
    return value instanceof Number ? value : null;
  }

  /** Milliseconds since 1970, which is what {@code setTimestamp} makes of its argument. */
  private static Object timestamp(Object value) {
    Instant instant;
    if (value instanceof LocalDateTime dateTime) {
      instant = dateTime.toInstant(ZoneOffset.UTC);
    } else if (value instanceof OffsetDateTime dateTime) {
      instant = dateTime.toInstant();
    } else if (value instanceof ZonedDateTime dateTime) {
      instant = dateTime.toInstant();
    } else if (value instanceof Instant moment) {
      instant = moment;
    } else {
      return value instanceof Number ? value : null;
    }
    return isWhole(instant.get(ChronoField.NANO_OF_SECOND)) ? instant.toEpochMilli() : null;
  }

  /** Whether a part of a second is one of whole milliseconds. */
  private static boolean isWhole(int nanoOfSecond) {
    return nanoOfSecond % NANOS_PER_MILLISECOND == 0;
  }

  /** Runs the original statement with checked parameters. */
  private static final class CheckedSignature<T> extends CalciteSignature<T> {
    private final CalciteSignature<T> original;
    private final Set<Integer> rowCounts;

    CheckedSignature(CalciteSignature<T> original, Set<Integer> rowCounts) {
      super(
          original.sql,
          original.parameters,
          original.internalParameters,
          original.rowType,
          original.columns,
          original.cursorFactory,
          original.rootSchema,
          original.getCollationList(),
          -1,
          null,
          original.statementType);
      this.original = original;
      this.rowCounts = rowCounts;
    }

    @Override
    public Enumerable<T> enumerable(DataContext dataContext) {
      return original.enumerable(new ParameterValues(dataContext, parameters, rowCounts));
    }
  }
}
