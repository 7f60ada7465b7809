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
package io.statesql.type.pojo;

import io.statesql.type.Codec;
import io.statesql.type.OpaqueCodec;
import io.statesql.type.StateInput;
import io.statesql.type.StoredField;
import io.statesql.type.serializer.SnapshotParser;
import io.statesql.type.serializer.SnapshotReader;
import io.statesql.type.serializer.StoredSerializer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The snapshot of {@code PojoSerializer}, flink-core 2.3. */
public final class PojoSnapshots {
  private static final String CLASS_NAME =
      "org.apache.flink.api.java.typeutils.runtime.PojoSerializerSnapshot";

  private static final int VERSION = 2;

  private PojoSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(CLASS_NAME, PojoSnapshots::parse);
  }

  private static StoredSerializer parse(SnapshotReader reader, int version) {
    if (version != VERSION) {
      throw reader.in().malformed("a POJO's snapshot has the unknown version %d", version);
    }
    String className = reader.in().readUtf();
    List<StoredField> fields = new ArrayList<>();
    List<String> declaringClasses = new ArrayList<>();
    for (var entry : reader.readOptionalMap(SnapshotReader::readFramedSnapshot)) {
      fields.add(new StoredField(entry.name(), fieldCodec(className, entry)));
      declaringClasses.add(entry.key() == null ? "" : readDeclaringClass(entry.key()));
    }
    List<PojoSubclass> registered = readSubclasses(reader);
    List<PojoSubclass> unregistered = readSubclasses(reader);
    PojoPlace place = new PojoPlace(reader.place(), className);
    return new StoredSerializer(
        "Pojo<" + className + ">",
        new PojoCodec(
            PojoClass.of(className, fields, declaringClasses),
            registered,
            place.complete(registered, unregistered),
            place));
  }

  private static Codec fieldCodec(
      String className, SnapshotReader.OptionalEntry<StoredSerializer> entry) {
    if (entry.value() != null) {
      return entry.value().codec();
    }
    return OpaqueCodec.undelimited(
        "The snapshot stores no serializer for the field "
            + entry.name()
            + " of the class "
            + className);
  }

  private static String readDeclaringClass(StateInput key) {
    String declaringClass = key.readUtf();
    key.readUtf();
    key.requireEnd();
    return declaringClass;
  }

  private static List<PojoSubclass> readSubclasses(SnapshotReader reader) {
    return reader.readOptionalMap(SnapshotReader::readFramedSnapshot).stream()
        .map(
            entry ->
                new PojoSubclass(
                    entry.name(), entry.value() == null ? null : entry.value().codec()))
        .toList();
  }
}
