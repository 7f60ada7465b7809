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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what the subtasks of one operator hold. Not safe for use by several threads. */
final class StateLines {
  private record State(String name, String kind) {}

  private final String operator;
  private final Set<State> states = new LinkedHashSet<>();
  private final List<GoldenLine> entries = new ArrayList<>();

  StateLines(String operator) {
    this.operator = operator;
  }

  /** The operator id in hex. */
  String operator() {
    return operator;
  }

  /** Says that a subtask knows the state, whether or not it holds an entry. */
  void state(String name, String kind) {
    states.add(new State(name, kind));
  }

  void add(GoldenLine entry) {
    entries.add(entry);
  }

  /** A line for each state and each entry, in no order. */
  List<GoldenLine> lines() {
    Map<State, Integer> counts = new HashMap<>();
    states.forEach(state -> counts.put(state, 0));
    entries.forEach(entry -> counts.merge(new State(entry.state(), entry.kind()), 1, Integer::sum));
    List<GoldenLine> lines = new ArrayList<>(entries);
    counts.forEach(
        (state, count) -> lines.add(GoldenLine.state(operator, state.name(), state.kind(), count)));
    return lines;
  }
}
