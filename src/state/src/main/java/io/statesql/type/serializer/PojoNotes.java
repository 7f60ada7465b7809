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
import io.statesql.type.SqlType;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Notes where POJOs stand in the serializers of a header, and which subclasses of them the header,
 * and the values that are read with it, know. Safe for use by many threads.
 */
public final class PojoNotes {
  private final Map<String, Map<String, Noted>> byPlace = new ConcurrentHashMap<>();

  /** Those who are to know what is met with these. */
  private final Set<PojoNotes> others = ConcurrentHashMap.newKeySet();

  /**
   * A subclass.
   *
   * @param codec empty if nothing tells how its values are stored
   * @param shown whether the codec of the POJO has columns for it
   * @param fields the type that gives it its fields in the row of the POJO, where they are known
   */
  record Noted(Optional<Codec> codec, boolean shown, Optional<SqlType> fields) {}

  /** A POJO stands at a place. */
  public void add(String place) {
    at(place);
  }

  private Map<String, Noted> at(String place) {
    return byPlace.computeIfAbsent(place, absent -> new ConcurrentHashMap<>());
  }

  /** A header, or who read it, knows a subclass of the POJO at a place. */
  public void add(String place, String subclass, @Nullable Codec codec, @Nullable SqlType fields) {
    at(place)
        .put(subclass, new Noted(Optional.ofNullable(codec), true, Optional.ofNullable(fields)));
  }

  /** A value is of a subclass that the header does not know. */
  public void meet(String place, String subclass, @Nullable Codec codec) {
    at(place).putIfAbsent(subclass, new Noted(Optional.ofNullable(codec), false, Optional.empty()));
    others.forEach(other -> other.meet(place, subclass, codec));
  }

  /** Lets others know what is in these, and what comes into them from values. */
  public void reportTo(PojoNotes other) {
    byPlace.forEach((place, subclasses) -> subclasses.forEach(other.at(place)::putIfAbsent));
    byPlace.keySet().forEach(other::add);
    others.add(other);
  }

  /** Whether a POJO stands below a place. */
  public boolean isAnyBelow(String place) {
    return byPlace.keySet().stream().anyMatch(one -> one.startsWith(place + "/"));
  }

  Map<String, Map<String, Noted>> byPlace() {
    return byPlace;
  }
}
