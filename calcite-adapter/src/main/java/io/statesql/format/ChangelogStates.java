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
package io.statesql.format;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.StateChange;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.SerializerContext;
import io.statesql.type.StateInput;
import io.statesql.type.StoredSerializer;
import io.statesql.type.StoredSerializers;
import io.statesql.type.TimerCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The states of a changelog: those of its base and those that its changes introduce. A change that
 * describes a state holds its serializers but not that of the keys.
 */
final class ChangelogStates {
  /** The number of a state and its type stand last in a change that describes it. */
  private static final int DESCRIPTION_TAIL = Short.BYTES + 1;

  /** {@code StateMetaInfoSnapshotReadersWriters.CURRENT_STATE_META_INFO_SNAPSHOT_VERSION}. */
  private static final int OLDEST_VERSION = 6;

  private static final int NEWEST_VERSION = 7;

  private ChangelogStates() {}

  /**
   * The key serializer that the timers in a changelog tell, or null if there are none.
   *
   * @param split whose handle is a changelog
   */
  static StoredSerializer keyOfTimers(Snapshot snapshot, KeyedSplit split) {
    StoredSerializer[] key = new StoredSerializer[1];
    read(
        snapshot,
        split,
        change -> {
          KeyedStateMeta state = describe(change, unknownKey(), split.serializers(), 0);
          if (key[0] == null && state.value().codec() instanceof TimerCodec timer) {
            key[0] = new StoredSerializer("the key of " + state.value().description(), timer.key());
          }
        });
    return key[0];
  }

  /** Stands for the key serializer where nothing tells it; keys have no known end then. */
  static StoredSerializer unknownKey() {
    return StoredSerializers.unknown(
        "The changelog does not hold the serializer of its keys, nor does any other state of the"
            + " operator");
  }

  /**
   * The header that a base with all these states would have.
   *
   * @param bases the splits of the base handles
   */
  static KeyedHeader header(
      Snapshot snapshot, KeyedSplit split, StoredSerializer key, List<KeyedSplit> bases) {
    Map<String, KeyedStateMeta> states = new LinkedHashMap<>();
    for (KeyedSplit base : bases) {
      base.header().states().forEach(state -> add(split, states, state));
    }
    read(
        snapshot,
        split,
        change -> add(split, states, describe(change, key, split.serializers(), 0)));
    return new KeyedHeader(
        false, key, new ArrayList<>(states.values()), 0, split.serializers().pojoNotes(), false);
  }

  private static void add(
      KeyedSplit split, Map<String, KeyedStateMeta> states, KeyedStateMeta state) {
    KeyedStateMeta known = states.putIfAbsent(state.name(), state.withId(states.size()));
    if (known != null && !isSame(known, state)) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_SNAPSHOT,
          SplitFault.where(split, state.name(), -1)
              + "its type has changed from "
              + known.value().description()
              + " to "
              + state.value().description()
              + " since the base of the changelog was written, which this version of StateSQL does"
              + " not read; take a savepoint in canonical form (flink savepoint --type"
              + " canonical).");
    }
  }

  private static boolean isSame(KeyedStateMeta one, KeyedStateMeta other) {
    return one.kind() == other.kind()
        && one.value().description().equals(other.value().description())
        && one.value().codec().type().equals(other.value().codec().type());
  }

  private static void read(
      Snapshot snapshot, KeyedSplit split, java.util.function.Consumer<StateInput> descriptions) {
    new Changelog(snapshot, split)
        .read(
            ((KeyedStateHandle.Changelog) split.handle()).nonMaterialized(),
            (keyGroup, change) -> {
              if (keyGroup == StateChange.METADATA
                  && ChangeOperation.read(change) == ChangeOperation.METADATA) {
                descriptions.accept(change);
              }
            });
  }

  /**
   * Reads a change that describes a state, after its code.
   *
   * @return the state under the number by which later changes refer to it
   */
  static KeyedStateMeta describe(
      StateInput change, StoredSerializer key, SerializerContext serializers) {
    int tail = Math.max(change.position(), change.limit() - DESCRIPTION_TAIL);
    int id = new StateInput().window(change, tail, change.limit() - tail).readUnsignedShort();
    return describe(change, key, serializers, id);
  }

  private static KeyedStateMeta describe(
      StateInput change, StoredSerializer key, SerializerContext serializers, int id) {
    int version = change.readInt();
    if (version < OLDEST_VERSION || version > NEWEST_VERSION) {
      throw change.malformed("a state is described in the unknown version %d", version);
    }
    // Behind the description stand, of unknown lengths, TTL configuration and default value.
    return KeyedHeaderReader.readState(change, id, key, serializers);
  }
}
