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

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StateMetaInfo;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.composite.ListCodec;
import io.statesql.type.composite.MapCodec;
import io.statesql.type.composite.TimerCodec;
import io.statesql.type.composite.TtlCodec;
import io.statesql.type.registry.StoredSerializers;
import io.statesql.type.serializer.PojoNotes;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.StoredSerializer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the header of keyed state: {@code KeyedBackendSerializationProxy} version 6 with {@code
 * StateMetaInfoSnapshot}s as {@code StateMetaInfoSnapshotReadersWriters} writes them (Flink 1.8 to
 * 2.3). One use, one thread.
 */
public final class KeyedHeaderReader {
  /** Real headers take kilobytes; this is room for the largest that a job could reasonably have. */
  public static final long MAX_HEADER = 1L << 28;

  private static final int VERSION = 6;

  /** {@code StateMetaInfoSnapshot.BackendStateType}, by ordinal. */
  private static final int KEY_VALUE = 0;

  private static final int PRIORITY_QUEUE = 3;
  private static final int KEY_VALUE_V2 = 4;

  private final StateInput in;
  private final SerializerContext context;

  private KeyedHeaderReader(StateInput in, SerializerContext context) {
    this.in = in;
    this.context = context;
  }

  /**
   * Reads a header that must fill {@code header} exactly.
   *
   * @param context how its serializer snapshots are read
   * @throws MalformedValueException if it does not, or is no header
   */
  public static KeyedHeader read(byte[] header, SerializerContext context) {
    return UnknownPayloads.resolve(
        header,
        context,
        assuming -> {
          StateInput in = new StateInput(header);
          KeyedHeader result =
              new KeyedHeaderReader(in, assuming.noting(new PojoNotes())).readHeader();
          in.requireEnd();
          return result;
        });
  }

  /**
   * Reads a header behind which other bytes may follow.
   *
   * @throws MalformedValueException if it is no header, or does not end in {@code bytes}
   * @throws io.statesql.type.serializer.UnknownSerializerException if it holds a serializer
   *     snapshot of unknown length
   */
  public static KeyedHeader readStart(byte[] bytes, SerializerContext context) {
    return new KeyedHeaderReader(new StateInput(bytes), context.noting(new PojoNotes()))
        .readHeader();
  }

  /**
   * Reads what a header or a changelog says of one state.
   *
   * @param id the number to give it
   * @param key the serializer of its keys
   */
  public static KeyedStateMeta readState(
      StateInput in, int id, StoredSerializer key, SerializerContext context) {
    return new KeyedHeaderReader(in, context).readState(id, key);
  }

  private KeyedHeader readHeader() {
    int version = in.readInt();
    if (version != VERSION) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES,
          "the header of keyed state has version "
              + version
              + (version > 0 && version < VERSION
                  ? ", which Flink wrote before 1.8; let Flink 1.16 restore it and take a savepoint"
                  : ", but Flink 1.8 to 2.3 write version " + VERSION));
    }
    boolean compressed = in.readBoolean();
    StoredSerializer key =
        StoredSerializers.readKeyWithFormatVersion(in, context.at(KeyedHeader.KEY));
    int count = in.readUnsignedShort();
    if ((long) count * StateMetaInfo.SHORTEST > in.remaining()) {
      throw in.malformed("%d states cannot fit into %d bytes", count, in.remaining());
    }
    boolean isGuess = !context.payloadLengths().isEmpty();
    if (isGuess && count == 0) {
      throw in.malformed("no state is described");
    }
    List<KeyedStateMeta> states = new ArrayList<>(count);
    for (int id = 0; id < count; id++) {
      states.add(readState(id, key));
    }
    return new KeyedHeader(compressed, key, states, in.offset(), context.pojoNotes(), isGuess);
  }

  private KeyedStateMeta readState(int id, StoredSerializer key) {
    int start = in.position();
    StateMetaInfo info = StateMetaInfo.read(in, context);
    HashCode fingerprint = Hashing.sha256().hashBytes(in.array(), start, in.position() - start);
    String name = info.name();
    int backendType = info.backendType();
    if (backendType == PRIORITY_QUEUE) {
      StoredSerializer element = info.require("VALUE_SERIALIZER", in);
      return new KeyedStateMeta(
          name,
          id,
          StateKind.TIMER,
          null,
          null,
          element,
          timerCodecs(element.codec(), name),
          fingerprint);
    }
    if (backendType != KEY_VALUE && backendType != KEY_VALUE_V2) {
      throw in.malformed("state %s is of the unknown backend type %d", name, backendType);
    }
    StateKind kind = kind(info.options().get("KEYED_STATE_TYPE"), name);
    StoredSerializer namespace = info.require("NAMESPACE_SERIALIZER", in);
    StoredSerializer value = info.require("VALUE_SERIALIZER", in);
    ElementCodecs codecs =
        backendType == KEY_VALUE
            ? elementCodecs(kind, key.codec(), namespace.codec(), value.codec())
            : codecs(
                kind,
                key.codec(),
                namespace.codec(),
                kind == StateKind.MAP ? info.require("USER_KEY_SERIALIZER", in).codec() : null,
                value.codec());
    return new KeyedStateMeta(name, id, kind, key, namespace, value, codecs, fingerprint);
  }

  private StateKind kind(String stateType, String name) {
    if (stateType == null) {
      throw in.malformed("state %s does not say what kind of state it is", name);
    }
    return switch (stateType) {
      case "VALUE" -> StateKind.VALUE;
      case "LIST" -> StateKind.LIST;
      case "MAP" -> StateKind.MAP;
      case "REDUCING" -> StateKind.REDUCING;
      // A folding state (Flink before 1.9) holds one accumulator for each key, as this one does.
      case "AGGREGATING", "FOLDING" -> StateKind.AGGREGATING;
      default -> throw in.malformed("state %s is of the unknown kind %s", name, stateType);
    };
  }

  private ElementCodecs timerCodecs(Codec element, String name) {
    if (!(element instanceof TimerCodec timer)) {
      throw in.malformed("the timers %s are not stored by Flink's timer serializer", name);
    }
    return new ElementCodecs(timer.key(), timer.namespace(), null, null, false, false);
  }

  /** The codecs of a state whose value serializer is that of the whole list or map. */
  private static ElementCodecs elementCodecs(
      StateKind kind, Codec key, Codec namespace, Codec value) {
    if (kind == StateKind.LIST && value instanceof ListCodec list) {
      return codecs(kind, key, namespace, null, list.element());
    }
    if (kind == StateKind.MAP && value instanceof MapCodec map) {
      return codecs(kind, key, namespace, map.key(), map.value());
    }
    return codecs(kind, key, namespace, kind == StateKind.MAP ? value : null, value);
  }

  private static ElementCodecs codecs(
      StateKind kind, Codec key, Codec namespace, Codec mapKey, Codec value) {
    if (kind == StateKind.LIST && !value.isDelimited()) {
      return new ElementCodecs(
          key, namespace, null, ListCodec.undelimited(value), /* hasTtl= */ false, true);
    }
    boolean hasTtl = value instanceof TtlCodec;
    Codec inner = hasTtl ? ((TtlCodec) value).value() : value;
    return new ElementCodecs(key, namespace, mapKey, inner, hasTtl, /* wholeList= */ false);
  }
}
