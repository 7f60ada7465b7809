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
import io.statesql.type.OpaqueCodec;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.StoredSerializer;
import java.util.List;
import java.util.Set;

/**
 * Codecs of what Flink's {@code KryoSerializer} writes: {@code Kryo.writeClassAndObject} with
 * references. Class-free for data made only of JDK value types and their collections ({@link
 * KryoColumn} lists them); opaque with a reason where the declared class is another.
 *
 * <p>A value that is declared by an interface or holds other objects may still hold one of a class
 * of the job: reading or skipping that value, not the whole column, fails with {@link
 * io.statesql.ErrorCode#UNDECODABLE_STATE} and names the class.
 */
public final class KryoCodecs {

  private KryoCodecs() {}

  /**
   * The serializer of Kryo data as a {@code KryoSerializerSnapshot} describes it.
   *
   * @param typeClass binary name of the class that the snapshot declares
   * @param registrations the snapshot's, in its order
   * @param defaultSerializerClasses keys of the snapshot's two maps of default serializers: names
   *     of classes which, with all their subclasses, the job wrote with serializers of its own
   * @param version who wrote the data
   */
  public static StoredSerializer of(
      String typeClass,
      List<KryoRegistration> registrations,
      Set<String> defaultSerializerClasses,
      KryoVersion version) {
    return new StoredSerializer(
        "Kryo<" + typeClass + ">",
        codec(typeClass, new KryoClassIds(registrations, defaultSerializerClasses), version));
  }

  private static Codec codec(String typeClass, KryoClassIds ids, KryoVersion version) {
    Class<?> declared = KryoClasses.declared(typeClass);
    if (declared == null) {
      return OpaqueCodec.needingClass(
          "This is Kryo data, which cannot be decoded without the class " + typeClass);
    }
    String serializer = ids.jobSerializerOf(typeClass);
    if (serializer != null) {
      return OpaqueCodec.needingClass(
          "This is Kryo data of "
              + typeClass
              + ", which the job wrote with a serializer of its own ("
              + serializer
              + ")");
    }
    return new KryoCodec(declared, ids, version);
  }
}
