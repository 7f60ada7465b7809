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

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.BackendWritableBroadcastState;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateRestoreOperation;
import org.apache.flink.runtime.state.PartitionableListState;

/** Restores the operator state of one subtask and records its elements and entries. */
final class OperatorStateRecorder {
  private final StateLines lines;
  private final int subtask;

  OperatorStateRecorder(StateLines lines, int subtask) {
    this.lines = lines;
    this.subtask = subtask;
  }

  /**
   * Records one handle as its own subtask sees it, that is before any redistribution.
   *
   * @throws Exception whatever Flink's restore throws
   */
  void record(OperatorStateHandle handle) throws Exception {
    Map<String, PartitionableListState<?>> lists = new TreeMap<>();
    Map<String, BackendWritableBroadcastState<?, ?>> broadcasts = new TreeMap<>();
    try (CloseableRegistry streams = new CloseableRegistry()) {
      new OperatorStateRestoreOperation(
              streams,
              Thread.currentThread().getContextClassLoader(),
              lists,
              broadcasts,
              List.of(handle))
          .restore();
    }
    lists.forEach(this::recordList);
    for (Map.Entry<String, BackendWritableBroadcastState<?, ?>> broadcast : broadcasts.entrySet()) {
      recordBroadcast(broadcast.getKey(), broadcast.getValue());
    }
  }

  private void recordList(String name, PartitionableListState<?> list) {
    String kind =
        switch (list.getStateMetaInfo().getAssignmentMode()) {
          case SPLIT_DISTRIBUTE -> "SPLIT_LIST";
          case UNION -> "UNION_LIST";
          case BROADCAST ->
              throw new IllegalStateException("List state " + name + " says it is broadcast");
        };
    lines.state(name, kind);
    int index = 0;
    for (Object element : list.get()) {
      add(name, kind, null, index++, element);
    }
  }

  private void recordBroadcast(String name, BackendWritableBroadcastState<?, ?> broadcast)
      throws Exception {
    lines.state(name, "BROADCAST");
    for (Map.Entry<?, ?> entry : broadcast.entries()) {
      add(name, "BROADCAST", ValueRenderer.render(entry.getKey()), null, entry.getValue());
    }
  }

  private void add(String name, String kind, JsonNode mapKey, Integer index, Object value) {
    lines.add(
        GoldenLine.operatorEntry(
            lines.operator(), name, kind, subtask, mapKey, index, ValueRenderer.render(value)));
  }
}
