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

import io.statesql.OpenSplits;
import io.statesql.OpenSplits.OpenSplit;
import io.statesql.SharedResources;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorSplit;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;

/** Tells the host of a snapshot which splits are read. */
final class SplitsInUse {
  private SplitsInUse() {}

  /**
   * A scan came to the keyed state of a subtask; closing the result says that it went, or that this
   * reader of the scan did.
   */
  static SharedResources.Lease<OpenSplits.Closing> keyed(Snapshot snapshot, KeyedSplit split) {
    OpenSplit read = split(snapshot, split.operator(), split.subtask(), "keyed_state");
    return snapshot
        .scan()
        .shared()
        .acquire(
            split.handle(),
            OpenSplits.Closing.class,
            () -> snapshot.host().openSplits().open(read));
  }

  /** A reader came to the operator state of a subtask; closing the result says that it went. */
  static OpenSplits.Closing operator(Snapshot snapshot, OperatorSplit split) {
    return snapshot
        .host()
        .openSplits()
        .open(split(snapshot, split.operator(), split.subtask(), "operator_state"));
  }

  private static OpenSplit split(
      Snapshot snapshot, OperatorState operator, int subtask, String store) {
    return new OpenSplit(snapshot.metadata().location(), operator.id().hex(), subtask, store);
  }
}
