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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A host that has opened one split. */
record OpenedSplit(Snapshot snapshot, @Nullable KeyedSplit keyed, @Nullable OperatorSplit operator)
    implements SplitHost {

  @Override
  public Snapshot snapshot(SplitSpec spec) {
    return snapshot;
  }

  @Override
  public KeyedSplit keyed(SplitSpec spec) {
    return Objects.requireNonNull(keyed, "the split is of operator state").within(spec.keyGroups());
  }

  @Override
  public OperatorSplit operator(SplitSpec spec) {
    return Objects.requireNonNull(operator, "the split is of keyed state");
  }
}
