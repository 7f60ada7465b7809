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
package io.statesql.type;

import static io.statesql.type.SqlType.Scalar.DATE;
import static io.statesql.type.SqlType.Scalar.DECIMAL;
import static io.statesql.type.SqlType.Scalar.DOUBLE;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.REAL;
import static io.statesql.type.SqlType.Scalar.TIME;
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;
import static io.statesql.type.SqlType.Scalar.VARBINARY;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.calcite.avatica.util.ByteString;

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

  private AvroLeaves() {}

  /** A codec of any schema that is not a record, array, map or union. */
  static Codec codec(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> new FixedCodec(VARCHAR, 0, in -> null);
      case BOOLEAN -> BasicSnapshots.BOOLEAN;
      case INT -> ofInt(logicalType(schema));
      case LONG -> ofLong(logicalType(schema));
      case FLOAT -> new FixedCodec(REAL, Float.BYTES, StateInput::readFloat);
      case DOUBLE -> new FixedCodec(DOUBLE, Double.BYTES, StateInput::readDouble);
      case STRING ->
          new VariableCodec(VARCHAR, Integer.BYTES, AvroInput::readText, AvroInput::skipText);
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
      case "date" -> new FixedCodec(DATE, Integer.BYTES, StateInput::readInt);
      case "time-millis" ->
          new FixedCodec(
              TIME,
              Integer.BYTES,
              in -> DateTimeValues.time(timeOfDay(in.readInt(), ChronoUnit.MILLIS))[0]);
      default -> new FixedCodec(INTEGER, Integer.BYTES, StateInput::readInt);
    };
  }

  private static Codec ofLong(String logicalType) {
    return switch (logicalType) {
      case "time-micros" ->
          new FixedCodec(
              DateTimeValues.NANO_TIME,
              Long.BYTES,
              in -> DateTimeValues.time(timeOfDay(in.readLong(), ChronoUnit.MICROS)));
      case "timestamp-millis", "local-timestamp-millis" ->
          new FixedCodec(TIMESTAMP, Long.BYTES, StateInput::readLong);
      case "timestamp-micros", "local-timestamp-micros" -> timestamp(ChronoUnit.MICROS);
      case "timestamp-nanos", "local-timestamp-nanos" -> timestamp(ChronoUnit.NANOS);
      default -> BasicSnapshots.LONG;
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
        });
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
          AvroInput::skipText);
    }
    return new VariableCodec(
        VARBINARY,
        Integer.BYTES,
        in -> new ByteString(AvroInput.readBytes(in)),
        AvroInput::skipText);
  }

  private static Codec ofFixed(Schema schema) {
    int size = schema.getFixedSize();
    if (schema.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
      return new FixedCodec(
          decimalType(decimal), size, in -> decimal(in, in.readBytes(size), decimal));
    }
    return new FixedCodec(VARBINARY, size, in -> new ByteString(in.readBytes(size)));
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

  private static Codec ofEnum(Schema schema) {
    List<String> symbols = List.copyOf(schema.getEnumSymbols());
    String what = "the symbols of " + schema.getFullName();
    Function<StateInput, Object> reader =
        in -> symbols.get(AvroInput.readIndex(in, symbols.size(), what));
    return new FixedCodec(VARCHAR, Integer.BYTES, reader);
  }
}
