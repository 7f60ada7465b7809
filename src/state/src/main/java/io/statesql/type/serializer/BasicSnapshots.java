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
package io.statesql.type.serializer;

import static io.statesql.type.SqlType.Scalar.DECIMAL;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.type.BasicCodecs;
import io.statesql.type.BigNumbers;
import io.statesql.type.Codec;
import io.statesql.type.FixedCodec;
import io.statesql.type.KeyHash;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.StringValues;
import io.statesql.type.UnwritableValueException;
import io.statesql.type.ValueWriter;
import io.statesql.type.VariableCodec;
import java.math.BigDecimal;
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
public final class BasicSnapshots {
  private static final String PACKAGE = "org.apache.flink.api.common.typeutils.base.";
  private static final int ENUM_VERSION = 3;

  /** What {@code LongValue#hashCode} and {@code DoubleValue#hashCode} add. */
  private static final int LONG_VALUE_BIAS = 43;

  private static final int DOUBLE_VALUE_BIAS = 31;

  private BasicSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    twins(parsers, "Boolean", "Boolean", BasicCodecs.BOOLEAN, value -> (boolean) value ? 1 : 0);
    twins(parsers, "Byte", "Byte", BasicCodecs.BYTE, Object::hashCode);
    twins(parsers, "Short", "Short", BasicCodecs.SHORT, Object::hashCode);
    twins(parsers, "Char", "Character", BasicCodecs.CHAR, BasicCodecs.CHAR.keyHash());
    twins(parsers, "Int", "Integer", BasicCodecs.INT, Object::hashCode);
    twins(parsers, "Long", "Long", BasicCodecs.LONG, value -> LONG_VALUE_BIAS + value.hashCode());
    twins(parsers, "Float", "Float", BasicCodecs.FLOAT, Object::hashCode);
    twins(
        parsers,
        "Double",
        "Double",
        BasicCodecs.DOUBLE,
        value -> DOUBLE_VALUE_BIAS + value.hashCode());
    simple(parsers, "String", "String", BasicCodecs.STRING);
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
    simple(parsers, "Void", "Void", BasicCodecs.VOID);
    simple(
        parsers,
        "NullValue",
        "NullValue",
        new FixedCodec(VARCHAR, 0, in -> null, ValueWriter.constant(null, out -> {})));
    parsers.put(PACKAGE + "EnumSerializer$EnumSerializerSnapshot", BasicSnapshots::parseEnum);
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
    parsers.put(
        PACKAGE + simpleName + "$" + simpleName + "Snapshot",
        SnapshotParser.simple(description, codec));
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
