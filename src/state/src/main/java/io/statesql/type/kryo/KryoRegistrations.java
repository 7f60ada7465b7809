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

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.serializer.SnapshotReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the snapshot of a {@code KryoSerializer} says ({@code KryoSerializerSnapshotData},
 * flink-core 2.3). Of the default serializers, which may be Java-serialized, only the classes that
 * they are for are kept.
 *
 * @param typeClass the class whose values the serializer writes
 * @param registrations in the order in which Kryo numbers them
 * @param defaultSerializerClasses the classes for which the job added default serializers
 */
record KryoRegistrations(
    String typeClass, List<KryoRegistration> registrations, Set<String> defaultSerializerClasses) {

  KryoRegistrations {
    registrations = List.copyOf(registrations);
    defaultSerializerClasses = Set.copyOf(defaultSerializerClasses);
  }

  static KryoRegistrations read(SnapshotReader reader) {
    String typeClass = reader.in().readUtf();
    List<KryoRegistration> registrations = new ArrayList<>();
    for (var entry : reader.readOptionalMap(KryoRegistrations::readRegistration)) {
      registrations.add(
          entry.value() != null
              ? entry.value()
              : new KryoRegistration(entry.name(), KryoRegistration.Kind.UNSPECIFIED, null));
    }
    Set<String> defaultSerializerClasses = new HashSet<>();
    readDefaultSerializers(reader, defaultSerializerClasses);
    readDefaultSerializers(reader, defaultSerializerClasses);
    return new KryoRegistrations(typeClass, registrations, defaultSerializerClasses);
  }

  private static KryoRegistration readRegistration(SnapshotReader frame) {
    StateInput in = frame.in();
    String className = in.readUtf();
    long offset = in.offset();
    int ordinal = in.readInt();
    KryoRegistration.Kind kind =
        switch (ordinal) {
          case 0 -> KryoRegistration.Kind.UNSPECIFIED;
          case 1 -> KryoRegistration.Kind.CLASS;
          case 2 -> KryoRegistration.Kind.INSTANCE;
          default ->
              throw new MalformedValueException(
                  offset, ordinal + " does not say how Kryo serializes the class " + className);
        };
    String serializerClass = kind == KryoRegistration.Kind.CLASS ? in.readUtf() : null;
    return new KryoRegistration(className, kind, serializerClass);
  }

  private static void readDefaultSerializers(SnapshotReader reader, Set<String> classes) {
    for (var entry : reader.readOptionalMap(frame -> frame.in().remaining())) {
      classes.add(entry.name());
    }
  }
}
