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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The snapshot of {@code KryoSerializer} ({@code KryoSerializerSnapshotData}, flink-core 2.3): the
 * type, the registrations in the order of their ids, and default serializers. Instances of
 * serializers are Java-serialized; their frames are passed over unread.
 */
final class KryoSnapshots {
  private static final int VERSION = 2;

  private KryoSnapshots() {}

  static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(
        "org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializerSnapshot",
        KryoSnapshots::parse);
  }

  private static StoredSerializer parse(SnapshotReader reader, int version) {
    if (version != VERSION) {
      throw reader.in().malformed("Kryo's snapshot has the unknown version %d", version);
    }
    String typeClass = reader.in().readUtf();
    List<KryoRegistration> registrations = new ArrayList<>();
    for (var entry : reader.readOptionalMap(KryoSnapshots::readRegistration)) {
      registrations.add(
          entry.value() != null
              ? entry.value()
              : new KryoRegistration(entry.name(), KryoRegistration.Kind.UNSPECIFIED, null));
    }
    skipDefaultSerializers(reader);
    skipDefaultSerializers(reader);
    return KryoCodecs.of(typeClass, List.copyOf(registrations));
  }

  private static KryoRegistration readRegistration(SnapshotReader frame) {
    StateInput in = frame.in();
    String className = in.readUtf();
    long offset = in.offset();
    int ordinal = in.readInt();
    KryoRegistration.Kind[] kinds = KryoRegistration.Kind.values();
    if (ordinal < 0 || ordinal >= kinds.length) {
      throw new MalformedValueException(
          offset, ordinal + " does not say how Kryo serializes the class " + className);
    }
    KryoRegistration.Kind kind = kinds[ordinal];
    String serializerClass = kind == KryoRegistration.Kind.CLASS ? in.readUtf() : null;
    return new KryoRegistration(className, kind, serializerClass);
  }

  private static void skipDefaultSerializers(SnapshotReader reader) {
    reader.readOptionalMap(frame -> frame.in().remaining());
  }
}
