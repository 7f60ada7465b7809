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
package io.statesql.change;

import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the entries of one keyed state of an operator are stored, and how they are encoded. */
final class KeyedTarget {
  private final String state;
  private final KeyGrouping groups;
  private final List<KeyedSplit> splits;
  private final List<ChangedColumn> columns;
  private final Map<StateMeta, Encoders> encoders = new HashMap<>();

  /**
   * @param splits of the operator, with what is staged
   * @param columns that the statement assigns
   */
  KeyedTarget(
      String state, KeyGrouping groups, List<KeyedSplit> splits, List<ChangedColumn> columns) {
    this.state = state;
    this.groups = groups;
    this.splits = splits.stream().filter(split -> metaIn(split, state).isPresent()).toList();
    this.columns = columns;
  }

  private static Optional<KeyedStateMeta> metaIn(KeyedSplit split, String state) {
    return split.header().states().stream().filter(meta -> meta.name().equals(state)).findFirst();
  }

  /** With the serializers of the first split that has the state. */
  Encoders anyEncoders() {
    return encoders(metaIn(splits.get(0), state).orElseThrow());
  }

  Encoders encoders(StateMeta meta) {
    return encoders.computeIfAbsent(meta, unknown -> new Encoders(meta, columns));
  }

  /**
   * The key group of the key that a row assigns.
   *
   * @throws RefusedValueException if it cannot be known
   */
  int keyGroup(Object[] row) {
    PartEncoder key = anyEncoders().key();
    return groups.of(metaIn(splits.get(0), state).orElseThrow(), key.value(row));
  }

  /**
   * With the serializers of the split that holds a key group.
   *
   * @throws RefusedValueException if no subtask has the state there
   */
  Encoders encodersAt(int keyGroup) {
    for (KeyedSplit split : splits) {
      if (split.handle().keyGroups().contains(keyGroup)) {
        return encoders(metaIn(split, state).orElseThrow());
      }
    }
    throw new RefusedValueException(
        "state_key",
        "its key group "
            + keyGroup
            + " belongs to a subtask that has not stored state \""
            + state
            + "\" yet, so the snapshot has no serializer for it there");
  }

  /** Whether the windows of the state merge, as session windows do. */
  boolean hasMergingWindows() {
    return anyEncoders().state().codecs().hasTimeWindow()
        && splits.stream()
            .flatMap(split -> split.header().states().stream())
            .anyMatch(KeyedStateMeta::isMergingWindowSet);
  }
}
