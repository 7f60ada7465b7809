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

import com.esotericsoftware.kryo.Serializer;
import io.statesql.type.serializer.KryoVersion;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The classes that Kryo data may hold: value types of the JDK and their collections, each with the
 * serializer that reads what the Kryo of Flink writes for it by default. Names are only looked up
 * here, so no name in a snapshot ever makes the JVM load a class.
 */
final class KryoClasses {
  /** More array dimensions than anyone uses; bounds the array classes that data can create. */
  private static final int MAX_ARRAY_DIMENSIONS = 8;

  /** Classes that objects have. */
  private static final Map<KryoVersion, Map<String, Allowed>> VALUES =
      new EnumMap<>(KryoVersion.class);

  /** Classes that only fields, arrays and type parameters have: interfaces and abstract classes. */
  private static final Map<String, Class<?>> DECLARED = new HashMap<>();

  private KryoClasses() {}

  /** A class of objects, and how the bytes of one are read. */
  record Allowed(Class<?> type, Supplier<? extends Serializer<?>> serializer) {}

  static {
    VALUES.put(KryoVersion.KRYO_5, KryoClassTable.of(KryoVersion.KRYO_5));
    VALUES.put(KryoVersion.KRYO_2, KryoClassTable.of(KryoVersion.KRYO_2));
    declared();
  }

  /** The class of objects with this binary name, or null if none such is allowed. */
  static Allowed value(String name, KryoVersion version) {
    Allowed value = VALUES.get(version).get(name);
    if (value != null || !name.startsWith("[")) {
      return value;
    }
    Class<?> array = declared(name);
    return array == null ? null : new Allowed(array, KryoReader::array);
  }

  /** The class with this binary name as something is declared to be, or null if not allowed. */
  static Class<?> declared(String name) {
    Allowed value = VALUES.get(KryoVersion.KRYO_5).get(name);
    if (value != null) {
      return value.type();
    }
    if (!name.startsWith("[")) {
      return DECLARED.get(name);
    }
    int dimensions = name.lastIndexOf('[') + 1;
    if (dimensions > MAX_ARRAY_DIMENSIONS) {
      return null;
    }
    Class<?> component =
        name.startsWith("L", dimensions) && name.endsWith(";")
            ? declared(name.substring(dimensions + 1, name.length() - 1))
            : primitiveOf(name.substring(dimensions));
    for (int i = 0; component != null && i < dimensions; i++) {
      component = component.arrayType();
    }
    return component;
  }

  /** Every class of objects but arrays of objects. */
  static List<Allowed> values(KryoVersion version) {
    return List.copyOf(VALUES.get(version).values());
  }

  /** Binary names of a class and everything that it extends or implements. */
  static Set<String> namesOf(Class<?> type) {
    Set<String> names = new LinkedHashSet<>();
    addNamesOf(type, names);
    return names;
  }

  private static void addNamesOf(Class<?> type, Set<String> names) {
    if (type == null || !names.add(type.getName())) {
      return;
    }
    addNamesOf(type.getSuperclass(), names);
    for (Class<?> implemented : type.getInterfaces()) {
      addNamesOf(implemented, names);
    }
    if (type.isArray() && !type.getComponentType().isPrimitive()) {
      Class<?> component = type.getComponentType();
      addNamesOf(arrayOf(component.getSuperclass()), names);
      for (Class<?> implemented : component.getInterfaces()) {
        addNamesOf(implemented.arrayType(), names);
      }
      addNamesOf(component == Object.class ? null : Object[].class, names);
    }
  }

  private static Class<?> arrayOf(Class<?> component) {
    return component == null ? null : component.arrayType();
  }

  private static Class<?> primitiveOf(String descriptor) {
    return switch (descriptor) {
      case "Z" -> boolean.class;
      case "B" -> byte.class;
      case "C" -> char.class;
      case "S" -> short.class;
      case "I" -> int.class;
      case "J" -> long.class;
      case "F" -> float.class;
      case "D" -> double.class;
      default -> null;
    };
  }

  private static void declare(Class<?>... types) {
    for (Class<?> type : types) {
      DECLARED.put(type.getName(), type);
    }
  }

  private static void declared() {
    declare(
        Object.class,
        java.io.Serializable.class,
        Comparable.class,
        Cloneable.class,
        CharSequence.class,
        Number.class,
        Enum.class,
        Iterable.class,
        java.util.Collection.class,
        List.class,
        Set.class,
        java.util.SortedSet.class,
        java.util.NavigableSet.class,
        java.util.Queue.class,
        java.util.Deque.class,
        java.util.RandomAccess.class,
        java.util.AbstractCollection.class,
        java.util.AbstractList.class,
        java.util.AbstractSequentialList.class,
        java.util.AbstractSet.class,
        java.util.AbstractQueue.class,
        java.util.concurrent.BlockingQueue.class,
        java.util.concurrent.BlockingDeque.class,
        Map.class,
        java.util.SortedMap.class,
        java.util.NavigableMap.class,
        java.util.AbstractMap.class,
        java.util.Dictionary.class,
        java.util.concurrent.ConcurrentMap.class,
        java.util.concurrent.ConcurrentNavigableMap.class,
        java.util.Calendar.class,
        java.util.TimeZone.class,
        java.nio.charset.Charset.class,
        java.net.SocketAddress.class,
        java.time.ZoneId.class,
        java.time.temporal.Temporal.class,
        java.time.temporal.TemporalAccessor.class,
        java.time.temporal.TemporalAdjuster.class,
        java.time.temporal.TemporalAmount.class,
        java.time.chrono.ChronoLocalDate.class,
        java.time.chrono.ChronoLocalDateTime.class,
        java.time.chrono.ChronoZonedDateTime.class,
        java.time.chrono.ChronoPeriod.class);
  }
}
