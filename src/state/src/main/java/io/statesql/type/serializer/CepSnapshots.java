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

import io.statesql.type.Codec;
import io.statesql.type.OpaqueCodec;
import java.util.Map;

/**
 * State of pattern matching: flink-cep 2.3, which {@code MATCH_RECOGNIZE} uses, too. Matches under
 * way are not decoded, but their snapshots are gone over, so that other states of the operator are
 * read: the events that wait for their time among them.
 */
public final class CepSnapshots {
  private static final String NFA = "org.apache.flink.cep.nfa.";
  private static final String BUFFER = NFA + "sharedbuffer.";
  private static final int FIRST_WITH_PREVIOUS_TIMESTAMP = 2;

  private CepSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(NFA + "NFAStateSerializerSnapshot", CepSnapshots::parseNfaState);
    parsers.put(
        NFA + "DeweyNumber$DeweyNumberSerializer$DeweyNumberSerializerSnapshot",
        SnapshotParser.simple("DeweyNumber", opaque("DeweyNumber")));
    parsers.put(
        BUFFER + "EventId$EventIdSerializer$EventIdSerializerSnapshot",
        SnapshotParser.simple("EventId", opaque("EventId")));
    composite(parsers, "Lockable", "LockableTypeSerializerSnapshot");
    composite(parsers, "NodeId", "NodeId$NodeIdSerializer$NodeIdSerializerSnapshot");
    composite(parsers, "SharedBufferNode", "SharedBufferNodeSerializerSnapshotV2");
    composite(
        parsers,
        "SharedBufferEdge",
        "SharedBufferEdge$SharedBufferEdgeSerializer$SharedBufferEdgeSerializerSnapshot");
  }

  private static StoredSerializer parseNfaState(SnapshotReader reader, int version) {
    if (reader.readOuterVersion(version, FIRST_WITH_PREVIOUS_TIMESTAMP)
        == FIRST_WITH_PREVIOUS_TIMESTAMP) {
      reader.in().readBoolean();
    }
    reader.readNested();
    return new StoredSerializer("NFAState", opaque("NFAState"));
  }

  private static void composite(
      Map<String, SnapshotParser> parsers, String name, String snapshotClass) {
    parsers.put(
        BUFFER + snapshotClass,
        (reader, version) -> {
          reader.readOuterVersion(version, 1);
          return new StoredSerializer(
              StoredSerializer.describe(name, reader.readNested()), opaque(name));
        });
  }

  private static Codec opaque(String name) {
    return OpaqueCodec.needingClass(
        "The type " + name + " of Flink CEP is not decoded by this version");
  }
}
