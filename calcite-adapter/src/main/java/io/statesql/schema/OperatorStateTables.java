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
package io.statesql.schema;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.statesql.StateSqlException;
import io.statesql.change.ChangedOperator;
import io.statesql.format.model.Column;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.operator.BroadcastCopies;
import io.statesql.snapshot.Snapshot;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables of the operator (not keyed) state of one operator, and the reasons for those that are
 * missing. Immutable.
 */
final class OperatorStateTables {
  /** Copies of a broadcast state that take more bytes in all are not compared. */
  private static final long MAX_COMPARED = 1L << 26;

  private final Snapshot snapshot;
  private final ChangedOperator operator;
  private final List<OperatorSplit> splits;
  private final TableNames names;
  private final Map<String, StateTable> tables = new LinkedHashMap<>();
  private final Map<String, StateListing> listings = new TreeMap<>();
  private final Map<String, Supplier<String>> copies = new HashMap<>();
  private final List<String> rawNames;

  /**
   * @param rawNames the names of its raw operator state
   * @param names of the tables of the operator, those of keyed state included
   */
  OperatorStateTables(ChangedOperator operator, List<String> rawNames, TableNames names) {
    this.snapshot = operator.snapshot().base();
    this.operator = operator;
    this.splits = operator.managed();
    this.rawNames = rawNames;
    this.names = names;
    addStates();
  }

  /** The names of all states that the headers know. */
  static Set<String> stateNames(List<OperatorSplit> splits) {
    return splits.stream()
        .flatMap(split -> split.header().states().stream())
        .map(OperatorStateMeta::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** By name, in the order in which they are listed. */
  Map<String, StateTable> tables() {
    return tables;
  }

  /** The managed state of a name; null if there is none. */
  StateListing listing(String stateName) {
    return listings.get(stateName);
  }

  /**
   * All states by name, then raw state. Reads the copies of broadcast states at the first call, to
   * say which differ.
   */
  List<StateListing> listings() {
    return Stream.concat(
            listings.values().stream().map(this::withCopies),
            rawNames.stream().map(OperatorStateTables::raw))
        .toList();
  }

  private static StateListing raw(String name) {
    return new StateListing(
        name,
        null,
        null,
        "it is raw operator state: bytes that only the code of the operator can read");
  }

  private void addStates() {
    for (String name : stateNames(splits)) {
      List<OperatorSplit> knowing =
          splits.stream().filter(split -> split.header().state(name).isPresent()).toList();
      List<OperatorStateMeta> metas =
          knowing.stream().map(split -> split.header().state(name).orElseThrow()).toList();
      try {
        addState(StateDefinition.ofMetas(name, metas), metas, knowing);
      } catch (TypeConflictException e) {
        StateDefinition first = new StateDefinition(name, null, metas);
        String reason = StateHandles.conflictOfOperatorState(name, e, knowing);
        listings.put(name, new StateListing(first, null, reason));
      }
    }
  }

  private void addState(
      StateDefinition state, List<OperatorStateMeta> metas, List<OperatorSplit> knowing)
      throws TypeConflictException {
    boolean broadcast = state.kind() == StateKind.BROADCAST;
    if (!metas.stream().allMatch(OperatorStateMeta::isSeparable)) {
      listings.put(state.name(), new StateListing(state, null, Reasons.inseparableEntries(state)));
    } else {
      List<Column> columns = TableColumns.ofOperatorState(state);
      String tableName = names.ofOperatorState(state.name());
      // Every subtask has the same broadcast state, so that of one is enough.
      List<OperatorSplit> shown = broadcast ? knowing.subList(0, 1) : knowing;
      tables.put(tableName, new OperatorStateTable(operator, shown, state, columns));
      String reason =
          Reasons.with(
              Reasons.of(state), knowing.stream().map(split -> split.obstacle(state.name())));
      listings.put(state.name(), new StateListing(state, tableName, reason));
    }
    if (broadcast && knowing.size() > 1) {
      copies.put(
          state.name(), Suppliers.memoize(() -> differences(snapshot, state.name(), knowing)));
    }
  }

  private StateListing withCopies(StateListing listing) {
    Supplier<String> differences = copies.get(listing.name());
    if (differences == null || differences.get().isEmpty()) {
      return listing;
    }
    String reason =
        listing.reason() == null ? differences.get() : listing.reason() + "; " + differences.get();
    return new StateListing(listing.state(), listing.tableName(), reason);
  }

  /** What is to be said of the copies of a broadcast state; empty if they are the same. */
  private static String differences(Snapshot snapshot, String state, List<OperatorSplit> splits) {
    BroadcastCopies copies = new BroadcastCopies(snapshot, state, splits);
    if (copies.bytes() > MAX_COMPARED) {
      return "its copies take " + copies.bytes() + " bytes in all and were not compared";
    }
    try {
      List<Integer> differing = copies.differing();
      int shown = splits.get(0).subtask();
      return differing.isEmpty()
          ? ""
          : "its copies differ between subtasks "
              + shown
              + " and "
              + differing.stream().map(String::valueOf).collect(Collectors.joining(", "))
              + "; shown is that of subtask "
              + shown;
    } catch (StateSqlException e) {
      return "its copies cannot be compared: " + e.getMessage();
    }
  }
}
