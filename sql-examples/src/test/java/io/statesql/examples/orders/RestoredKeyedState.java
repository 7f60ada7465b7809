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

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.BackendStateType;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/** Reads keyed states and timers of an operator. */
final class RestoredKeyedState {

  private static final String MERGING_SET = "merging-window-set";
  private static final String EVENT_TIMERS = "_timer_state/event_";
  private static final String PROCESSING_TIMERS = "_timer_state/processing_";

  private final RestoredOperator operator;
  private final RestoredTables tables;

  /** The session of a customer whose content Flink keeps under another window. */
  private final Map<Tuple2<Object, Object>, TimeWindow> sessions = new HashMap<>();

  RestoredKeyedState(RestoredOperator operator, RestoredTables tables) {
    this.operator = operator;
    this.tables = tables;
  }

  void addAll() throws Exception {
    try (HeapKeyedStateBackend<Object> backend = operator.keyedBackend()) {
      List<StateMetaInfoSnapshot> states = operator.keyedStates();
      for (StateMetaInfoSnapshot meta : states) {
        if (meta.getName().equals(MERGING_SET)) {
          readSessions(backend, meta);
        }
      }
      for (StateMetaInfoSnapshot meta : states) {
        if (meta.getBackendStateType() == BackendStateType.PRIORITY_QUEUE) {
          addTimers(backend, meta);
        } else if (!meta.getName().equals(MERGING_SET)) {
          addState(backend, meta);
        }
      }
    } finally {
      sessions.clear();
    }
  }

  @SuppressWarnings("unchecked")
  private void readSessions(HeapKeyedStateBackend<Object> backend, StateMetaInfoSnapshot meta)
      throws Exception {
    InternalKvState<Object, Object, ?> state = state(backend, meta);
    for (Tuple2<Object, Object> keyAndNamespace : keysAndNamespaces(backend, meta.getName())) {
      backend.setCurrentKey(keyAndNamespace.f0);
      state.setCurrentNamespace(keyAndNamespace.f1);
      for (Tuple2<TimeWindow, TimeWindow> windows :
          ((ListState<Tuple2<TimeWindow, TimeWindow>>) state).get()) {
        sessions.put(Tuple2.of(keyAndNamespace.f0, windows.f1), windows.f0);
      }
    }
  }

  private void addState(HeapKeyedStateBackend<Object> backend, StateMetaInfoSnapshot meta)
      throws Exception {
    InternalKvState<Object, Object, ?> state = state(backend, meta);
    List<Map<String, Object>> table = tables.table(operator.uid(), meta.getName());
    for (Tuple2<Object, Object> keyAndNamespace : keysAndNamespaces(backend, meta.getName())) {
      backend.setCurrentKey(keyAndNamespace.f0);
      state.setCurrentNamespace(keyAndNamespace.f1);
      addRows(table, keyColumns(keyAndNamespace.f0, keyAndNamespace.f1), state);
    }
  }

  private void addRows(List<Map<String, Object>> table, Map<String, Object> key, Object state)
      throws Exception {
    if (state instanceof ValueState<?> value) {
      table.add(tables.row(key, "state_value", value.value()));
    } else if (state instanceof ReducingState<?> reduced) {
      table.add(tables.row(key, "state_value", reduced.get()));
    } else if (state instanceof AggregatingState<?, ?> aggregated) {
      table.add(tables.row(key, "state_value", aggregated.get()));
    } else if (state instanceof ListState<?> list) {
      long index = 0;
      for (Object element : list.get()) {
        Map<String, Object> row = new LinkedHashMap<>(key);
        row.put("list_index", index++);
        table.add(tables.row(row, "list_value", element));
      }
    } else if (state instanceof MapState<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entries()) {
        Map<String, Object> row = new LinkedHashMap<>(key);
        row.put("map_key", PlainValues.plain(entry.getKey()));
        table.add(tables.row(row, "map_value", entry.getValue()));
      }
    } else {
      throw new IllegalStateException("Unexpected state " + state);
    }
  }

  private Map<String, Object> keyColumns(Object key, Object namespace)
      throws IllegalAccessException {
    Map<String, Object> columns =
        new LinkedHashMap<>(RowValue.columns("state_key", "state_key_", PlainValues.plain(key)));
    if (namespace instanceof TimeWindow window) {
      TimeWindow shown = sessions.getOrDefault(Tuple2.of(key, namespace), window);
      columns.put("window_start", Instant.ofEpochMilli(shown.getStart()));
      columns.put("window_end", Instant.ofEpochMilli(shown.getEnd()));
    } else if (!(namespace instanceof VoidNamespace || namespace instanceof GlobalWindow)) {
      columns.put("namespace", namespace);
    }
    return columns;
  }

  private void addTimers(HeapKeyedStateBackend<Object> backend, StateMetaInfoSnapshot meta)
      throws Exception {
    boolean isEventTime = meta.getName().startsWith(EVENT_TIMERS);
    String service =
        meta.getName().substring((isEventTime ? EVENT_TIMERS : PROCESSING_TIMERS).length());
    List<Map<String, Object>> table = tables.table(operator.uid(), "timers");
    TypeSerializer<TimerHeapInternalTimer<Object, Object>> serializer =
        RestoredDescriptors.serializer(meta, CommonSerializerKeys.VALUE_SERIALIZER);
    KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Object, Object>> queue =
        backend.create(meta.getName(), serializer);
    for (int keyGroup : backend.getKeyGroupRange()) {
      for (TimerHeapInternalTimer<Object, Object> timer : queue.getSubsetForKeyGroup(keyGroup)) {
        Map<String, Object> row = timerKeyColumns(timer);
        row.put("time_domain", isEventTime ? "EVENT" : "PROCESSING");
        row.put("timer_timestamp", timer.getTimestamp());
        row.put("fire_time", Instant.ofEpochMilli(timer.getTimestamp()));
        row.put("timer_service", service);
        table.add(row);
      }
    }
  }

  /** Timers name the whole session already. */
  private Map<String, Object> timerKeyColumns(TimerHeapInternalTimer<Object, Object> timer)
      throws IllegalAccessException {
    Map<String, Object> columns = keyColumns(timer.getKey(), VoidNamespace.INSTANCE);
    if (timer.getNamespace() instanceof TimeWindow window) {
      columns.put("window_start", Instant.ofEpochMilli(window.getStart()));
      columns.put("window_end", Instant.ofEpochMilli(window.getEnd()));
    }
    return columns;
  }

  @SuppressWarnings("unchecked")
  private static InternalKvState<Object, Object, ?> state(
      HeapKeyedStateBackend<Object> backend, StateMetaInfoSnapshot meta) throws Exception {
    State state =
        backend.getOrCreateKeyedState(
            RestoredDescriptors.serializer(meta, CommonSerializerKeys.NAMESPACE_SERIALIZER),
            RestoredDescriptors.of(meta));
    return (InternalKvState<Object, Object, ?>) state;
  }

  private static List<Tuple2<Object, Object>> keysAndNamespaces(
      HeapKeyedStateBackend<Object> backend, String state) {
    return backend.<Object>getKeysAndNamespaces(state).toList();
  }
}
