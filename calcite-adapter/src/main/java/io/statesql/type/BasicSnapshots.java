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
import static io.statesql.type.SqlType.Scalar.DOUBLE;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.REAL;
import static io.statesql.type.SqlType.Scalar.SMALLINT;
import static io.statesql.type.SqlType.Scalar.TINYINT;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Basic types, their mutable {@code Value} twins, and enums: package {@code
 * api.common.typeutils.base} of flink-core 2.3.
 *
 * <p>A {@code char} is a VARCHAR of one character. {@code Void} and {@code NullValue}, whose only
 * value is null, are a VARCHAR that is always null.
 */
final class BasicSnapshots {
  static final Codec BOOLEAN = new FixedCodec(SqlType.Scalar.BOOLEAN, 1, StateInput::readBoolean);
  static final Codec LONG = new FixedCodec(BIGINT, Long.BYTES, StateInput::readLong);
  static final Codec STRING = new VariableCodec(VARCHAR, 1, StringValues::read, StringValues::skip);

  private static final String PACKAGE = "org.apache.flink.api.common.typeutils.base.";
  private static final int ENUM_VERSION = 3;

  private BasicSnapshots() {}

  static void register(Map<String, SnapshotParser> parsers) {
    twins(parsers, "Boolean", "Boolean", BOOLEAN);
    twins(parsers, "Byte", "Byte", new FixedCodec(TINYINT, 1, StateInput::readByte));
    twins(parsers, "Short", "Short", new FixedCodec(SMALLINT, Short.BYTES, StateInput::readShort));
    twins(
        parsers,
        "Char",
        "Character",
        new FixedCodec(VARCHAR, Character.BYTES, in -> String.valueOf(in.readChar())));
    twins(parsers, "Int", "Integer", new FixedCodec(INTEGER, Integer.BYTES, StateInput::readInt));
    twins(parsers, "Long", "Long", LONG);
    twins(parsers, "Float", "Float", new FixedCodec(REAL, Float.BYTES, StateInput::readFloat));
    twins(
        parsers, "Double", "Double", new FixedCodec(DOUBLE, Double.BYTES, StateInput::readDouble));
    simple(parsers, "String", "String", STRING);
    simple(
        parsers,
        "StringValue",
        "StringValue",
        new VariableCodec(VARCHAR, 1, StringValues::readPlain, StringValues::skipPlain));
    simple(
        parsers,
        "BigInt",
        "BigInteger",
        new VariableCodec(
            DECIMAL, Integer.BYTES, BigNumbers::readInteger, BigNumbers::skipInteger));
    simple(
        parsers,
        "BigDec",
        "BigDecimal",
        new VariableCodec(
            DECIMAL, Integer.BYTES, BigNumbers::readDecimal, BigNumbers::skipDecimal));
    simple(parsers, "Void", "Void", new FixedCodec(VARCHAR, 1, BasicSnapshots::readVoid));
    simple(parsers, "NullValue", "NullValue", new FixedCodec(VARCHAR, 0, in -> null));
    parsers.put(PACKAGE + "EnumSerializer$EnumSerializerSnapshot", BasicSnapshots::parseEnum);
  }

  private static void twins(
      Map<String, SnapshotParser> parsers, String name, String description, Codec codec) {
    simple(parsers, name, description, codec);
    simple(parsers, name + "Value", name + "Value", codec);
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
        });
  }
}
