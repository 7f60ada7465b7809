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
package io.statesql.change;

import io.statesql.edit.ChangeContext;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.StoredElement;
import io.statesql.format.model.TimerName;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Changes of the table of timers. */
final class TimerChanges extends StateChanges {
  private static final EntryChange TIMER = new EntryChange.Put(Bytes.EMPTY);

  private final List<ChangedColumn> columns;
  private final Set<String> states;
  private final Map<String, KeyedTarget> targets = new HashMap<>();
  private final Set<String> changedStates = new TreeSet<>();

  /**
   * @param states the names of the timer states that the table shows
   * @param columns that the statement assigns
   */
  TimerChanges(
      ChangedOperator operator,
      ChangeKind kind,
      ChangeContext statement,
      Set<String> states,
      List<ChangedColumn> columns) {
    super(operator, kind, statement);
    this.states = new TreeSet<>(states);
    this.columns = columns;
  }

  @Override
  void change(Object[] row) {
    switch (kind()) {
      case INSERT, UPSERT -> insert(row);
      case UPDATE -> update((StoredElement) row[0], row);
      case DELETE -> {
        StoredElement stored = (StoredElement) row[0];
        changes().change(stored.state().name(), EntryAddress.of(stored), EntryChange.REMOVE);
      }
    }
  }

  private void insert(Object[] row) {
    Object time = value(Derived.TIMER_TIMESTAMP, row);
    if (time == null) {
      throw new RefusedValueException("timer_timestamp", "a timer needs its time");
    }
    String state =
        state((String) value(Derived.TIME_DOMAIN, row), (String) value(Derived.TIMER_SERVICE, row));
    KeyedTarget target = target(state);
    int keyGroup = target.keyGroup(row);
    EntryAddress address = target.encodersAt(keyGroup).newAddress(keyGroup, row, (Long) time);
    changedStates.add(state);
    putNew(state, address, TIMER);
  }

  private void update(StoredElement stored, Object[] row) {
    TimerName name = TimerName.of(stored.state().name());
    String domain = name.domain() == null ? null : name.domain().name();
    String state =
        isAssigned(Derived.TIME_DOMAIN) || isAssigned(Derived.TIMER_SERVICE)
            ? state(
                isAssigned(Derived.TIME_DOMAIN) ? (String) value(Derived.TIME_DOMAIN, row) : domain,
                isAssigned(Derived.TIMER_SERVICE)
                    ? (String) value(Derived.TIMER_SERVICE, row)
                    : name.service())
            : stored.state().name();
    Object time =
        isAssigned(Derived.TIMER_TIMESTAMP)
            ? value(Derived.TIMER_TIMESTAMP, row)
            : (Object) stored.timestamp();
    if (time == null) {
      throw new RefusedValueException("timer_timestamp", "a timer needs its time");
    }
    KeyedTarget target = target(state);
    Encoders encoders = target.encoders(stored.state());
    int keyGroup = stored.keyGroup();
    if (encoders.key().isAssigned()) {
      keyGroup = newKeyGroup(stored, encoders.key().replace(stored.key(), row));
    }
    EntryAddress from = EntryAddress.of(stored);
    EntryAddress to = encoders.movedAddress(stored, keyGroup, row, (Long) time);
    target.encodersAt(keyGroup);
    if (!to.equals(from) || !state.equals(stored.state().name())) {
      changes().change(stored.state().name(), from, EntryChange.REMOVE);
      changedStates.add(state);
      moveTo(state, to, TIMER);
    }
  }

  private boolean isAssigned(Derived source) {
    return columns.stream().anyMatch(column -> column.source() == source);
  }

  private Object value(Derived source, Object[] row) {
    return columns.stream()
        .filter(column -> column.source() == source)
        .findFirst()
        .map(column -> column.valueIn(row))
        .orElse(null);
  }

  private KeyedTarget target(String state) {
    return targets.computeIfAbsent(state, unknown -> target(unknown, columns));
  }

  /** The state of a time domain and service; where only one fits, neither has to be given. */
  private String state(String domain, String service) {
    List<String> fitting =
        states.stream().filter(state -> fits(TimerName.of(state), domain, service)).toList();
    if (fitting.size() == 1) {
      return fitting.get(0);
    }
    throw new RefusedValueException(
        "timer_service",
        "time_domain and timer_service must name one of the timer services of the operator: "
            + states.stream().map(TimerChanges::text).collect(Collectors.joining(", ")));
  }

  private static boolean fits(TimerName name, String domain, String service) {
    return (domain == null || (name.domain() != null && name.domain().name().equals(domain)))
        && (service == null || service.equals(name.service()));
  }

  private static String text(String state) {
    TimerName name = TimerName.of(state);
    return (name.domain() == null ? "" : name.domain().name() + " ") + "'" + name.service() + "'";
  }

  @Override
  void finish() {
    if (kind() != ChangeKind.UPSERT) {
      changedStates.forEach(this::requireNew);
    }
  }

  @Override
  String describe(Object[] row) {
    return kind().isOfExisting() ? RowText.of((StoredElement) row[0]) : RowText.of(columns, row);
  }
}
