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

import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import io.statesql.type.serializer.KryoVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Bytes of Flink's own KryoSerializer, and the codec that its snapshot leads to. */
public final class KryoTestData {
  private static final String DUMMY_AVRO =
      "org.apache.flink.api.java.typeutils.runtime.kryo.Serializers$DummyAvroKryoSerializerClass";

  private KryoTestData() {}

  static byte[] write(Class<?> declared, Object value, Class<?>... registered) {
    SerializerConfigImpl config = new SerializerConfigImpl();
    for (Class<?> type : registered) {
      config.registerKryoType(type);
    }
    return write(declared, value, config);
  }

  @SuppressWarnings("unchecked")
  static byte[] write(Class<?> declared, Object value, SerializerConfigImpl config) {
    KryoSerializer<Object> serializer = new KryoSerializer<>((Class<Object>) declared, config);
    DataOutputSerializer out = new DataOutputSerializer(64);
    try {
      serializer.serialize(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.getCopyOfBuffer();
  }

  /** What the snapshot holds when flink-avro is not on the class path. */
  static List<KryoRegistration> registrations(Class<?> declared, Class<?>... registered) {
    List<KryoRegistration> registrations = new ArrayList<>();
    registrations.add(unspecified(declared.getName()));
    for (Class<?> type : registered) {
      registrations.add(unspecified(type.getName()));
    }
    registrations.add(
        new KryoRegistration(
            "org.apache.avro.generic.GenericData$Array", KryoRegistration.Kind.CLASS, DUMMY_AVRO));
    return registrations;
  }

  static KryoRegistration unspecified(String className) {
    return new KryoRegistration(className, KryoRegistration.Kind.UNSPECIFIED, null);
  }

  public static Codec codec(String declared, List<KryoRegistration> registrations) {
    return KryoCodecs.of(declared, registrations, Set.of(), KryoVersion.KRYO_5).codec();
  }

  public static Codec codec(Class<?> declared, Class<?>... registered) {
    return codec(declared.getName(), registrations(declared, registered));
  }

  /**
   * Writes with Flink, reads with ours, and checks that both read and skip end at the last byte.
   */
  public static Object roundTrip(Class<?> declared, Object value, Class<?>... registered) {
    byte[] bytes = write(declared, value, registered);
    Codec codec = codec(declared, registered);
    StateInput skipped = framed(bytes);
    codec.skip(skipped);
    requireEnd(skipped);
    StateInput in = framed(bytes);
    Object read = codec.read(in);
    requireEnd(in);
    return read;
  }

  /** The bytes amid others, as in a record of several fields. */
  private static StateInput framed(byte[] bytes) {
    byte[] framed = new byte[bytes.length + 12];
    java.util.Arrays.fill(framed, (byte) 0x55);
    System.arraycopy(bytes, 0, framed, 3, bytes.length);
    return new StateInput().reset(framed, 3, bytes.length + 9, 1000);
  }

  private static void requireEnd(StateInput in) {
    if (in.remaining() != 9) {
      throw new AssertionError("expected 9 bytes after the value but found " + in.remaining());
    }
  }
}
