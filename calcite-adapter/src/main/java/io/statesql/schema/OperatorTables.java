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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.change.ChangedOperator;
import io.statesql.edit.EditedSnapshot;
import io.statesql.format.model.Column;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.StagedState;
import io.statesql.format.model.StateKind;
import io.statesql.format.split.KeyedSplits;
import io.statesql.format.split.OperatorSplits;
import io.statesql.format.split.RawTimerSplits;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables of one operator, and the reasons for those that are missing. Immutable. */
final class OperatorTables {
  private static final String OTHER_TIMERS = "other timers of the operator cannot be read";

  private final ChangedOperator changed;
  private final OperatorState operator;
  private final List<StateSqlException> failures = new ArrayList<>();
  private final List<KeyedSplit> splits = new ArrayList<>();

  /** Whether there are timers beside the managed ones that cannot be read. */
  private final boolean lacksTimers;

  /** Why it cannot be known which keys there are; null if it can. */
  private @Nullable StateSqlException keysProblem;

  private final OperatorStateTables operatorStates;
  private final TableNames tableNames;
  private final Map<String, StateTable> tables = new LinkedHashMap<>();
  private final Map<String, StateListing> listings = new TreeMap<>();

  private OperatorTables(EditedSnapshot edited, OperatorState operator) {
    Snapshot snapshot = edited.base();
    this.operator = operator;
    splits.addAll(readable(() -> KeyedSplits.of(snapshot, operator)));
    int failuresBefore = failures.size();
    splits.addAll(readable(() -> RawTimerSplits.of(snapshot, operator)));
    this.lacksTimers = failures.size() > failuresBefore;
    List<OperatorSplit> operatorSplits = readable(() -> OperatorSplits.of(snapshot, operator));
    StagedState staged = edited.staged(operator.id());
    splits.replaceAll(split -> split.withStaged(staged));
    operatorSplits = operatorSplits.stream().map(split -> split.withStaged(staged)).toList();
    this.changed = new ChangedOperator(edited, operator, splits, operatorSplits);
    this.tableNames = new TableNames(keyedNames(), OperatorStateTables.stateNames(operatorSplits));
    // Keyed states come to their names first.
    addReadableKeyedStates();
    this.operatorStates =
        new OperatorStateTables(changed, OperatorSplits.rawNames(operator), tableNames);
    tables.putAll(operatorStates.tables());
  }

  /** No splits where a header cannot be read, so that what is stored apart fails apart. */
  private <S> List<S> readable(Supplier<List<S>> reader) {
    try {
      return reader.get();
    } catch (StateSqlException e) {
      failures.add(e);
      return List.of();
    }
  }

  /**
   * Reads the headers of an operator's state. Those that cannot be read are told by {@link
   * #problem} and {@link #listings}.
   */
  static OperatorTables read(EditedSnapshot snapshot, OperatorState operator) {
    return new OperatorTables(snapshot, operator);
  }

  /** Whether reading the headers again would end alike. */
  boolean isLasting() {
    return failures.stream().allMatch(failure -> failure.code().isLasting());
  }

  /** By name, in the order in which they are listed. */
  Map<String, StateTable> tables() {
    return tables;
  }

  /** All states, those without a table too: keyed, operator and unreadable ones. */
  List<StateListing> listings() {
    List<StateListing> all = new ArrayList<>(listings.values());
    all.addAll(operatorStates.listings());
    failures.forEach(failure -> all.add(StateListing.unreadable(failure.getMessage())));
    return all;
  }

  /**
   * Why a state has no table. While some state cannot be read, any name may be one of it.
   *
   * @return null if there is no state of that name, or it has one
   */
  StateSqlException problem(String stateName) {
    StateListing listing = listings.getOrDefault(stateName, operatorStates.listing(stateName));
    if (listing == null) {
      return failures.isEmpty() ? sharedProblem(stateName) : failures.get(0);
    }
    return listing.tableName() == null ? unshown(stateName, listing) : null;
  }

  /** Why a table of several states is missing, where there are such states; null otherwise. */
  private StateSqlException sharedProblem(String tableName) {
    if (tableName.equals(TableNames.KEYED_STATE)) {
      return keysProblem;
    }
    if (!tableName.equals(TableNames.TIMERS)) {
      return null;
    }
    return timerNames().stream()
        .sorted(Comparator.comparing(name -> listings.get(name).reason().equals(OTHER_TIMERS)))
        .map(name -> unshown(name, listings.get(name)))
        .findFirst()
        .orElse(null);
  }

  private StateSqlException unshown(String stateName, StateListing listing) {
    return new StateSqlException(
        ErrorCode.UNDECODABLE_STATE,
        "State \""
            + stateName
            + "\" of operator \""
            + operator.uidOrId()
            + "\" cannot be shown as a table: "
            + listing.reason()
            + ".");
  }

  private void addReadableKeyedStates() {
    try {
      addKeyedStates();
    } catch (StateSqlException e) {
      failures.add(e);
      tables.clear();
      listings.clear();
    }
  }

  private void addKeyedStates() {
    List<StateDefinition> timers = new ArrayList<>();
    List<StateDefinition> byKey = new ArrayList<>();
    Map<String, StateTable> ofStates = new LinkedHashMap<>();
    for (String name : keyedNames()) {
      StateDefinition state;
      try {
        state = StateDefinition.of(name, splits);
      } catch (TypeConflictException e) {
        listConflict(name, e);
        keysProblem = unshown(name, listings.get(name));
        continue;
      }
      try {
        addState(state, timers, ofStates);
      } catch (TypeConflictException e) {
        listConflict(name, e);
      }
      if (isShownByKey(state)) {
        byKey.add(state);
        if (!state.isSeparable()) {
          // It may have keys that no other state has.
          keysProblem = unshown(name, listings.get(name));
        }
      }
    }
    if (keysProblem == null && !byKey.isEmpty()) {
      addKeyedState(byKey);
    }
    tables.putAll(ofStates);
    addTimers(timers);
  }

  private void listConflict(String state, TypeConflictException conflict) {
    StateDefinition first = new StateDefinition(state, null, metas(state));
    String reason = StateHandles.conflictOfKeyed(state, conflict, splits);
    listings.put(state, new StateListing(first, null, reason));
  }

  private static boolean isShownByKey(StateDefinition state) {
    return state.isUnwindowed()
        && state.kind() != StateKind.TIMER
        && !(state.first() instanceof KeyedStateMeta meta && meta.isMergingWindowSet());
  }

  private Set<String> timerNames() {
    return splits.stream()
        .flatMap(split -> split.header().states().stream())
        .filter(state -> state.kind() == StateKind.TIMER)
        .map(KeyedStateMeta::name)
        .collect(Collectors.toSet());
  }

  private Set<String> keyedNames() {
    return splits.stream()
        .flatMap(split -> split.header().states().stream())
        .map(KeyedStateMeta::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<KeyedStateMeta> metas(String name) {
    return splits.stream()
        .flatMap(split -> split.header().states().stream())
        .filter(state -> state.name().equals(name))
        .toList();
  }

  private void addState(
      StateDefinition state, List<StateDefinition> timers, Map<String, StateTable> ofStates)
      throws TypeConflictException {
    String name = state.name();
    if (state.first() instanceof KeyedStateMeta meta && meta.isMergingWindowSet()) {
      listings.put(
          name,
          new StateListing(state, null, "it is the book-keeping of merging windows, no data"));
    } else if (!state.isSeparable()) {
      listings.put(name, new StateListing(state, null, Reasons.inseparable(state)));
    } else if (state.kind() == StateKind.TIMER) {
      timers.add(state);
      listings.put(name, new StateListing(state, TableNames.TIMERS, reason(state)));
    } else {
      String tableName = tableNames.ofKeyedState(name);
      List<Column> columns = TableColumns.ofState(state);
      ofStates.put(
          tableName,
          new ElementTable(
              changed,
              state.isWholeList() ? StateKind.VALUE : state.kind(),
              Set.of(name),
              columns));
      listings.put(name, new StateListing(state, tableName, reason(state)));
    }
  }

  /** Why a state is not decoded, not wholly, or cannot be read to its end; null if it can. */
  private String reason(StateDefinition state) {
    return Reasons.with(
        Reasons.of(state), splits.stream().map(split -> split.obstacle(state.name())));
  }

  private void addKeyedState(List<StateDefinition> byKey) {
    KeyedStateColumns columns;
    try {
      columns = new KeyedStateColumns(byKey);
    } catch (TypeConflictException e) {
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "The keys of operator \"" + operator.uidOrId() + "\" differ: " + e.getMessage() + ".",
          e);
    }
    Set<String> shown = new HashSet<>();
    for (StateDefinition state : byKey) {
      addColumns(state, columns);
      shown.add(state.name());
    }
    tables.put(TableNames.KEYED_STATE, new KeyedStateTable(changed, shown, columns.build()));
  }

  /** What no columns can show has one all the same, so that a key without it is no key. */
  private void addColumns(StateDefinition state, KeyedStateColumns columns) {
    StateListing listing = listings.get(state.name());
    if (listing.tableName() == null) {
      columns.addUnreadable(state, listing.reason());
      return;
    }
    try {
      columns.addState(state);
    } catch (TypeConflictException e) {
      String reason = StateHandles.conflictOfKeyed(state.name(), e, splits);
      columns.addUnreadable(state, reason);
      listings.put(
          state.name(),
          new StateListing(state, listing.tableName(), "keyed_state does not show it: " + reason));
    }
  }

  private void addTimers(List<StateDefinition> timers) {
    if (timers.isEmpty()) {
      return;
    }
    if (lacksTimers || timers.size() < timerNames().size()) {
      // A table of some of the timers would be taken for all of them.
      for (StateDefinition timer : timers) {
        listings.put(timer.name(), new StateListing(timer, null, OTHER_TIMERS));
      }
      return;
    }
    try {
      List<Column> columns = TableColumns.ofTimers(timers);
      Set<String> names = timers.stream().map(StateDefinition::name).collect(Collectors.toSet());
      tables.put(TableNames.TIMERS, new ElementTable(changed, StateKind.TIMER, names, columns));
    } catch (TypeConflictException e) {
      for (StateDefinition timer : timers) {
        listings.put(timer.name(), new StateListing(timer, null, e.getMessage()));
      }
    }
  }
}
