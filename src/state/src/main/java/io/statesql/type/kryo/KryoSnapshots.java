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
package io.statesql.type.kryo;

import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.SnapshotParser;
import io.statesql.type.serializer.SnapshotReader;
import io.statesql.type.serializer.StoredSerializer;
import java.util.Map;

/** The snapshot of {@code KryoSerializer}, flink-core 2.3. */
public final class KryoSnapshots {
  private static final int VERSION = 2;

  private KryoSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(KryoVersion.SNAPSHOT_CLASS, KryoSnapshots::parse);
  }

  private static StoredSerializer parse(SnapshotReader reader, int version) {
    if (version != VERSION) {
      throw reader.in().malformed("Kryo's snapshot has the unknown version %d", version);
    }
    KryoRegistrations kryo = KryoRegistrations.read(reader);
    return KryoCodecs.of(
        kryo.typeClass(),
        kryo.registrations(),
        kryo.defaultSerializerClasses(),
        reader.context().kryo());
  }
}
