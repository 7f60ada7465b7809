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
package io.statesql.change;

import io.statesql.type.Binary;
import io.statesql.type.ExactConversion;
import io.statesql.type.SqlType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.ByteString;

/**
 * From the values of Calcite's rows to those that codecs write. Loses nothing: a number that is out
 * of range, or has more digits than its column keeps, is refused.
 */
final class ValueConversion {
  private ValueConversion() {}

  /**
   * Converts a value.
   *
   * @param column for the message
   * @return in the form that {@link SqlType} states; null for null
   * @throws RefusedValueException if the type cannot hold the value
   */
  static Object convert(String column, SqlType type, Object value) {
    if (value == null) {
      return null;
    }
    if (type instanceof SqlType.Scalar scalar) {
      return scalar(column, scalar, value);
    }
    if (type instanceof SqlType.Decimal decimal) {
      return decimal(column, decimal, decimal(column, value));
    }
    if (type instanceof SqlType.Row row) {
      return row(column, row, value);
    }
    if (type instanceof SqlType.Array array) {
      List<Object> elements = new ArrayList<>();
      for (Object element : elements(value)) {
        elements.add(convert(column, array.element(), element));
      }
      return elements;
    }
    if (type instanceof SqlType.MapOf map) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      ((Map<?, ?>) value)
          .forEach(
              (key, mapped) ->
                  entries.put(
                      convert(column, map.key(), key), convert(column, map.value(), mapped)));
      return entries;
    }
    if (type instanceof SqlType.ObjectText text) {
      if (text.isWritable()) {
        return value;
      }
      throw new RefusedValueException(column, text.note());
    }
    throw new RefusedValueException(column, ((SqlType.Opaque) type).reason());
  }

  private static Object scalar(String column, SqlType.Scalar type, Object value) {
    return switch (type) {
      case TINYINT -> (byte) integer(column, type, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> (short) integer(column, type, value, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> (int) integer(column, type, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> integer(column, type, value, Long.MIN_VALUE, Long.MAX_VALUE);
      case REAL -> real(column, (Number) value);
      case DOUBLE -> doubleOf(column, (Number) value);
      case DECIMAL -> decimal(column, value);
      case DATE, TIME -> ((Number) value).intValue();
      case TIMESTAMP -> ((Number) value).longValue();
      case VARBINARY -> binary(value);
      case BOOLEAN, VARCHAR -> value;
    };
  }

  private static Object binary(Object value) {
    if (value instanceof ByteString bytes) {
      return Binary.of(bytes.getBytes());
    }
    return value instanceof byte[] bytes ? Binary.of(bytes.clone()) : value;
  }

  private static long integer(
      String column, SqlType.Scalar type, Object value, long least, long greatest) {
    try {
      long number = digits(column, value).longValueExact();
      if (number >= least && number <= greatest) {
        return number;
      }
    } catch (ArithmeticException notALong) {
      // Told below, as what is beyond a smaller type.
    }
    throw new RefusedValueException(column, value + " is not a value of type " + type);
  }

  /** Of an approximate number those of its value; its text is that of a rounded one. */
  private static BigDecimal digits(String column, Object value) {
    try {
      return value instanceof Number number
          ? ExactConversion.decimal(number)
          : decimal(column, value);
    } catch (NumberFormatException notFinite) {
      throw notDecimal(column, value);
    }
  }

  private static float real(String column, Number value) {
    Float number = ExactConversion.real(value);
    if (number == null) {
      throw unheld(column, value, Float.isInfinite(value.floatValue()), SqlType.Scalar.REAL);
    }
    return number;
  }

  private static double doubleOf(String column, Number value) {
    if (value instanceof Float) {
      // The text of a REAL has the digits that it is known for.
      return Double.parseDouble(value.toString());
    }
    Double number = ExactConversion.doubleOf(value);
    if (number == null) {
      throw unheld(column, value, Double.isInfinite(value.doubleValue()), SqlType.Scalar.DOUBLE);
    }
    return number;
  }

  private static RefusedValueException unheld(
      String column, Number value, boolean beyond, SqlType.Scalar type) {
    return new RefusedValueException(
        column,
        beyond
            ? value + " is beyond the range of " + type
            : value + " has more digits than " + type + " keeps; write a CAST to round it");
  }

  private static BigDecimal decimal(String column, Object value) {
    if (value instanceof BigDecimal number) {
      return number;
    }
    try {
      return new BigDecimal(value.toString());
    } catch (NumberFormatException notFinite) {
      throw notDecimal(column, value);
    }
  }

  private static RefusedValueException notDecimal(String column, Object value) {
    return new RefusedValueException(column, value + " is not a decimal number");
  }

  private static BigDecimal decimal(String column, SqlType.Decimal type, BigDecimal value) {
    BigDecimal scaled;
    try {
      scaled = value.setScale(type.scale());
    } catch (ArithmeticException e) {
      throw new RefusedValueException(
          column,
          value.toPlainString()
              + " has more than the "
              + type.scale()
              + " digits behind the point that "
              + text(type)
              + " keeps");
    }
    if (scaled.precision() > type.precision()) {
      throw new RefusedValueException(
          column, value.toPlainString() + " is beyond the range of " + text(type));
    }
    return scaled;
  }

  private static String text(SqlType.Decimal type) {
    return "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
  }

  private static Object[] row(String column, SqlType.Row type, Object value) {
    List<?> values = elements(value);
    Object[] row = new Object[type.fields().size()];
    for (int i = 0; i < row.length; i++) {
      SqlType.Field field = type.fields().get(i);
      String name = field.name().isEmpty() ? column : column + "." + field.name();
      row[i] = convert(name, field.type(), values.get(i));
    }
    return row;
  }

  private static List<?> elements(Object value) {
    return value instanceof Object[] array ? Arrays.asList(array) : (List<?>) value;
  }
}
