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
package io.statesql.format.header;

import io.statesql.format.bytes.SnappyFrames;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.OperatorHeader;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StateMetaInfo;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.serializer.PojoNotes;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.StoredSerializer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the header of operator state: {@code OperatorBackendSerializationProxy} versions 5 and 6.
 * One use, one thread.
 */
public final class OperatorHeaderReader {
  private static final int OLDEST_VERSION = 5;

  /** The first version that says whether the elements are compressed. */
  private static final int VERSION_WITH_COMPRESSION = 6;

  /** {@code StateMetaInfoSnapshot.BackendStateType}, by ordinal. */
  private static final int OPERATOR = 1;

  private static final int BROADCAST = 2;

  private final StateInput in;
  private final SerializerContext context;
  private final List<OperatorStateMeta> states = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private OperatorHeaderReader(StateInput in, SerializerContext context) {
    this.in = in;
    this.context = context;
  }

  /**
   * Reads a header, and the identifier of the snappy stream that follows it where the elements are
   * compressed; both together must fill {@code beforeElements} exactly.
   *
   * @param context how its serializer snapshots are read
   * @throws MalformedValueException if they do not, or are something else
   */
  public static OperatorHeader read(byte[] beforeElements, SerializerContext context) {
    return UnknownPayloads.resolve(
        beforeElements,
        context,
        assuming -> {
          StateInput in = new StateInput(beforeElements);
          OperatorHeader header =
              new OperatorHeaderReader(in, assuming.noting(new PojoNotes())).readHeader();
          if (header.compressed()) {
            SnappyFrames.requireIdentifier(in);
          }
          in.requireEnd();
          return header;
        });
  }

  private OperatorHeader readHeader() {
    int version = in.readInt();
    if (version < OLDEST_VERSION || version > VERSION_WITH_COMPRESSION) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES,
          "the header of operator state has version "
              + version
              + (version > 0 && version < OLDEST_VERSION
                  ? ", which Flink wrote before 1.8; let Flink 1.16 restore it and take a savepoint"
                  : ", but Flink 1.8 to 2.3 write versions "
                      + OLDEST_VERSION
                      + " and "
                      + VERSION_WITH_COMPRESSION));
    }
    boolean compressed = version >= VERSION_WITH_COMPRESSION && in.readBoolean();
    readStates(OPERATOR);
    readStates(BROADCAST);
    return new OperatorHeader(
        compressed, states, context.pojoNotes(), !context.payloadLengths().isEmpty());
  }

  private void readStates(int backendType) {
    int count = in.readUnsignedShort();
    if ((long) count * StateMetaInfo.SHORTEST > in.remaining()) {
      throw in.malformed("%d states cannot fit into %d bytes", count, in.remaining());
    }
    for (int i = 0; i < count; i++) {
      StateMetaInfo state = StateMetaInfo.read(in, context);
      if (state.backendType() != backendType) {
        throw in.malformed(
            "state %s is of the backend type %d where %d should stand",
            state.name(), state.backendType(), backendType);
      }
      // Flink's handle has the offsets by name, so of two states it would restore neither.
      if (!names.add(state.name())) {
        throw in.malformed("two states are called %s", state.name());
      }
      states.add(meta(state));
    }
  }

  private OperatorStateMeta meta(StateMetaInfo state) {
    StateKind kind = kind(state);
    StoredSerializer key = kind == StateKind.BROADCAST ? state.require("KEY_SERIALIZER", in) : null;
    StoredSerializer value = state.require("VALUE_SERIALIZER", in);
    ElementCodecs codecs =
        new ElementCodecs(
            null, null, key == null ? null : key.codec(), value.codec(), false, false);
    return new OperatorStateMeta(state.name(), kind, key, value, codecs);
  }

  private StateKind kind(StateMetaInfo state) {
    String mode = state.options().get("OPERATOR_STATE_DISTRIBUTION_MODE");
    if (mode == null) {
      throw in.malformed("state %s does not say how it is distributed", state.name());
    }
    StateKind kind =
        switch (mode) {
          case "SPLIT_DISTRIBUTE" -> StateKind.SPLIT_LIST;
          case "UNION" -> StateKind.UNION_LIST;
          case "BROADCAST" -> StateKind.BROADCAST;
          default -> null;
        };
    if (kind == null || (kind == StateKind.BROADCAST) != (state.backendType() == BROADCAST)) {
      throw in.malformed(
          "state %s of backend type %d cannot be distributed by %s",
          state.name(), state.backendType(), mode);
    }
    return kind;
  }
}
