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
package io.statesql.type.registry;

import io.statesql.type.avro.AvroSnapshots;
import io.statesql.type.kryo.KryoSnapshots;
import io.statesql.type.pojo.PojoSnapshots;
import io.statesql.type.serializer.BasicSnapshots;
import io.statesql.type.serializer.CepSnapshots;
import io.statesql.type.serializer.CollectionSnapshots;
import io.statesql.type.serializer.DateTimeSnapshots;
import io.statesql.type.serializer.RuntimeSnapshots;
import io.statesql.type.serializer.SerializerFamilies;
import io.statesql.type.serializer.SnapshotParser;
import io.statesql.type.serializer.StoredSerializer;
import io.statesql.type.serializer.StructSnapshots;
import io.statesql.type.serializer.UndecodedSnapshots;
import io.statesql.type.serializer.WrapperSnapshots;
import io.statesql.type.statefun.StatefunSnapshots;
import io.statesql.type.table.TableSnapshots;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which parser reads the payload of which snapshot class. The names are those of the jars. */
public final class SnapshotRegistry implements SerializerFamilies {
  public static final SnapshotRegistry INSTANCE = new SnapshotRegistry();

  private static final Map<String, SnapshotParser> PARSERS = parsers();

  private SnapshotRegistry() {}

  @Override
  public @Nullable SnapshotParser parserOf(String snapshotClassName) {
    return PARSERS.get(snapshotClassName);
  }

  @Override
  public @Nullable String misspelt(String snapshotClassName) {
    return PARSERS.keySet().stream()
        .filter(known -> differInOneLetter(known, snapshotClassName))
        .findFirst()
        .orElse(null);
  }

  @Override
  public StoredSerializer ofKey(StoredSerializer serializer) {
    return StoredSerializers.ofKey(serializer);
  }

  private static boolean differInOneLetter(String one, String other) {
    if (one.length() != other.length()) {
      return false;
    }
    int differences = 0;
    for (int i = 0; i < one.length() && differences < 2; i++) {
      char c = one.charAt(i);
      char d = other.charAt(i);
      if (c != d) {
        differences += Character.isDigit(c) && Character.isDigit(d) ? 2 : 1;
      }
    }
    return differences == 1;
  }

  private static Map<String, SnapshotParser> parsers() {
    Map<String, SnapshotParser> parsers = new HashMap<>();
    BasicSnapshots.register(parsers);
    DateTimeSnapshots.register(parsers);
    CollectionSnapshots.register(parsers);
    StructSnapshots.register(parsers);
    PojoSnapshots.register(parsers);
    WrapperSnapshots.register(parsers);
    RuntimeSnapshots.register(parsers);
    KryoSnapshots.register(parsers);
    AvroSnapshots.register(parsers);
    StatefunSnapshots.register(parsers);
    TableSnapshots.register(parsers);
    CepSnapshots.register(parsers);
    UndecodedSnapshots.register(parsers);
    return Map.copyOf(parsers);
  }
}
