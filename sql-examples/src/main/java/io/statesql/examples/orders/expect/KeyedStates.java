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
package io.statesql.examples.orders.expect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The un-windowed states of one operator: fills a table for each, and {@code keyed_state} with a
 * row for each key. States must be declared before they are filled, because a key without a state
 * has its columns too.
 */
final class KeyedStates {

  private final String uid;
  private final Tables tables;

  /** The columns of each state in {@code keyed_state} for a key that has not got it. */
  private final Map<String, Map<String, Object>> absent = new LinkedHashMap<>();

  private final Map<Map<String, Object>, Map<String, Map<String, Object>>> byKey =
      new LinkedHashMap<>();

  KeyedStates(String uid, Tables tables) {
    this.uid = uid;
    this.tables = tables;
    tables.declare(uid, "timers");
  }

  /** A state that is one column of {@code keyed_state}: a scalar, LIST or MAP. */
  KeyedStates declare(String state) {
    tables.declare(uid, state);
    absent.put(state, Columns.of(state, null).toMap());
    return this;
  }

  /** A state of several columns. */
  KeyedStates declare(String state, Iterable<String> fields) {
    tables.declare(uid, state);
    Columns columns = Columns.of(state + "_present", false);
    for (String field : fields) {
      columns.and(state + "_" + field, null);
    }
    absent.put(state, columns.toMap());
    return this;
  }

  void value(String state, Map<String, Object> key, Object value) {
    tables.add(uid, state, Columns.of(key).and("state_value", value));
    ofKey(key).put(state, Columns.of(state, value).toMap());
  }

  void fields(String state, Map<String, Object> key, Map<String, Object> fields) {
    tables.add(uid, state, Columns.of(key).and(fields));
    Columns columns = Columns.of(state + "_present", true);
    fields.forEach((field, value) -> columns.and(state + "_" + field, value));
    ofKey(key).put(state, columns.toMap());
  }

  void list(String state, Map<String, Object> key, List<?> elements) {
    for (int index = 0; index < elements.size(); index++) {
      tables.add(
          uid,
          state,
          Columns.of(key)
              .and("list_index", (long) index)
              .and(valueColumns("list_value", elements.get(index))));
    }
    ofKey(key).put(state, Columns.of(state, elements).toMap());
  }

  void map(String state, Map<String, Object> key, Map<?, ?> entries) {
    entries.forEach(
        (mapKey, mapValue) ->
            tables.add(
                uid,
                state,
                Columns.of(key).and("map_key", mapKey).and(valueColumns("map_value", mapValue))));
    ofKey(key).put(state, Columns.of(state, entries).toMap());
  }

  /** Fills {@code keyed_state}; call it last. */
  void join() {
    tables.declare(uid, "keyed_state");
    byKey.forEach(
        (key, states) -> {
          Columns row = Columns.of(key);
          absent.forEach((state, columns) -> row.and(states.getOrDefault(state, columns)));
          tables.add(uid, "keyed_state", row);
        });
  }

  private Map<String, Map<String, Object>> ofKey(Map<String, Object> key) {
    return byKey.computeIfAbsent(key, none -> new LinkedHashMap<>());
  }

  /** A row's fields are columns of their own; anything else is one column. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> valueColumns(String name, Object value) {
    return value instanceof Map ? (Map<String, Object>) value : Columns.of(name, value).toMap();
  }
}
