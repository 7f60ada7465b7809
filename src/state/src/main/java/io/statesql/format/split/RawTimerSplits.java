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
package io.statesql.format.split;

import io.statesql.StateSqlException;
import io.statesql.format.header.KeyedHeaders;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SubtaskState;
import io.statesql.type.MalformedValueException;
import java.util.ArrayList;
import java.util.List;

/**
 * The splits of timers in the raw keyed state of an operator, where RocksDB jobs with timers on the
 * heap keep them.
 */
public final class RawTimerSplits {
  private RawTimerSplits() {}

  /**
   * Finds them.
   *
   * @return one split for each subtask with such timers; other raw keyed state has none
   * @throws StateSqlException if there are timers whose header cannot be read
   */
  public static List<KeyedSplit> of(Snapshot snapshot, OperatorState operator) {
    return HeaderRounds.read(
        snapshot,
        knowing -> read(knowing, operator),
        split -> split.header().pojos(),
        FirstValues::ofKeyed);
  }

  private static List<KeyedSplit> read(Snapshot snapshot, OperatorState operator) {
    List<KeyedSplit> splits = new ArrayList<>();
    List<KeyedSplit> others = new ArrayList<>();
    KeyedHeaders headers = new KeyedHeaders();
    for (SubtaskState subtask : operator.subtasks()) {
      if (subtask.rawKeyedState() instanceof KeyedStateHandle.KeyGroups raw) {
        KeyedSplits.requireOwnKeyGroups(snapshot, operator, subtask.index(), raw);
        KeyedSplit split =
            KeyedForms.RAW_TIMERS.read(snapshot, operator, subtask.index(), raw, headers);
        (split.header() == null ? others : splits).add(split);
      }
    }
    if (!splits.isEmpty()) {
      others.forEach(RawTimerSplits::requireNoContent);
    }
    splits.removeIf(split -> split.header().states().isEmpty());
    return splits;
  }

  /** Subtasks of one operator keep timers all alike. */
  private static void requireNoContent(KeyedSplit split) {
    KeyedStateHandle.KeyGroups handle = (KeyedStateHandle.KeyGroups) split.handle();
    if (handle.offsets().stream().anyMatch(offset -> offset >= 0)) {
      throw SplitFault.malformed(
          split,
          null,
          -1,
          false,
          new MalformedValueException(
              0, "it does not begin with timers, which other subtasks have there"));
    }
  }
}
