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

import java.util.Objects;
import java.util.Optional;

/**
 * The types of which SQL takes two values for equal only if their stored bytes are equal: booleans,
 * integers, text, bytes, enums, dates and times, each also in a tuple, a case class, a {@code Row},
 * a row of Flink SQL or an optional value. Not so numbers with a fraction (1.0 and 1.00, 0.0 and
 * -0.0, the many NaN), maps, whose order is not part of their value, a POJO, which may be of a
 * subclass with more fields, what Kryo writes, and times finer than a millisecond in a row of Flink
 * SQL, whose NULL has two forms.
 */
public final class ExactTypes {
  private ExactTypes() {}

  /** Whether the values of a SQL type are, by that type alone. */
  public static boolean isExact(SqlType type) {
    if (type instanceof SqlType.Scalar scalar) {
      return switch (scalar) {
        case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, VARCHAR, VARBINARY -> true;
        case DATE, TIME, TIMESTAMP -> true;
        case REAL, DOUBLE, DECIMAL -> false;
      };
    }
    // A time and the nanoseconds beyond its milliseconds.
    return type instanceof SqlType.Row row
        && row.inline()
        && row.fields().stream().allMatch(field -> isExact(field.type()));
  }

  /**
   * The stored bytes of a value.
   *
   * @param codec of an exact type
   * @param value as the codec reads it, not null
   * @return empty if the type has no such value
   */
  public static Optional<byte[]> bytes(Codec codec, Object value) {
    StateOutput out = new StateOutput();
    try {
      codec.write(value, out);
    } catch (UnwritableValueException e) {
      return Optional.empty();
    }
    byte[] bytes = out.toByteArray();
    // What the type rounds or cuts off comes back as another value.
    return Objects.deepEquals(codec.read(new StateInput(bytes)), value)
        ? Optional.of(bytes)
        : Optional.empty();
  }
}
