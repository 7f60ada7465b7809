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
package io.statesql.type.avro;

import static io.statesql.type.SqlType.Scalar.DATE;
import static io.statesql.type.SqlType.Scalar.DECIMAL;
import static io.statesql.type.SqlType.Scalar.TIME;
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;
import static io.statesql.type.SqlType.Scalar.VARBINARY;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.BasicCodecs;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.DateTimeValues;
import io.statesql.type.FixedCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import io.statesql.type.ValueWriter;
import io.statesql.type.VariableCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Codecs of the Avro types without parts. Logical types known by name: {@code date}, {@code
 * time-*}, {@code timestamp-*} and {@code local-timestamp-*} in millis, micros and nanos (as {@link
 * DateTimeValues} shows such; a local timestamp as if it were of UTC), {@code decimal}. Any other,
 * and one on a type that Avro does not give it, shows as the type beneath: {@code uuid} as its
 * text. Enums show as their symbols.
 */
final class AvroLeaves {
  /** Wider than any number that people store; a wider decimal has no limits of its own. */
  private static final int MOST_DIGITS = 1_000;

  private static final int NANOS_PER_MICRO = 1_000;

  private AvroLeaves() {}

  /** A codec of any schema that is not a record, array, map or union. */
  static Codec codec(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> new FixedCodec(VARCHAR, 0, in -> null, ValueWriter.constant(null, out -> {}));
      case BOOLEAN -> BasicCodecs.BOOLEAN;
      case INT -> ofInt(logicalType(schema));
      case LONG -> ofLong(logicalType(schema));
      case FLOAT -> BasicCodecs.FLOAT;
      case DOUBLE -> BasicCodecs.DOUBLE;
      case STRING ->
          new VariableCodec(
              VARCHAR,
              Integer.BYTES,
              AvroInput::readText,
              AvroInput::skipText,
              ValueWriter.of(String.class, AvroOutput::writeText));
      case BYTES -> ofBytes(schema);
      case FIXED -> ofFixed(schema);
      case ENUM -> ofEnum(schema);
      case RECORD, ARRAY, MAP, UNION ->
          throw new IllegalArgumentException(schema.getType() + " has parts");
    };
  }

  /** By its property: Avro 1.11 does not know the logical types that later versions write. */
  private static String logicalType(Schema schema) {
    String name = schema.getProp(LogicalType.LOGICAL_TYPE_PROP);
    return name == null ? "" : name;
  }

  private static Codec ofInt(String logicalType) {
    return switch (logicalType) {
      case "date" ->
          new FixedCodec(
              DATE,
              Integer.BYTES,
              StateInput::readInt,
              ValueWriter.of(Integer.class, (value, out) -> out.writeInt(value)));
      case "time-millis" ->
          new FixedCodec(
              TIME,
              Integer.BYTES,
              in -> DateTimeValues.time(timeOfDay(in.readInt(), ChronoUnit.MILLIS))[0],
              ValueWriter.of(
                  Integer.class,
                  (value, out) -> {
                    DateTimeValues.localTime(new Object[] {value, 0});
                    out.writeInt(value);
                  }));
      default -> BasicCodecs.INT;
    };
  }

  private static Codec ofLong(String logicalType) {
    return switch (logicalType) {
      case "time-micros" ->
          new FixedCodec(
              DateTimeValues.NANO_TIME,
              Long.BYTES,
              in -> DateTimeValues.time(timeOfDay(in.readLong(), ChronoUnit.MICROS)),
              DateTimeValues.writer(
                  AvroLeaves::refuseNull,
                  (value, out) ->
                      out.writeLong(
                          exact(DateTimeValues.localTime(value).toNanoOfDay(), NANOS_PER_MICRO))));
      case "timestamp-millis", "local-timestamp-millis" ->
          new FixedCodec(
              TIMESTAMP,
              Long.BYTES,
              StateInput::readLong,
              ValueWriter.of(Long.class, (value, out) -> out.writeLong(value)));
      case "timestamp-micros", "local-timestamp-micros" -> timestamp(ChronoUnit.MICROS);
      case "timestamp-nanos", "local-timestamp-nanos" -> timestamp(ChronoUnit.NANOS);
      default -> BasicCodecs.LONG;
    };
  }

  private static Codec timestamp(ChronoUnit unit) {
    long perMilli = ChronoUnit.MILLIS.getDuration().dividedBy(unit.getDuration());
    int nanos = DateTimeValues.NANOS_PER_MILLI / (int) perMilli;
    return new FixedCodec(
        DateTimeValues.NANO_TIMESTAMP,
        Long.BYTES,
        in -> {
          long value = in.readLong();
          return new Object[] {
            Math.floorDiv(value, perMilli), (int) Math.floorMod(value, perMilli) * nanos
          };
        },
        DateTimeValues.writer(
            AvroLeaves::refuseNull,
            (value, out) -> {
              long fraction = exact(DateTimeValues.nanos(value), nanos);
              try {
                out.writeLong(
                    Math.addExact(Math.multiplyExact((long) value[0], perMilli), fraction));
              } catch (ArithmeticException e) {
                throw new UnwritableValueException(
                    "its timestamp is beyond what can be stored in " + unit, e);
              }
            }));
  }

  private static void refuseNull(StateOutput out) {
    throw new UnwritableValueException("it is NULL, for which its Avro schema has no branch");
  }

  /** A number of nanoseconds in a coarser unit, which must hold all of its digits. */
  private static long exact(long nanos, int unit) {
    if (nanos % unit != 0) {
      throw new UnwritableValueException(
          "it has digits finer than the " + unit + " nanoseconds that are stored");
    }
    return nanos / unit;
  }

  private static LocalTime timeOfDay(long value, ChronoUnit unit) {
    if (value < 0 || value >= ChronoUnit.DAYS.getDuration().dividedBy(unit.getDuration())) {
      throw new StateSqlException(
          ErrorCode.DATETIME_OVERFLOW,
          "The stored time of "
              + value
              + " "
              + unit
              + " is not within a day; leave its column out of the select list.");
    }
    return LocalTime.MIDNIGHT.plus(value, unit);
  }

  private static Codec ofBytes(Schema schema) {
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return new VariableCodec(
          decimalType(decimal),
          Integer.BYTES,
          in -> decimal(in, AvroInput.readBytes(in), decimal),
          AvroInput::skipText,
          ValueWriter.of(
              BigDecimal.class,
              (value, out) -> AvroOutput.writeBytes(unscaled(value, decimal), out)));
    }
    return new VariableCodec(
        VARBINARY,
        Integer.BYTES,
        in -> Binary.of(AvroInput.readBytes(in)),
        AvroInput::skipText,
        ValueWriter.of(Binary.class, (value, out) -> AvroOutput.writeBytes(value.bytes(), out)));
  }

  private static Codec ofFixed(Schema schema) {
    int size = schema.getFixedSize();
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return new FixedCodec(
          decimalType(decimal),
          size,
          in -> decimal(in, in.readBytes(size), decimal),
          ValueWriter.of(
              BigDecimal.class,
              (value, out) -> AvroOutput.writeFixed(unscaled(value, decimal), size, out)));
    }
    return new FixedCodec(
        VARBINARY,
        size,
        in -> Binary.of(in.readBytes(size)),
        ValueWriter.of(
            Binary.class,
            (value, out) -> {
              if (value.length() != size) {
                throw new UnwritableValueException(
                    "it has " + value.length() + " bytes where exactly " + size + " are stored");
              }
              out.writeBytes(value.bytes());
            }));
  }

  private static SqlType decimalType(LogicalTypes.Decimal decimal) {
    return decimal.getPrecision() <= MOST_DIGITS
        ? new SqlType.Decimal(decimal.getPrecision(), decimal.getScale())
        : DECIMAL;
  }

  /** Two's complement, highest byte first. */
  private static Object decimal(StateInput in, byte[] unscaled, LogicalTypes.Decimal decimal) {
    if (unscaled.length == 0) {
      throw in.malformed("a decimal has no bytes");
    }
    BigDecimal value = new BigDecimal(new BigInteger(unscaled), decimal.getScale());
    if (value.precision() > decimal.getPrecision()) {
      throw new StateSqlException(
          ErrorCode.NUMERIC_OVERFLOW,
          "The stored decimal "
              + value
              + " has more digits than the "
              + decimal.getPrecision()
              + " of its schema; leave its column out of the select list.");
    }
    return value;
  }

  private static byte[] unscaled(BigDecimal value, LogicalTypes.Decimal decimal) {
    BigDecimal scaled;
    try {
      scaled = value.setScale(decimal.getScale(), RoundingMode.UNNECESSARY);
    } catch (ArithmeticException e) {
      throw new UnwritableValueException(
          value + " has more than " + decimal.getScale() + " digits after the point", e);
    }
    if (scaled.precision() > decimal.getPrecision()) {
      throw new UnwritableValueException(
          value + " has more than " + decimal.getPrecision() + " digits");
    }
    return scaled.unscaledValue().toByteArray();
  }

  private static Codec ofEnum(Schema schema) {
    List<String> symbols = List.copyOf(schema.getEnumSymbols());
    String what = "the symbols of " + schema.getFullName();
    Function<StateInput, Object> reader =
        in -> symbols.get(AvroInput.readIndex(in, symbols.size(), what));
    return new FixedCodec(
        VARCHAR,
        Integer.BYTES,
        reader,
        ValueWriter.of(
            String.class,
            (value, out) -> {
              if (!symbols.contains(value)) {
                throw new UnwritableValueException("\"" + value + "\" is not one of " + what);
              }
              out.writeInt(symbols.indexOf(value));
            }));
  }
}
