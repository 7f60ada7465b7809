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
package io.statesql.type.statefun;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.RestCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.ValueWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The types that Stateful Functions itself has for remote values ({@code types.proto}, 3.3): each a
 * protobuf message of one field, number 1. A value of 0, false or "" takes no bytes, and is there
 * all the same.
 */
final class WrapperMessages {
  static final String NAMESPACE = "io.statefun.types";

  private static final int FIELD = 1;

  private WrapperMessages() {}

  /** Reads the field. */
  private interface FieldReader {
    Object read(CodedInputStream in) throws IOException;
  }

  /** Writes the field. */
  private interface FieldWriter<T> {
    void write(T value, CodedOutputStream out) throws IOException;
  }

  /** The codec of a type by its name; of a name that is not known, it takes any bytes. */
  static Codec codecOf(String name) {
    return switch (name.substring(NAMESPACE.length() + 1)) {
      case "bool" ->
          codec(
              SqlType.Scalar.BOOLEAN,
              Boolean.class,
              false,
              WireFormat.WIRETYPE_VARINT,
              CodedInputStream::readBool,
              (value, out) -> out.writeBool(FIELD, value));
      case "int" ->
          codec(
              SqlType.Scalar.INTEGER,
              Integer.class,
              0,
              WireFormat.WIRETYPE_FIXED32,
              CodedInputStream::readSFixed32,
              (value, out) -> out.writeSFixed32(FIELD, value));
      case "long" ->
          codec(
              SqlType.Scalar.BIGINT,
              Long.class,
              0L,
              WireFormat.WIRETYPE_FIXED64,
              CodedInputStream::readSFixed64,
              (value, out) -> out.writeSFixed64(FIELD, value));
      case "float" ->
          codec(
              SqlType.Scalar.REAL,
              Float.class,
              0f,
              WireFormat.WIRETYPE_FIXED32,
              CodedInputStream::readFloat,
              (value, out) -> out.writeFloat(FIELD, value));
      case "double" ->
          codec(
              SqlType.Scalar.DOUBLE,
              Double.class,
              0d,
              WireFormat.WIRETYPE_FIXED64,
              CodedInputStream::readDouble,
              (value, out) -> out.writeDouble(FIELD, value));
      case "string" ->
          codec(
              SqlType.Scalar.VARCHAR,
              String.class,
              "",
              WireFormat.WIRETYPE_LENGTH_DELIMITED,
              CodedInputStream::readStringRequireUtf8,
              (value, out) -> out.writeString(FIELD, value));
      default -> StatefunSnapshots.allBytes();
    };
  }

  /**
   * @param absent what a message without bytes means
   * @param wireType of the field
   */
  private static <T> Codec codec(
      SqlType type,
      Class<T> javaType,
      T absent,
      int wireType,
      FieldReader reader,
      FieldWriter<T> writer) {
    return new RestCodec(
        type,
        in -> read(in, absent, wireType, reader),
        ValueWriter.of(
            javaType,
            (value, out) -> {
              // As protobuf itself does: what is not written means this.
              if (!value.equals(absent)) {
                out.writeBytes(bytes(value, writer));
              }
            }));
  }

  private static Object read(StateInput in, Object absent, int wireType, FieldReader reader) {
    try {
      CodedInputStream coded = StatefunSnapshots.coded(in);
      Object value = absent;
      for (int tag = coded.readTag(); tag != 0; tag = coded.readTag()) {
        if (tag != (FIELD << 3 | wireType)) {
          throw in.malformed("a value of Stateful Functions' own types has another field");
        }
        value = reader.read(coded);
      }
      in.skip(in.remaining());
      return value;
    } catch (IOException e) {
      throw new MalformedValueException(
          in.offset(), "it is no message of protobuf: " + e.getMessage(), e);
    }
  }

  private static <T> byte[] bytes(T value, FieldWriter<T> writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      writer.write(value, out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return bytes.toByteArray();
  }
}
