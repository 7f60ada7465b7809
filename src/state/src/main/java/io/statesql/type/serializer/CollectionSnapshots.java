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

import static io.statesql.type.SqlType.Scalar.VARBINARY;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.type.BasicCodecs;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.NullFlag;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.ValueWriter;
import io.statesql.type.VariableCodec;
import io.statesql.type.composite.ListCodec;
import io.statesql.type.composite.MapCodec;
import java.util.List;
import java.util.Map;

/**
 * Lists, sets, maps and arrays of flink-core 2.3, and the list of flink-runtime.
 *
 * <p>A {@code byte[]} is VARBINARY and a {@code char[]} is VARCHAR, for that is what people keep in
 * them; every other array is an ARRAY.
 */
public final class CollectionSnapshots {
  private static final String BASE = "org.apache.flink.api.common.typeutils.base.";
  private static final String ARRAY = BASE + "array.";

  private CollectionSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(BASE + "ListSerializerSnapshot", list("List", NullFlag.NONE));
    parsers.put(
        "org.apache.flink.runtime.state.ArrayListSerializerSnapshot",
        list("ArrayList", NullFlag.NONE));
    parsers.put(BASE + "SetSerializerSnapshot", list("Set", NullFlag.IS_NULL));
    parsers.put(BASE + "MapSerializerSnapshot", CollectionSnapshots::parseMap);
    parsers.put(BASE + "GenericArraySerializerSnapshot", CollectionSnapshots::parseArray);
    parsers.put(BASE + "GenericArraySerializerConfigSnapshot", CollectionSnapshots::parseOldArray);
    primitives(parsers, "Boolean", "boolean[]", list(BasicCodecs.BOOLEAN));
    primitives(parsers, "Short", "short[]", list(BasicCodecs.SHORT));
    primitives(parsers, "Int", "int[]", list(BasicCodecs.INT));
    primitives(parsers, "Long", "long[]", list(BasicCodecs.LONG));
    primitives(parsers, "Float", "float[]", list(BasicCodecs.FLOAT));
    primitives(parsers, "Double", "double[]", list(BasicCodecs.DOUBLE));
    primitives(
        parsers,
        "Byte",
        "byte[]",
        new VariableCodec(
            VARBINARY,
            Integer.BYTES,
            in -> Binary.of(in.readBytes(in.readCount(1))),
            in -> in.skip(in.readCount(1)),
            ValueWriter.of(
                Binary.class,
                (value, out) -> {
                  out.writeInt(value.length());
                  out.writeBytes(value.bytes());
                })));
    primitives(
        parsers,
        "Char",
        "char[]",
        new VariableCodec(
            VARCHAR,
            Integer.BYTES,
            CollectionSnapshots::readChars,
            in -> in.skip((long) in.readCount(Character.BYTES) * Character.BYTES),
            ValueWriter.of(String.class, CollectionSnapshots::writeChars)));
    parsers.put(
        ARRAY + "StringArraySerializer$StringArraySerializerSnapshot",
        SnapshotParser.simple("String[]", list(BasicCodecs.STRING)));
  }

  private static Codec list(Codec element) {
    return new ListCodec(element, NullFlag.NONE);
  }

  private static void primitives(
      Map<String, SnapshotParser> parsers, String name, String description, Codec codec) {
    String simpleName = name + "PrimitiveArraySerializer";
    parsers.put(
        ARRAY + simpleName + "$" + simpleName + "Snapshot",
        SnapshotParser.simple(description, codec));
  }

  private static Object readChars(StateInput in) {
    char[] chars = new char[in.readCount(Character.BYTES)];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = in.readChar();
    }
    return new String(chars);
  }

  private static void writeChars(String value, StateOutput out) {
    out.writeInt(value.length());
    for (int i = 0; i < value.length(); i++) {
      out.writeShort(value.charAt(i));
    }
  }

  private static SnapshotParser list(String name, NullFlag nullFlag) {
    return (reader, version) -> {
      reader.readOuterVersion(version, 1);
      StoredSerializer element = reader.readNested(1).get(0);
      return new StoredSerializer(
          name + "<" + element.description() + ">", new ListCodec(element.codec(), nullFlag));
    };
  }

  private static StoredSerializer parseMap(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, 1);
    List<StoredSerializer> nested = reader.readNested(2);
    StoredSerializer key = nested.get(0);
    StoredSerializer value = nested.get(1);
    return new StoredSerializer(
        "Map<" + key.description() + ", " + value.description() + ">",
        new MapCodec(key.codec(), value.codec()));
  }

  private static StoredSerializer parseArray(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, 1);
    return readArray(reader);
  }

  /** Written by Flink before 1.9: class and nested block without a composite's head. */
  private static StoredSerializer parseOldArray(SnapshotReader reader, int version) {
    reader.requireVersion(version, 2);
    return readArray(reader);
  }

  private static StoredSerializer readArray(SnapshotReader reader) {
    String componentClass = reader.in().readUtf();
    StoredSerializer component = reader.readNested(1).get(0);
    return new StoredSerializer(
        componentClass + "[]", new ListCodec(component.codec(), NullFlag.IS_PRESENT));
  }
}
