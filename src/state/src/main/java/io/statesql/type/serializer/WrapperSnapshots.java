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
import io.statesql.type.MalformedValueException;
import io.statesql.type.NullFlag;
import io.statesql.type.StateInput;
import io.statesql.type.composite.OptionalCodec;
import io.statesql.type.composite.TtlCodec;
import java.util.List;
import java.util.Map;

/** Serializers that wrap one other: of nullable values, of values with a time to live, of none. */
public final class WrapperSnapshots {
  private static final int NULLABLE_VERSION = 2;

  /** Of an undecodable value; no value of fixed length comes near it. */
  private static final int MOST_PADDING = 1 << 20;

  private static final int TTL_VERSION = 2;
  private static final int TTL_AWARE_VERSION = 1;
  private static final int SINGLE_THREAD_VERSION = 1;

  private WrapperSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(
        "org.apache.flink.api.java.typeutils.runtime.NullableSerializer$NullableSerializerSnapshot",
        WrapperSnapshots::parseNullable);
    parsers.put(
        "org.apache.flink.api.common.typeutils.SingleThreadAccessCheckingTypeSerializer"
            + "$SingleThreadAccessCheckingTypeSerializerSnapshot",
        WrapperSnapshots::parseSingleThread);
    parsers.put(
        "org.apache.flink.runtime.state.ttl.TtlStateFactory$TtlSerializerSnapshot",
        WrapperSnapshots::parseTtl);
    parsers.put(
        "org.apache.flink.runtime.state.v2.ttl.TtlStateFactory$TtlSerializerSnapshot",
        WrapperSnapshots::parseTtl);
    parsers.put(
        "org.apache.flink.runtime.state.ttl.TtlAwareSerializerSnapshot",
        WrapperSnapshots::parseTtlAware);
  }

  private static StoredSerializer parseNullable(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, NULLABLE_VERSION);
    StateInput in = reader.in();
    long offset = in.offset();
    int padding = in.readInt();
    StoredSerializer value = reader.readNested(1).get(0);
    if (!isPadding(padding, value.codec())) {
      throw new MalformedValueException(
          offset, "null cannot be padded with " + padding + " bytes before " + value.description());
    }
    return new StoredSerializer(
        "Nullable<" + value.description() + ">",
        new OptionalCodec(value.codec(), NullFlag.IS_NULL, padding));
  }

  /** Null is padded to the length of a value, which is not known if that is undecodable. */
  private static boolean isPadding(int padding, Codec value) {
    return padding == 0
        || padding == value.declaredLength()
        || (!value.isDelimited() && padding > 0 && padding <= MOST_PADDING);
  }

  private static StoredSerializer parseSingleThread(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, SINGLE_THREAD_VERSION);
    return reader.readNested(1).get(0);
  }

  private static StoredSerializer parseTtl(SnapshotReader reader, int version) {
    reader.readOuterVersion(version, TTL_VERSION);
    List<StoredSerializer> nested = reader.readNested(2);
    StoredSerializer value = nested.get(1);
    return new StoredSerializer("Ttl<" + value.description() + ">", new TtlCodec(value.codec()));
  }

  /** Says whether TTL is on; the serializer inside is wrapped, or not, to match. */
  private static StoredSerializer parseTtlAware(SnapshotReader reader, int version) {
    reader.requireVersion(version, TTL_AWARE_VERSION);
    reader.in().readBoolean();
    return reader.readSnapshot();
  }
}
