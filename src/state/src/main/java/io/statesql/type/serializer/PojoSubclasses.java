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
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The subclasses of each POJO in the serializers of an operator: those that any of its headers has
 * a serializer for, and those that values were seen to be of. Flink stores the serializer of a
 * subclass that is not registered only where the copy that wrote the snapshot has met it, so
 * headers of one operator know different ones, or none although there are values; yet all handles
 * must show the same columns. Immutable.
 */
public final class PojoSubclasses {
  public static final PojoSubclasses NONE = new PojoSubclasses(Map.of());

  /** By place of the POJO, by class name. */
  private final Map<String, SortedMap<String, Optional<Codec>>> byPlace;

  private PojoSubclasses(Map<String, SortedMap<String, Optional<Codec>>> byPlace) {
    this.byPlace = byPlace;
  }

  /** All that headers, and readers of their values, have noted. */
  public static PojoSubclasses of(Collection<PojoNotes> headers) {
    Map<String, SortedMap<String, Optional<Codec>>> byPlace = new HashMap<>();
    for (PojoNotes header : headers) {
      header
          .byPlace()
          .forEach(
              (place, subclasses) ->
                  subclasses.forEach(
                      (name, noted) ->
                          byPlace
                              .computeIfAbsent(place, absent -> new TreeMap<>())
                              .merge(name, noted.codec(), (one, other) -> one.or(() -> other))));
    }
    return new PojoSubclasses(byPlace);
  }

  /** Whether a header that was read without these would be read otherwise with them. */
  public boolean areNewTo(PojoNotes header) {
    return header.byPlace().entrySet().stream()
        .anyMatch(
            place ->
                at(place.getKey()).entrySet().stream()
                    .anyMatch(
                        subclass ->
                            isNew(subclass.getValue(), place.getValue().get(subclass.getKey()))));
  }

  private static boolean isNew(Optional<Codec> subclass, PojoNotes.Noted noted) {
    return noted == null
        || !noted.shown()
        || (subclass.isPresent() && !subclass.map(Codec::type).equals(noted.fields()));
  }

  /**
   * The subclasses of the POJO at a place, by name.
   *
   * @return a codec of each that some header has, or the job's classes; only to say which fields it
   *     has, for another header may store them in another order
   */
  public SortedMap<String, Optional<Codec>> at(String place) {
    return byPlace.getOrDefault(place, new TreeMap<>());
  }
}
