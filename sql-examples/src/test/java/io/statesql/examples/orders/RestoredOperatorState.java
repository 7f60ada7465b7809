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
package io.statesql.examples.orders;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.runtime.state.DefaultOperatorStateBackend;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;

/** Reads list, union and broadcast states of an operator. */
final class RestoredOperatorState {

  private final RestoredOperator operator;
  private final RestoredTables tables;

  RestoredOperatorState(RestoredOperator operator, RestoredTables tables) {
    this.operator = operator;
    this.tables = tables;
  }

  void addAll() throws Exception {
    for (int subtask : operator.subtasksWithOperatorState().toList()) {
      OperatorBackendSerializationProxy header = operator.operatorHeader(subtask);
      try (DefaultOperatorStateBackend backend = operator.operatorBackend(subtask)) {
        for (StateMetaInfoSnapshot list : header.getOperatorStateMetaInfoSnapshots()) {
          addList(subtask, backend, list);
        }
        for (StateMetaInfoSnapshot map : header.getBroadcastStateMetaInfoSnapshots()) {
          addBroadcast(backend, map);
        }
      }
    }
  }

  private void addList(int subtask, DefaultOperatorStateBackend backend, StateMetaInfoSnapshot meta)
      throws Exception {
    ListStateDescriptor<Object> descriptor =
        new ListStateDescriptor<>(
            meta.getName(),
            RestoredDescriptors.serializer(meta, CommonSerializerKeys.VALUE_SERIALIZER));
    boolean isUnion =
        meta.getOption(StateMetaInfoSnapshot.CommonOptionsKeys.OPERATOR_STATE_DISTRIBUTION_MODE)
            .equals("UNION");
    ListState<Object> list =
        isUnion ? backend.getUnionListState(descriptor) : backend.getListState(descriptor);
    List<Map<String, Object>> table = tables.table(operator.uid(), meta.getName());
    long index = 0;
    for (Object element : list.get()) {
      table.add(
          tables.row(Map.of("subtask", subtask, "list_index", index++), "list_value", element));
    }
  }

  /** Every subtask has the same entries; they are added once. */
  private void addBroadcast(DefaultOperatorStateBackend backend, StateMetaInfoSnapshot meta)
      throws Exception {
    BroadcastState<Object, Object> state =
        backend.getBroadcastState(
            new MapStateDescriptor<>(
                meta.getName(),
                RestoredDescriptors.serializer(meta, CommonSerializerKeys.KEY_SERIALIZER),
                RestoredDescriptors.serializer(meta, CommonSerializerKeys.VALUE_SERIALIZER)));
    List<Map<String, Object>> copy = new ArrayList<>();
    for (Map.Entry<Object, Object> entry : state.immutableEntries()) {
      copy.add(tables.row(Map.of("map_key", entry.getKey()), "map_value", entry.getValue()));
    }
    List<Map<String, Object>> table = tables.table(operator.uid(), meta.getName());
    if (table.isEmpty()) {
      table.addAll(copy);
    } else if (table.size() != copy.size() || !table.containsAll(copy)) {
      throw new IllegalStateException("The subtasks' copies of " + meta.getName() + " differ");
    }
  }
}
