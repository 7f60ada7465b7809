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
package io.statesql.type.pojo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.MissingJobClassException;
import io.statesql.type.serializer.SnapshotPlace;
import io.statesql.type.serializer.SnapshotReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a POJO stands in the serializers of a header, and what is known of its subclasses beyond
 * that header. Safe for use by many threads.
 */
final class PojoPlace {
  /**
   * Flink 1 leaves to Kryo what these write in Flink 2, so what Flink 2 makes of a class does not
   * tell how Flink 1 stored it.
   */
  private static final List<String> OTHERWISE_IN_FLINK_1 =
      List.of(
          KryoVersion.SNAPSHOT_CLASS,
          "org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot",
          "org.apache.flink.api.common.typeutils.base.MapSerializerSnapshot",
          "org.apache.flink.api.common.typeutils.base.SetSerializerSnapshot");

  /** Which of a POJO's optional maps has the subclasses that are not registered. */
  private static final int UNREGISTERED_SUBCLASSES = 2;

  private final SnapshotPlace place;
  private final String className;
  private final Map<String, Optional<Codec>> met = new ConcurrentHashMap<>();

  PojoPlace(SnapshotPlace place, String className) {
    this.place = place;
    this.className = className;
    place.context().pojoNotes().add(place.path());
  }

  /**
   * Adds the subclasses that only other headers of the operator, or values, know.
   *
   * @param registered those that the header knows, by tag
   * @param unregistered the others that it knows
   * @return all but the registered ones, by name: all headers have them in the same order
   */
  List<PojoSubclass> complete(List<PojoSubclass> registered, List<PojoSubclass> unregistered) {
    List<PojoSubclass> all = new ArrayList<>(unregistered);
    Set<String> stored =
        Stream.concat(registered.stream(), unregistered.stream())
            .map(PojoSubclass::name)
            .collect(Collectors.toSet());
    place
        .context()
        .pojoSubclasses()
        .at(place.path())
        .forEach(
            (name, fields) -> {
              if (!stored.contains(name)) {
                Codec codec = ofJob(name);
                all.add(new PojoSubclass(name, codec, fields.orElse(codec), codec != null));
              }
            });
    all.sort(Comparator.comparing(PojoSubclass::name));
    Stream.concat(registered.stream(), all.stream()).forEach(this::note);
    return all;
  }

  private void note(PojoSubclass subclass) {
    place
        .context()
        .pojoNotes()
        .add(
            place.path(),
            subclass.name(),
            subclass.codec(),
            subclass.fields() == null ? null : subclass.fields().type());
  }

  /**
   * What the job's classes say of a subclass that no header of the operator knows, and no value
   * that was looked at before.
   *
   * @return null if they say nothing
   */
  @Nullable Codec meet(String subclass) {
    Optional<Codec> codec = met.computeIfAbsent(subclass, name -> Optional.ofNullable(ofJob(name)));
    place.context().pojoNotes().meet(place.path(), subclass, codec.orElse(null));
    return codec.orElse(null);
  }

  /** The codec of what the serializer writes that Flink makes of a class of the job. */
  private @Nullable Codec ofJob(String subclass) {
    if (place.context().jobClasses().isEmpty()) {
      return null;
    }
    try {
      byte[] snapshot = place.context().jobClasses().get().subclassSnapshot(subclass, className);
      if (place.context().kryo() == KryoVersion.KRYO_2 && isOtherwiseInFlink1(snapshot)) {
        return null;
      }
      SnapshotPlace unregistered = place.within(UNREGISTERED_SUBCLASSES + ":" + subclass);
      return SnapshotReader.readAt(unregistered, new StateInput(snapshot)).codec();
    } catch (MissingJobClassException | MalformedValueException e) {
      // Without it the value is shown as it is without the jars.
      return null;
    }
  }

  private static boolean isOtherwiseInFlink1(byte[] snapshot) {
    String text = new String(snapshot, ISO_8859_1);
    return OTHERWISE_IN_FLINK_1.stream().anyMatch(text::contains);
  }
}
