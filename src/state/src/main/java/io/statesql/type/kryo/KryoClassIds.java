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

import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which class each class identifier in the data of one KryoSerializer stands for, and which classes
 * the job reads with serializers of its own. Immutable.
 *
 * <p>Identifiers as Flink 2.3 gives them: 0 to 8 by the constructor of {@code Kryo} 5.6; 73 to 84
 * by {@code FlinkChillPackageRegistrar}; from 85 the snapshot's registrations in order, where one
 * without a serializer whose class has an identifier already takes none ({@code
 * KryoUtils.applyRegistrations}).
 */
final class KryoClassIds {
  private static final int FIRST_CHILL_ID = 73;

  private static final List<String> CHILL_CLASSES =
      List.of(
          "java.util.Arrays$ArrayList",
          "java.util.BitSet",
          "java.util.PriorityQueue",
          "java.util.regex.Pattern",
          "java.sql.Date",
          "java.sql.Time",
          "java.sql.Timestamp",
          "java.net.URI",
          "java.net.InetSocketAddress",
          "java.util.UUID",
          "java.util.Locale",
          "java.text.SimpleDateFormat");

  private static final Set<String> KRYO_CLASSES =
      Set.of(
          "java.lang.Integer",
          "java.lang.String",
          "java.lang.Float",
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Short",
          "java.lang.Long",
          "java.lang.Double");

  private final Map<Integer, String> nameById = new HashMap<>();
  private final Map<String, Integer> idByName = new HashMap<>();
  private final Map<String, String> serializerByName = new HashMap<>();
  private final Set<String> defaultSerializerClasses;

  /**
   * @param registrations those of the snapshot, in its order
   * @param defaultSerializerClasses names of the classes for which the job added default
   *     serializers; they hold for subclasses too
   */
  KryoClassIds(List<KryoRegistration> registrations, Set<String> defaultSerializerClasses) {
    this.defaultSerializerClasses = Set.copyOf(defaultSerializerClasses);
    Set<String> numbered = new HashSet<>(KRYO_CLASSES);
    int id = FIRST_CHILL_ID;
    for (String name : CHILL_CLASSES) {
      put(id++, name);
      numbered.add(name);
    }
    for (KryoRegistration registration : registrations) {
      String name = registration.className();
      if (registration.kind() != KryoRegistration.Kind.UNSPECIFIED) {
        String serializer = registration.serializerClass();
        serializerByName.put(name, serializer == null ? "of the job" : serializer);
      } else if (!numbered.add(name)) {
        continue;
      }
      put(id++, name);
    }
  }

  private void put(int id, String name) {
    nameById.put(id, name);
    idByName.put(name, id);
  }

  /** Identifiers above those of {@code Kryo} itself, with the class names they stand for. */
  Map<Integer, String> nameById() {
    return nameById;
  }

  /** The identifier that a class is written with, or {@link DefaultClassResolver#NAME}. */
  int idOf(String name) {
    return idByName.getOrDefault(name, (int) DefaultClassResolver.NAME);
  }

  /** The serializer of the job that writes objects of this class, or null if it is Kryo's own. */
  String jobSerializerOf(String name) {
    String serializer = serializerByName.get(name);
    if (serializer != null || defaultSerializerClasses.isEmpty()) {
      return serializer;
    }
    boolean chosenByFlink = KRYO_CLASSES.contains(name) || CHILL_CLASSES.contains(name);
    Class<?> type = KryoClasses.declared(name);
    if (chosenByFlink || type == null) {
      return null;
    }
    for (String superName : KryoClasses.namesOf(type)) {
      if (defaultSerializerClasses.contains(superName)) {
        return "for " + superName;
      }
    }
    return null;
  }
}
