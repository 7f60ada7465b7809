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

import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorSplit;
import io.statesql.snapshot.Snapshot;

/**
 * What a process that reads splits has opened already: the snapshots, with the scan that its
 * readers work within, and the headers of operators. {@link OpenedSnapshots} is one for a process
 * that knows nothing but specs; the embedded engine gives what its tables hold.
 */
public interface SplitHost {

  /** The snapshot of a spec, within a scan. */
  Snapshot snapshot(SplitSpec spec);

  /** The split of a spec of keyed state or raw timers, of which it reads the key groups alone. */
  KeyedSplit keyed(SplitSpec spec);

  /** The split of a spec of operator state. */
  OperatorSplit operator(SplitSpec spec);

  /**
   * A host of one split.
   *
   * @param snapshot within the scan
   * @param split with the changes that its readers see
   */
  static SplitHost of(Snapshot snapshot, KeyedSplit split) {
    return new OpenedSplit(snapshot, split, null);
  }

  /** As {@link #of(Snapshot, KeyedSplit)}, of operator state. */
  static SplitHost of(Snapshot snapshot, OperatorSplit split) {
    return new OpenedSplit(snapshot, null, split);
  }
}
