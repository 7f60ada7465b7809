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
package io.statesql.schema;

import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.StateMeta;
import io.statesql.type.Codec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says of a state whose handles do not go together which of them says what, and where it lies. */
final class StateHandles {
  private StateHandles() {}

  /** What one handle says of a state. */
  private record Told(int subtask, String file, StateMeta state) {
    String place() {
      return "subtask " + subtask + " in " + file;
    }

    String types() {
      return state.kind()
          + " of "
          + Stream.of(Part.values())
              .map(state::codec)
              .filter(Objects::nonNull)
              .map(Codec::type)
              .map(SqlTypes::text)
              .collect(Collectors.joining(", "));
    }
  }

  /** The conflict between the handles of a keyed state, and which these are. */
  static String conflictOfKeyed(
      String state, TypeConflictException conflict, List<KeyedSplit> splits) {
    return conflict(
        conflict,
        splits.stream()
            .flatMap(
                split ->
                    split.header().states().stream()
                        .filter(meta -> meta.name().equals(state))
                        .map(meta -> new Told(split.subtask(), split.file(), meta))));
  }

  /** The conflict between the handles of an operator state, and which these are. */
  static String conflictOfOperatorState(
      String state, TypeConflictException conflict, List<OperatorSplit> splits) {
    return conflict(
        conflict,
        splits.stream()
            .flatMap(
                split ->
                    split.header().state(state).stream()
                        .map(meta -> new Told(split.subtask(), split.file(), meta))));
  }

  /** One handle stands for all that say the same. */
  private static String conflict(TypeConflictException conflict, Stream<Told> handles) {
    Map<String, String> firstByTypes = new LinkedHashMap<>();
    handles.forEach(told -> firstByTypes.putIfAbsent(told.types(), told.place()));
    return firstByTypes.entrySet().stream()
        .map(first -> first.getValue() + " " + first.getKey())
        .collect(Collectors.joining(", ", conflict.getMessage() + " (", ")"));
  }
}
