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

import io.statesql.type.FixedCodec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StoredField;
import io.statesql.type.ValueWriter;
import io.statesql.type.composite.OneOfCodec;
import io.statesql.type.composite.RowCodec;
import io.statesql.type.composite.StructCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Tuples, rows and eithers: package {@code api.java.typeutils.runtime} of flink-core 2.3.
 *
 * <p>Fields of tuples and rows are {@code f0}, {@code f1} and so on: names are not stored. An
 * {@code Either} is a row of {@code side} ({@code left} or {@code right}), {@code left} and {@code
 * right}. A {@code Tuple0}, which has no fields and only one value, is the text {@code ()}.
 */
public final class StructSnapshots {
  private static final String PACKAGE = "org.apache.flink.api.java.typeutils.runtime.";
  private static final int EITHER_VERSION = 1;
  private static final int OLD_EITHER_VERSION = 2;
  private static final int TUPLE_VERSION = 2;
  private static final int ROW_VERSION = 4;
  private static final int FIRST_ROW_VERSION_WITH_KIND = 3;
  private static final int TUPLE0_BYTE = 42;

  private StructSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(
        PACKAGE + "Tuple0SerializerSnapshot",
        SnapshotParser.simple(
            "Tuple0",
            new FixedCodec(
                    SqlType.Scalar.VARCHAR,
                    1,
                    StructSnapshots::readTuple0,
                    ValueWriter.constant("()", out -> out.writeByte(TUPLE0_BYTE)))
                .hashedBy(value -> 0)));
    parsers.put(PACKAGE + "TupleSerializerSnapshot", StructSnapshots::parseTuple);
    parsers.put(PACKAGE + "RowSerializer$RowSerializerSnapshot", StructSnapshots::parseRow);
    parsers.put(PACKAGE + "JavaEitherSerializerSnapshot", StructSnapshots::parseEither);
    parsers.put(PACKAGE + "EitherSerializerSnapshot", StructSnapshots::parseOldEither);
  }

  private static Object readTuple0(StateInput in) {
    long offset = in.offset();
    int value = in.readUnsignedByte();
    if (value != TUPLE0_BYTE) {
      throw new MalformedValueException(offset, value + " is not the byte of an empty tuple");
    }
    return "()";
  }

  private static StoredSerializer parseTuple(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, TUPLE_VERSION);
    String className = reader.in().readUtf();
    List<StoredSerializer> nested = reader.readNested();
    return new StoredSerializer(
        StoredSerializer.describe(className.substring(className.lastIndexOf('.') + 1), nested),
        StructCodec.ofTuple(numbered(nested), tupleLength(nested)));
  }

  /** {@code TupleSerializerBase#getLength}: the sum, unless any part is empty or variable. */
  private static int tupleLength(List<StoredSerializer> nested) {
    int sum = 0;
    for (StoredSerializer field : nested) {
      int length = field.codec().declaredLength();
      if (length <= 0) {
        return -1;
      }
      sum += length;
    }
    return sum;
  }

  private static StoredSerializer parseRow(SnapshotReader reader, int version) {
    int outerVersion = reader.readOuterVersion(version, ROW_VERSION);
    boolean supportsKind =
        outerVersion > FIRST_ROW_VERSION_WITH_KIND
            ? reader.in().readBoolean()
            : outerVersion == FIRST_ROW_VERSION_WITH_KIND;
    List<StoredSerializer> nested = reader.readNested();
    return new StoredSerializer(
        StoredSerializer.describe("Row", nested), new RowCodec(numbered(nested), supportsKind));
  }

  private static StoredSerializer parseEither(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, EITHER_VERSION);
    return readEither(reader);
  }

  /** Written by Flink before 1.9: the nested block alone. */
  private static StoredSerializer parseOldEither(SnapshotReader reader, int version) {
    reader.requireVersion(version, OLD_EITHER_VERSION);
    return readEither(reader);
  }

  private static StoredSerializer readEither(SnapshotReader reader) {
    List<StoredSerializer> nested = reader.readNested(2);
    return new StoredSerializer(
        StoredSerializer.describe("Either", nested),
        OneOfCodec.ofEither(
            List.of(
                new OneOfCodec.Alternative(1, "left", nested.get(0).codec()),
                new OneOfCodec.Alternative(0, "right", nested.get(1).codec()))));
  }

  private static List<StoredField> numbered(List<StoredSerializer> nested) {
    List<StoredField> fields = new ArrayList<>(nested.size());
    for (int i = 0; i < nested.size(); i++) {
      fields.add(new StoredField("f" + i, nested.get(i).codec()));
    }
    return fields;
  }
}
