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
package io.statesql.format.model;

import io.statesql.type.serializer.PojoNotes;
import io.statesql.type.serializer.StoredSerializer;
import java.util.List;

/**
 * The header of one keyed state handle: what Flink's {@code KeyedBackendSerializationProxy}
 * (version 6, Flink 1.8 to 2.3) holds.
 *
 * @param compressed whether each key group is a snappy-framed stream of its own
 * @param states in the order in which entries refer to them
 * @param length of the header in bytes
 * @param pojos what it, and the values that are read with it, know of subclasses of POJOs; at
 *     {@value #KEY} and below the names of the states
 * @param isGuess whether serializer snapshots of unknown classes are in it, whose lengths were
 *     guessed
 */
public record KeyedHeader(
    boolean compressed,
    StoredSerializer key,
    List<KeyedStateMeta> states,
    long length,
    PojoNotes pojos,
    boolean isGuess) {
  public static final String KEY = "key";

  public KeyedHeader {
    states = List.copyOf(states);
  }
}
