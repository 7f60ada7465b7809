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
import java.util.List;
import java.util.Optional;

/**
 * The header of one operator state handle: what Flink's {@code OperatorBackendSerializationProxy}
 * (version 5, Flink 1.8 to 1.18, and 6, Flink 1.19 to 2.3) holds.
 *
 * @param compressed whether the elements are parts of one snappy-framed stream, each beginning with
 *     a chunk of its own
 * @param states in stored order: the lists, then the broadcast states; names are unique
 * @param pojos what it, and the values that are read with it, know of subclasses of POJOs, below
 *     the names of the states
 * @param isGuess whether serializer snapshots of unknown classes are in it, whose lengths were
 *     guessed
 */
public record OperatorHeader(
    boolean compressed, List<OperatorStateMeta> states, PojoNotes pojos, boolean isGuess) {
  public OperatorHeader {
    states = List.copyOf(states);
  }

  /** The state of a name, if the subtask that wrote the handle knew it. */
  public Optional<OperatorStateMeta> state(String name) {
    return states.stream().filter(state -> state.name().equals(name)).findFirst();
  }
}
