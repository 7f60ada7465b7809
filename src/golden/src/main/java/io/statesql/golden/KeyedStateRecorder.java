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
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateEntry;
import org.apache.flink.runtime.state.heap.RestoredHeapState;
import org.apache.flink.runtime.state.heap.StateTable;
import org.apache.flink.streaming.api.operators.InternalTimer;

/** Records the entries and timers of one subtask's restored keyed state. */
final class KeyedStateRecorder {
  /** {@code KeyedStateCheckpointOutputStream.NO_OFFSET_SET}: a key group without raw state. */
  private static final long NO_OFFSET = -1;

  private final StateLines lines;

  KeyedStateRecorder(StateLines lines) {
    this.lines = lines;
  }

  void record(RestoredHeapState<?> restored) {
    restored.tables().forEach((name, table) -> recordTable(restored, name, table));
    restored
        .queues()
        .forEach(
            (name, queue) -> {
              for (int keyGroup : restored.keyGroups()) {
                recordTimers(
                    name, keyGroup, queue.getPriorityQueue().getSubsetForKeyGroup(keyGroup));
              }
            });
  }

  /**
   * Records raw keyed state, under the names that the timers have as managed state.
   *
   * @throws IOException if the state is unreadable or does not hold timers
   */
  void recordRawTimers(KeyedStateHandle handle) throws IOException {
    if (!(handle instanceof KeyGroupsStateHandle keyGroups)) {
      throw new IllegalStateException(
          "No restore for raw keyed state handles of " + handle.getClass().getSimpleName());
    }
    try (FSDataInputStream in = keyGroups.openInputStream()) {
      for (Tuple2<Integer, Long> keyGroup : keyGroups.getGroupRangeOffsets()) {
        if (keyGroup.f1 != NO_OFFSET) {
          in.seek(keyGroup.f1);
          RawTimers timers = new RawTimers();
          timers.read(in);
          timers.services().forEach(service -> recordService(keyGroup.f0, service));
        }
      }
    }
  }

  private void recordService(int keyGroup, RawTimers.Service service) {
    recordTimers(
        "_timer_state/event_" + service.name(), keyGroup, service.timers().getEventTimeTimers());
    recordTimers(
        "_timer_state/processing_" + service.name(),
        keyGroup,
        service.timers().getProcessingTimeTimers());
  }

  private void recordTimers(String name, int keyGroup, Set<?> timers) {
    lines.state(name, "TIMER");
    timers.forEach(timer -> recordTimer(name, keyGroup, timer));
  }

  private void recordTable(RestoredHeapState<?> restored, String name, StateTable<?, ?, ?> table) {
    String kind = table.getMetaInfo().getStateType().name();
    lines.state(name, kind);
    for (int keyGroup : restored.keyGroups()) {
      for (StateEntry<?, ?, ?> entry : table.getMapForKeyGroup(keyGroup)) {
        recordEntry(name, kind, keyGroup, entry);
      }
    }
  }

  private void recordEntry(String name, String kind, int keyGroup, StateEntry<?, ?, ?> entry) {
    Slot slot =
        new Slot(
            name,
            kind,
            keyGroup,
            ValueRenderer.render(entry.getKey()),
            ValueRenderer.render(entry.getNamespace()));
    switch (kind) {
      case "LIST" -> {
        int index = 0;
        for (Object element : (List<?>) entry.getState()) {
          add(slot, null, index++, ValueRenderer.render(element));
        }
      }
      case "MAP" ->
          ((Map<?, ?>) entry.getState())
              .forEach(
                  (mapKey, value) ->
                      add(slot, ValueRenderer.render(mapKey), null, ValueRenderer.render(value)));
      default -> add(slot, null, null, ValueRenderer.render(entry.getState()));
    }
  }

  private void recordTimer(String name, int keyGroup, Object element) {
    if (!(element instanceof InternalTimer<?, ?> timer)) {
      throw new IllegalStateException(
          "Priority queue " + name + " holds a " + element.getClass().getName() + ", not timers");
    }
    add(
        new Slot(
            name,
            "TIMER",
            keyGroup,
            ValueRenderer.render(timer.getKey()),
            ValueRenderer.render(timer.getNamespace())),
        null,
        null,
        JsonNodeFactory.instance.numberNode(timer.getTimestamp()));
  }

  private void add(Slot slot, JsonNode mapKey, Integer index, JsonNode value) {
    lines.add(
        new GoldenLine(
            lines.operator(),
            slot.state,
            slot.kind,
            null,
            null,
            slot.keyGroup,
            slot.key,
            slot.namespace,
            mapKey,
            index,
            value));
  }

  /** Where the values of one key and namespace belong. */
  private record Slot(String state, String kind, int keyGroup, JsonNode key, JsonNode namespace) {}
}
