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
package io.statesql.format.changelog;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.header.KeyedHeaderReader;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.SplitFault;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.StateChange;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import io.statesql.type.composite.TimerCodec;
import io.statesql.type.registry.StoredSerializers;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.StoredSerializer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    List<KeyedStateMeta> states = new ArrayList<>();
    for (KeyedSplit base : bases) {
      base.header().states().forEach(state -> add(split, states, state));
    }
    read(
        snapshot,
        split,
        change -> add(split, states, describe(change, key, split.serializers(), 0)));
    return new KeyedHeader(false, key, states, 0, split.serializers().pojoNotes(), false);
  }

  /**
   * Adds a description, under a number of its own if it is not known already: what was stored
   * before a serializer changed is read as it was then.
   */
  private static void add(KeyedSplit split, List<KeyedStateMeta> states, KeyedStateMeta state) {
    for (KeyedStateMeta known : states) {
      if (known.name().equals(state.name())) {
        if (known.isStoredAs(state)) {
          return;
        }
        requireSameAddresses(split, known, state);
      }
    }
    states.add(state.withId(states.size()));
  }

  /**
   * Changes find what they replace by the bytes of key, namespace and map key. Flink lets a job go
   * on with other serializers of keys and namespaces only if they write the same bytes.
   */
  private static void requireSameAddresses(
      KeyedSplit split, KeyedStateMeta known, KeyedStateMeta state) {
    if (known.kind() != state.kind()
        || !writeTheSame(known.codecs().mapKey(), state.codecs().mapKey())) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_SNAPSHOT,
          SplitFault.where(split, state.name(), -1)
              + "how its entries are found has changed, from "
              + describe(known)
              + " to "
              + describe(state)
              + ", since the base of the changelog was written, which this version of StateSQL does"
              + " not read; take a savepoint in canonical form (flink savepoint --type"
              + " canonical).");
    }
  }

  private static boolean writeTheSame(@Nullable Codec one, @Nullable Codec other) {
    return one == other
        || (one != null
            && other != null
            && one.type().equals(other.type())
            && one.hasFixedForm()
            && other.hasFixedForm());
  }

  private static String describe(KeyedStateMeta state) {
    return state.kind() + " " + state.value().description();
  }

  /** The state of a header that is described as one in the log is; the header has it. */
  static KeyedStateMeta find(KeyedHeader header, KeyedStateMeta described) {
    return header.states().stream()
        .filter(state -> state.name().equals(described.name()) && state.isStoredAs(described))
        .findFirst()
        .orElseThrow();
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
