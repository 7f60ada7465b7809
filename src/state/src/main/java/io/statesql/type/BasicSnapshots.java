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
import static io.statesql.type.SqlType.Scalar.DECIMAL;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.REAL;
import static io.statesql.type.SqlType.Scalar.SMALLINT;
import static io.statesql.type.SqlType.Scalar.TINYINT;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Basic types, their mutable {@code Value} twins, and enums: package {@code
 * api.common.typeutils.base} of flink-core 2.3.
 *
 * <p>A {@code char} is a VARCHAR of one character. {@code Void} and {@code NullValue}, whose only
 * value is null, are a VARCHAR that is always null.
 */
final class BasicSnapshots {
  static final FixedCodec BOOLEAN =
      fixed(
          SqlType.Scalar.BOOLEAN,
          1,
          StateInput::readBoolean,
          Boolean.class,
          (value, out) -> out.writeBoolean(value));
  static final FixedCodec INT =
      fixed(
          INTEGER,
          Integer.BYTES,
          StateInput::readInt,
          Integer.class,
          (value, out) -> out.writeInt(value));
  static final FixedCodec LONG =
      fixed(
          BIGINT,
          Long.BYTES,
          StateInput::readLong,
          Long.class,
          (value, out) -> out.writeLong(value));
  static final FixedCodec SHORT =
      fixed(
          SMALLINT,
          Short.BYTES,
          StateInput::readShort,
          Short.class,
          (value, out) -> out.writeShort(value));
  static final FixedCodec FLOAT =
      fixed(
          REAL,
          Float.BYTES,
          StateInput::readFloat,
          Float.class,
          (value, out) -> out.writeFloat(value));
  static final FixedCodec DOUBLE =
      fixed(
          SqlType.Scalar.DOUBLE,
          Double.BYTES,
          StateInput::readDouble,
          Double.class,
          (value, out) -> out.writeDouble(value));
  static final FixedCodec VOID =
      new FixedCodec(
          VARCHAR,
          1,
          BasicSnapshots::readVoid,
          ValueWriter.constant(null, out -> out.writeByte(0)));
  static final Codec STRING =
      new VariableCodec(
              VARCHAR,
              1,
              StringValues::read,
              StringValues::skip,
              (value, out) -> StringValues.write((String) value, out))
          .hashedBy(Object::hashCode);
  private static final FixedCodec BYTE =
      fixed(TINYINT, 1, StateInput::readByte, Byte.class, (value, out) -> out.writeByte(value));
  private static final FixedCodec CHAR =
      fixed(
              VARCHAR,
              Character.BYTES,
              in -> String.valueOf(in.readChar()),
              String.class,
              BasicSnapshots::writeChar)
          .hashedBy(value -> ((String) value).charAt(0));
  private static final String PACKAGE = "org.apache.flink.api.common.typeutils.base.";
  private static final int ENUM_VERSION = 3;

  /** What {@code LongValue#hashCode} and {@code DoubleValue#hashCode} add. */
  private static final int LONG_VALUE_BIAS = 43;

  private static final int DOUBLE_VALUE_BIAS = 31;

  private BasicSnapshots() {}

  static void register(Map<String, SnapshotParser> parsers) {
    twins(parsers, "Boolean", "Boolean", BOOLEAN, value -> (boolean) value ? 1 : 0);
    twins(parsers, "Byte", "Byte", BYTE, Object::hashCode);
    twins(parsers, "Short", "Short", SHORT, Object::hashCode);
    twins(parsers, "Char", "Character", CHAR, CHAR.keyHash());
    twins(parsers, "Int", "Integer", INT, Object::hashCode);
    twins(parsers, "Long", "Long", LONG, value -> LONG_VALUE_BIAS + value.hashCode());
    twins(parsers, "Float", "Float", FLOAT, Object::hashCode);
    twins(parsers, "Double", "Double", DOUBLE, value -> DOUBLE_VALUE_BIAS + value.hashCode());
    simple(parsers, "String", "String", STRING);
    simple(
        parsers,
        "StringValue",
        "StringValue",
        new VariableCodec(
                VARCHAR,
                1,
                StringValues::readPlain,
                StringValues::skipPlain,
                ValueWriter.of(String.class, StringValues::writePlain))
            .hashedBy(Object::hashCode));
    simple(
        parsers,
        "BigInt",
        "BigInteger",
        new VariableCodec(
                DECIMAL,
                Integer.BYTES,
                BigNumbers::readInteger,
                BigNumbers::skipInteger,
                (value, out) -> BigNumbers.writeInteger((BigDecimal) value, out))
            .hashedBy(value -> BigNumbers.integer((BigDecimal) value).hashCode()));
    simple(
        parsers,
        "BigDec",
        "BigDecimal",
        new VariableCodec(
                DECIMAL,
                Integer.BYTES,
                BigNumbers::readDecimal,
                BigNumbers::skipDecimal,
                (value, out) -> BigNumbers.writeDecimal((BigDecimal) value, out))
            .hashedBy(Object::hashCode));
    simple(parsers, "Void", "Void", VOID);
    simple(
        parsers,
        "NullValue",
        "NullValue",
        new FixedCodec(VARCHAR, 0, in -> null, ValueWriter.constant(null, out -> {})));
    parsers.put(PACKAGE + "EnumSerializer$EnumSerializerSnapshot", BasicSnapshots::parseEnum);
  }

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

  /**
   * @param valueHash of the type's mutable twin
   */
  private static void twins(
      Map<String, SnapshotParser> parsers,
      String name,
      String description,
      FixedCodec codec,
      KeyHash valueHash) {
    simple(parsers, name, description, codec);
    simple(parsers, name + "Value", name + "Value", codec.hashedBy(valueHash));
  }

  private static void simple(
      Map<String, SnapshotParser> parsers, String name, String description, Codec codec) {
    String simpleName = name + "Serializer";
    parsers.put(PACKAGE + simpleName + "$" + simpleName + "Snapshot", simple(description, codec));
  }

  /**
   * {@code SimpleTypeSerializerSnapshot}: nothing since version 3, a class name that nobody needs
   * in version 2.
   */
  static SnapshotParser simple(String description, Codec codec) {
    StoredSerializer serializer = new StoredSerializer(description, codec);
    return (reader, version) -> {
      if (version == 2) {
        reader.in().readUtf();
      } else if (version != 3) {
        throw reader
            .in()
            .malformed("the snapshot of %s has the unknown version %d", description, version);
      }
      return serializer;
    };
  }

  private static Object readVoid(StateInput in) {
    requireZero(in);
    return null;
  }

  /** A byte that the writer only uses to make progress. */
  static void requireZero(StateInput in) {
    byte value = in.readByte();
    if (value != 0) {
      throw in.malformed("expected a zero byte but found %d", value & 0xFF);
    }
  }

  private static StoredSerializer parseEnum(SnapshotReader reader, int version) {
    reader.requireVersion(version, ENUM_VERSION);
    StateInput in = reader.in();
    String className = in.readUtf();
    int count = in.readCount(Short.BYTES);
    List<String> constants = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      constants.add(in.readUtf());
    }
    reader.addEnum(className, constants);
    return new StoredSerializer("Enum<" + className + ">", enumCodec(className, constants));
  }

  private static Codec enumCodec(String className, List<String> constants) {
    return new FixedCodec(
        VARCHAR,
        Integer.BYTES,
        in -> {
          long offset = in.offset();
          int index = in.readInt();
          if (index < 0 || index >= constants.size()) {
            throw new MalformedValueException(
                offset,
                "the index "
                    + index
                    + " is not one of the "
                    + constants.size()
                    + " constants that the snapshot stores for "
                    + className);
          }
          return constants.get(index);
        },
        ValueWriter.of(
            String.class, (value, out) -> writeConstant(value, className, constants, out)));
  }

  private static void writeConstant(
      String value, String className, List<String> constants, StateOutput out) {
    int index = constants.indexOf(value);
    if (index < 0) {
      throw new UnwritableValueException(
          "\"" + value + "\" is not one of the constants of " + className + ": " + constants);
    }
    out.writeInt(index);
  }
}
