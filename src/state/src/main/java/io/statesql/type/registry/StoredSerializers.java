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

import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.OpaqueCodec;
import io.statesql.type.StateInput;
import io.statesql.type.composite.TimerCodec;
import io.statesql.type.serializer.RuntimeSnapshots;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.SnapshotReader;
import io.statesql.type.serializer.StoredSchema;
import io.statesql.type.serializer.StoredSerializer;
import io.statesql.type.serializer.UnknownSerializerException;

/**
 * Reads serializer snapshots: what a Flink job stored of the serializers of its keys, namespaces
 * and values. Class names are kept as names; no class of the job is ever loaded.
 *
 * <p>The bytes are those of {@code TypeSerializerSnapshot#writeVersionedSnapshot} and {@code
 * TypeSerializerSnapshotSerializationUtil#writeSerializerSnapshot} (flink-core 1.8 to 2.3). The
 * payload of a snapshot has no length, so a snapshot class that is not in the registry, such as one
 * of the job's own, ends the reading with an {@link UnknownSerializerException}. A caller who knows
 * where the enclosing header ends may try lengths, see {@link SerializerContext#payloadLengths}.
 * Where Flink itself frames a nested snapshot (fields and subclasses of a POJO) an unknown one is
 * passed over without that.
 *
 * <p>All methods leave the input after the last byte of the snapshot. They throw {@link
 * MalformedValueException} for bytes of another form, and for snapshots nested deeper than {@value
 * SnapshotReader#MAX_DEPTH} levels.
 */
public final class StoredSerializers {

  /** {@code TypeSerializerSnapshotSerializationUtil.TypeSerializerSnapshotSerializationProxy}. */
  private static final int PROXY_VERSION = 2;

  private StoredSerializers() {}

  /**
   * Reads one versioned snapshot: class name, version, payload.
   *
   * @throws UnknownSerializerException if a snapshot class is not known and no length is assumed
   *     for its payload
   */
  public static StoredSerializer read(StateInput in, SerializerContext context) {
    StateInput start = new StateInput().reset(in);
    SnapshotReader reader = new SnapshotReader(in, context, SnapshotRegistry.INSTANCE);
    StoredSerializer serializer = reader.readSnapshot();
    return serializer.withSchema(
        StoredSchema.of(start, in.position() - start.position(), reader.enums()));
  }

  /**
   * Reads one snapshot as headers of state files hold it: a format version, always 2 since Flink
   * 1.8, before the versioned snapshot.
   *
   * @throws UnknownSerializerException if a snapshot class is not known and no length is assumed
   *     for its payload
   */
  public static StoredSerializer readWithFormatVersion(StateInput in, SerializerContext context) {
    long offset = in.offset();
    int version = in.readInt();
    if (version != PROXY_VERSION) {
      throw new MalformedValueException(
          offset,
          "the format version of a serializer snapshot is "
              + version
              + " but Flink 1.8 and later write "
              + PROXY_VERSION);
    }
    return read(in, context);
  }

  /** As {@link #readWithFormatVersion}, of the serializer of keys. */
  public static StoredSerializer readKeyWithFormatVersion(
      StateInput in, SerializerContext context) {
    StateInput snapshot = new StateInput().reset(in);
    snapshot.skip(Integer.BYTES);
    return withJobHash(ofKey(readWithFormatVersion(in, context)), snapshot, in, context);
  }

  /** As {@link #read}, of the serializer of keys. */
  public static StoredSerializer readKey(StateInput in, SerializerContext context) {
    StateInput snapshot = new StateInput().reset(in);
    return withJobHash(ofKey(read(in, context)), snapshot, in, context);
  }

  /** The same serializer, of keys. */
  static StoredSerializer ofKey(StoredSerializer serializer) {
    return new StoredSerializer(
        serializer.description(),
        serializer.codec().ofKey(),
        serializer.jobHash(),
        serializer.schema());
  }

  private static StoredSerializer withJobHash(
      StoredSerializer key, StateInput snapshot, StateInput behind, SerializerContext context) {
    Codec codec = key.codec();
    if (context.jobClasses().isEmpty() || codec.keyHash() != null || codec.unwritable() != null) {
      return key;
    }
    byte[] bytes = snapshot.readBytes(behind.position() - snapshot.position());
    return new StoredSerializer(
        key.description(), codec, context.jobClasses().get().keyHash(bytes, codec), key.schema());
  }

  /**
   * The serializer of timers whose parts these serializers write; its codec a {@link TimerCodec}.
   */
  public static StoredSerializer timer(StoredSerializer key, StoredSerializer namespace) {
    return RuntimeSnapshots.timer(key, namespace);
  }

  /**
   * Stands for a serializer of which nothing is known; its codec is opaque, without known ends.
   *
   * @param reason one sentence for a user, without its full stop
   */
  public static StoredSerializer unknown(String reason) {
    return new StoredSerializer("unknown", OpaqueCodec.undelimited(reason));
  }
}
