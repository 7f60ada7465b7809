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
package io.statesql.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot holds of one operator.
 *
 * @param name as the job gave it; null when the snapshot does not say (always below metadata
 *     version 5)
 * @param uid as the job gave it; null when the snapshot does not say (always below metadata version
 *     5), though {@code id} may be its hash
 * @param coordinatorState of its operator coordinator, null for none
 * @param fullyFinished whether every subtask had finished; there are then no subtasks here
 * @param subtasks in file order; often fewer than the parallelism
 */
public record OperatorState(
    OperatorId id,
    @Nullable String name,
    @Nullable String uid,
    int parallelism,
    int maxParallelism,
    StreamHandle.@Nullable ByteStream coordinatorState,
    boolean fullyFinished,
    List<SubtaskState> subtasks) {

  public OperatorState {
    subtasks = List.copyOf(subtasks);
  }

  /** How many bytes all of its state takes. */
  public long stateSize() {
    return StateSizes.sum(
        coordinatorState == null ? 0 : coordinatorState.stateSize(),
        StateSizes.sum(subtasks, SubtaskState::stateSize));
  }

  /** How many of these bytes are records that were under way between operators. */
  public long inFlightSize() {
    return StateSizes.sum(subtasks, SubtaskState::inFlightSize);
  }

  /** The uid when the snapshot holds it, else the id in hex: the name of the operator in SQL. */
  public String uidOrId() {
    return uid == null ? id.hex() : uid;
  }
}
