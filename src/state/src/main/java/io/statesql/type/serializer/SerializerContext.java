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

import java.util.Map;
import java.util.Optional;

/**
 * What a serializer snapshot does not say itself but must be known to read it. Immutable.
 *
 * @param kryo the Kryo that wrote the values, see {@link KryoVersion#ofMetadata}
 * @param payloadLengths lengths to assume for the payloads of unknown snapshot classes, by the
 *     {@linkplain UnknownSerializerException#payloadOffset() offset} of the payload
 * @param jobClasses what reads values that need a class of the job, if the user gave any
 * @param readsJobSnapshots whether those classes also read serializer snapshots of their own, whose
 *     lengths nothing else tells
 * @param pojoSubclasses what is known of the operator beyond the header that is read
 * @param pojoNotes takes what that header, and the values that are read with it, know
 * @param place names the serializer within its header; all headers of an operator name it the same
 */
public record SerializerContext(
    KryoVersion kryo,
    Map<Long, Integer> payloadLengths,
    Optional<JobClasses> jobClasses,
    boolean readsJobSnapshots,
    PojoSubclasses pojoSubclasses,
    PojoNotes pojoNotes,
    String place) {

  public SerializerContext {
    payloadLengths = Map.copyOf(payloadLengths);
  }

  /** A context that assumes no lengths and has no classes of the job. */
  public static SerializerContext of(KryoVersion kryo) {
    return of(kryo, Optional.empty());
  }

  /** A context that assumes no lengths. */
  public static SerializerContext of(KryoVersion kryo, Optional<JobClasses> jobClasses) {
    return new SerializerContext(
        kryo,
        Map.of(),
        jobClasses,
        jobClasses.isPresent(),
        PojoSubclasses.NONE,
        new PojoNotes(),
        /* place= */ "");
  }

  /** The same context with other assumed lengths. */
  public SerializerContext withPayloadLengths(Map<Long, Integer> lengths) {
    return new SerializerContext(
        kryo, lengths, jobClasses, readsJobSnapshots, pojoSubclasses, pojoNotes, place);
  }

  /** The same context, in which snapshots of the job's own classes are not read by them. */
  public SerializerContext withoutJobSnapshots() {
    return new SerializerContext(
        kryo, payloadLengths, jobClasses, false, pojoSubclasses, pojoNotes, place);
  }

  /** The same context with what is known of all of an operator. */
  public SerializerContext knowing(PojoSubclasses subclasses) {
    return new SerializerContext(
        kryo, payloadLengths, jobClasses, readsJobSnapshots, subclasses, pojoNotes, place);
  }

  /** The same context for one header, of which notes are taken. */
  public SerializerContext noting(PojoNotes notes) {
    return new SerializerContext(
        kryo, payloadLengths, jobClasses, readsJobSnapshots, pojoSubclasses, notes, place);
  }

  /** The same context for the serializers at a place of the header. */
  public SerializerContext at(String newPlace) {
    return new SerializerContext(
        kryo, payloadLengths, jobClasses, readsJobSnapshots, pojoSubclasses, pojoNotes, newPlace);
  }
}
