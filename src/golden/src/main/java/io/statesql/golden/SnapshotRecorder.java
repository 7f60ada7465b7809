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
package io.statesql.golden;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;

/** Restores every subtask of every operator of one snapshot. */
final class SnapshotRecorder {
  private final Path folder;
  private final KeyedStateRestorer keyedState;

  /**
   * Records one folder.
   *
   * @param folder holds {@code _metadata}
   */
  SnapshotRecorder(Path folder) {
    this.folder = folder;
    this.keyedState = new KeyedStateRestorer(folder);
  }

  /**
   * What the snapshot holds, sorted.
   *
   * @throws Exception whatever Flink throws where it cannot restore the snapshot
   */
  List<GoldenLine> lines() throws Exception {
    List<GoldenLine> lines = new ArrayList<>();
    for (OperatorState operator : SnapshotFolders.metadata(folder).getOperatorStates()) {
      lines.addAll(lines(operator));
    }
    return lines.stream().sorted().toList();
  }

  private List<GoldenLine> lines(OperatorState operator) throws Exception {
    StateLines lines = new StateLines(operator.getOperatorID().toHexString());
    for (Map.Entry<Integer, OperatorSubtaskState> subtask :
        operator.getSubtaskStates().entrySet()) {
      OperatorSubtaskState state = subtask.getValue();
      for (OperatorStateHandle handle : state.getManagedOperatorState()) {
        new OperatorStateRecorder(lines, subtask.getKey()).record(handle);
      }
      for (KeyedStateHandle handle : state.getManagedKeyedState()) {
        new KeyedStateRecorder(lines).record(keyedState.restore(handle, operator));
      }
      for (KeyedStateHandle handle : state.getRawKeyedState()) {
        new KeyedStateRecorder(lines).recordRawTimers(handle);
      }
    }
    return lines.lines();
  }
}
