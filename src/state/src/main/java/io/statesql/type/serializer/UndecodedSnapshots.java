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

import io.statesql.type.OpaqueCodec;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Snapshots whose payload can be read but whose values cannot, or not yet: they make one opaque
 * value and leave the rest of a header readable.
 */
public final class UndecodedSnapshots {
  private static final String BASE = "org.apache.flink.api.common.typeutils.base.";
  private static final String RUNTIME = "org.apache.flink.api.java.typeutils.runtime.";
  private static final String SCALA = "org.apache.flink.api.scala.typeutils.";
  private static final int SCALA_ENUM_VERSION = 3;
  private static final int GENERIC_VERSION = 2;

  private UndecodedSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    generic(parsers, RUNTIME + "ValueSerializer$ValueSerializerSnapshot");
    generic(parsers, RUNTIME + "CopyableValueSerializer$CopyableValueSerializerSnapshot");
    generic(parsers, RUNTIME + "WritableSerializer$WritableSerializerSnapshot");
    parsers.put(
        "org.apache.flink.runtime.state.JavaSerializer$JavaSerializerSnapshot",
        SnapshotParser.simple(
            "JavaSerializer",
            OpaqueCodec.needingClass("Values are Java-serialized: they need the job's classes")));
    parsers.put(
        BASE + "BitmapSerializer$BitmapSerializerSnapshot",
        SnapshotParser.simple(
            "Bitmap",
            OpaqueCodec.delimited(
                "A Flink Bitmap is shown as it is stored", in -> in.skip(in.readCount(1)))));
    parsers.put(
        BASE + "VariantSerializer$VariantSerializerSnapshot",
        SnapshotParser.simple(
            "Variant",
            OpaqueCodec.delimited(
                "A Flink Variant is shown as it is stored", UndecodedSnapshots::skipVariant)));
    scala(parsers, "ScalaCaseClass", 2, true);
    scala(parsers, "Tuple2CaseClass", 2, true);
    scala(parsers, "Traversable", 2, true);
    scala(parsers, "ScalaOption", 2, false);
    scala(parsers, "ScalaTry", 2, false);
    scala(parsers, "ScalaEither", 1, false);
    parsers.put(SCALA + "ScalaEnumSerializerSnapshot", UndecodedSnapshots::parseScalaEnum);
  }

  /**
   * A composite of flink-scala 1.20.
   *
   * @param hasText whether its outer part is a class name, or the source of one
   */
  private static void scala(
      Map<String, SnapshotParser> parsers, String name, int newestOuter, boolean hasText) {
    parsers.put(
        SCALA + name + "SerializerSnapshot",
        (reader, version) -> {
          reader.readOuterVersion(version, newestOuter);
          if (hasText) {
            reader.in().readUtf();
          }
          return scala(StoredSerializer.describe(name, reader.readNested()));
        });
  }

  private static StoredSerializer parseScalaEnum(SnapshotReader reader, int version) {
    reader.requireVersion(version, SCALA_ENUM_VERSION);
    StateInput in = reader.in();
    String className = in.readUtf();
    int count = in.readCount(Short.BYTES + Integer.BYTES);
    List<String> constants = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      constants.add(in.readUtf() + "=" + in.readInt());
    }
    reader.addEnum(className, constants);
    return scala("ScalaEnum<" + className + ">");
  }

  private static StoredSerializer scala(String description) {
    return new StoredSerializer(
        description,
        OpaqueCodec.needingClass(
            "The Scala type " + description + " is not decoded by this version"));
  }

  private static void skipVariant(StateInput in) {
    long length = (long) in.readCount(1) + in.readCount(1);
    in.skip(length);
  }

  /** {@code GenericTypeSerializerSnapshot}: the class whose own code writes the values. */
  private static void generic(Map<String, SnapshotParser> parsers, String snapshotClass) {
    parsers.put(
        snapshotClass,
        (reader, version) -> {
          reader.requireVersion(version, GENERIC_VERSION);
          String className = reader.in().readUtf();
          return new StoredSerializer(
              "Value<" + className + ">",
              OpaqueCodec.needingClass(
                  "Values are written by the code of the class "
                      + className
                      + ", which they need"));
        });
  }
}
