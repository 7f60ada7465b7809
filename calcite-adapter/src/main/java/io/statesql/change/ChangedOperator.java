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

import io.statesql.edit.EditedSnapshot;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorSplit;
import io.statesql.snapshot.OperatorState;
import java.util.List;

/**
 * An operator whose state a statement changes.
 *
 * @param keyed its splits of keyed state and timers, which show what is staged
 * @param managed its splits of operator state, likewise
 */
public record ChangedOperator(
    EditedSnapshot snapshot,
    OperatorState operator,
    List<KeyedSplit> keyed,
    List<OperatorSplit> managed) {
  public ChangedOperator {
    keyed = List.copyOf(keyed);
    managed = List.copyOf(managed);
  }
}
