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
package io.statesql.format.rows;

import io.statesql.ScanLimits;
import io.statesql.format.form.KeyedForm;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedForms;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.Snapshot;
import java.util.List;
import java.util.Set;

/**
 * Opens the keys of one split, a row each, with some of their states. A key is there if it has any
 * of the states asked for, whether or not a column shows that state.
 */
public final class KeyRows {
  private KeyRows() {}

  /**
   * Opens a split.
   *
   * @param states names of the states, none of them windowed
   * @param condition what is wanted of their keys; others may have rows too
   * @throws io.statesql.StateSqlException if the file cannot be had or its form is not read
   */
  public static RowCursor open(
      Snapshot snapshot,
      KeyedSplit split,
      Set<String> states,
      ElementCondition condition,
      List<KeyColumn> columns) {
    ScanLimits limits = snapshot.scan().limits();
    KeyRowReader reader = new KeyRowReader(split, states, columns, limits.rowBytes());
    // Staged changes stand behind what is stored of their key groups, not key by key.
    boolean isStaged = states.stream().anyMatch(split.staged()::isChanged);
    KeyedForm form = KeyedForms.of(split);
    return form.isSortedByKey() && !isStaged
        ? new MergedKeyRows(
            KeyedSplits.openByKey(snapshot, split, reader.wanted(), condition),
            SplitsInUse.keyed(snapshot, split),
            reader,
            snapshot.scan().cancellation())
        : new GatheredKeyRows(
            snapshot,
            split,
            condition,
            KeyedSplits.open(snapshot, split, reader.wanted(), condition),
            SplitsInUse.keyed(snapshot, split),
            reader,
            limits.gatheredBytes() - form.memory(limits));
  }
}
