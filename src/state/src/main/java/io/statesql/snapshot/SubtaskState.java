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
 * The state of one parallel instance of an operator.
 *
 * @param finished whether the subtask had finished; it then has no state
 */
public record SubtaskState(
    int index,
    boolean finished,
    @Nullable OperatorStateHandle managedOperatorState,
    @Nullable OperatorStateHandle rawOperatorState,
    @Nullable KeyedStateHandle managedKeyedState,
    @Nullable KeyedStateHandle rawKeyedState,
    List<ChannelStateHandle.Input> inputChannelState,
    List<ChannelStateHandle.Output> resultSubpartitionState) {

  public SubtaskState {
    inputChannelState = List.copyOf(inputChannelState);
    resultSubpartitionState = List.copyOf(resultSubpartitionState);
  }

  static SubtaskState finished(int index) {
    return new SubtaskState(index, true, null, null, null, null, List.of(), List.of());
  }

  /** How many bytes all of its state takes. */
  public long stateSize() {
    return StateSizes.sum(
        sizeOf(managedOperatorState),
        sizeOf(rawOperatorState),
        sizeOf(managedKeyedState),
        sizeOf(rawKeyedState),
        inFlightSize());
  }

  /** How many bytes of records were under way to or from it, which its state holds. */
  public long inFlightSize() {
    return StateSizes.sum(
        StateSizes.sum(inputChannelState, ChannelStateHandle::stateSize),
        StateSizes.sum(resultSubpartitionState, ChannelStateHandle::stateSize));
  }

  private static long sizeOf(@Nullable OperatorStateHandle handle) {
    return handle == null ? 0 : handle.stateSize();
  }

  private static long sizeOf(@Nullable KeyedStateHandle handle) {
    return handle == null ? 0 : handle.stateSize();
  }
}
