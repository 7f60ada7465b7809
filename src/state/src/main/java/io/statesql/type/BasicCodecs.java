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

import static io.statesql.type.SqlType.Scalar.BIGINT;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.REAL;
import static io.statesql.type.SqlType.Scalar.SMALLINT;
import static io.statesql.type.SqlType.Scalar.TINYINT;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What Flink's serializers of basic types write: package {@code api.common.typeutils.base} of
 * flink-core 2.3. Their keys are hashed as Java hashes the objects.
 */
public final class BasicCodecs {
  public static final FixedCodec BOOLEAN =
      fixed(
          SqlType.Scalar.BOOLEAN,
          1,
          StateInput::readBoolean,
          Boolean.class,
          (value, out) -> out.writeBoolean(value));
  public static final FixedCodec INT =
      fixed(
          INTEGER,
          Integer.BYTES,
          StateInput::readInt,
          Integer.class,
          (value, out) -> out.writeInt(value));
  public static final FixedCodec LONG =
      fixed(
          BIGINT,
          Long.BYTES,
          StateInput::readLong,
          Long.class,
          (value, out) -> out.writeLong(value));
  public static final FixedCodec SHORT =
      fixed(
          SMALLINT,
          Short.BYTES,
          StateInput::readShort,
          Short.class,
          (value, out) -> out.writeShort(value));
  public static final FixedCodec FLOAT =
      fixed(
          REAL,
          Float.BYTES,
          StateInput::readFloat,
          Float.class,
          (value, out) -> out.writeFloat(value));
  public static final FixedCodec DOUBLE =
      fixed(
          SqlType.Scalar.DOUBLE,
          Double.BYTES,
          StateInput::readDouble,
          Double.class,
          (value, out) -> out.writeDouble(value));
  public static final FixedCodec VOID =
      new FixedCodec(
          VARCHAR, 1, BasicCodecs::readVoid, ValueWriter.constant(null, out -> out.writeByte(0)));
  public static final Codec STRING =
      new VariableCodec(
              VARCHAR,
              1,
              StringValues::read,
              StringValues::skip,
              (value, out) -> StringValues.write((String) value, out))
          .hashedBy(Object::hashCode);
  public static final FixedCodec BYTE =
      fixed(TINYINT, 1, StateInput::readByte, Byte.class, (value, out) -> out.writeByte(value));
  public static final FixedCodec CHAR =
      fixed(
              VARCHAR,
              Character.BYTES,
              in -> String.valueOf(in.readChar()),
              String.class,
              BasicCodecs::writeChar)
          .hashedBy(value -> ((String) value).charAt(0));

  private BasicCodecs() {}

  private static <T> FixedCodec fixed(
      SqlType type,
      int length,
      Function<StateInput, Object> reader,
      Class<T> javaType,
      BiConsumer<T, StateOutput> writer) {
    return new FixedCodec(type, length, reader, ValueWriter.of(javaType, writer))
        .hashedBy(Object::hashCode);
  }

  private static void writeChar(String value, StateOutput out) {
    if (value.length() != 1) {
      throw new UnwritableValueException(
          "it has " + value.length() + " UTF-16 units where a single character is stored");
    }
    out.writeShort(value.charAt(0));
  }

  private static Object readVoid(StateInput in) {
    requireZero(in);
    return null;
  }

  /** A byte that the writer only uses to make progress. */
  public static void requireZero(StateInput in) {
    byte value = in.readByte();
    if (value != 0) {
      throw in.malformed("expected a zero byte but found %d", value & 0xFF);
    }
  }
}
