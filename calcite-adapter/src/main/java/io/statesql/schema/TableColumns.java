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

import static io.statesql.type.SqlType.Scalar.BIGINT;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.format.model.Column;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.StateKind;
import io.statesql.schema.PartColumns.PartColumn;
import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays out the columns of a table of one state, and of the timers. Our own columns come to their
 * names first; a field of the state that has the same name, or one that differs from it only by
 * case, gets a number (see {@link UniqueNames}).
 */
final class TableColumns {
  static final String STATE_KEY = "state_key";
  static final String KEY_GROUP = "key_group";

  private final UniqueNames names = new UniqueNames();
  private final List<Column> columns = new ArrayList<>();

  private TableColumns() {}

  /** The columns of the table that a state has for itself. */
  static List<Column> ofState(StateDefinition state) throws TypeConflictException {
    TableColumns table = new TableColumns();
    PartColumns value = state.columns(Part.VALUE);
    if (value.isRow()) {
      // The fields keep their bare names, so ours are taken before.
      table.names.reserve(List.of(KEY_GROUP, "last_access", "list_index"));
    }
    table.addPart(STATE_KEY, state.columns(Part.KEY), true);
    table.addNamespace(state);
    switch (state.kind()) {
      case LIST -> table.addList(state, value);
      case MAP -> {
        table.addPart("map_key", state.columns(Part.MAP_KEY), true);
        table.addValue("map_value", value);
      }
      default -> table.addValue("state_value", value);
    }
    if (state.hasTtl()) {
      table.addOurs("last_access", TIMESTAMP, Derived.LAST_ACCESS, false);
    }
    table.addOurs(KEY_GROUP, INTEGER, Derived.KEY_GROUP, false);
    return List.copyOf(table.columns);
  }

  /** The columns of the table of an operator state. */
  static List<Column> ofOperatorState(StateDefinition state) throws TypeConflictException {
    TableColumns table = new TableColumns();
    PartColumns value = state.columns(Part.VALUE);
    if (state.kind() == StateKind.BROADCAST) {
      table.addPart("map_key", state.columns(Part.MAP_KEY), true);
      table.addValue("map_value", value);
    } else {
      table.addOurs("subtask", INTEGER, Derived.SUBTASK, true);
      table.addOurs("list_index", INTEGER, Derived.LIST_INDEX, true);
      table.addValue("list_value", value);
    }
    return List.copyOf(table.columns);
  }

  private void addList(StateDefinition state, PartColumns value) {
    if (state.isWholeList()) {
      addValue("list_bytes", value);
    } else {
      addOurs("list_index", INTEGER, Derived.LIST_INDEX, true);
      addValue("list_value", value);
    }
  }

  private void addNamespace(StateDefinition state) throws TypeConflictException {
    if (state.hasTimeWindow()) {
      addWindow();
    } else if (!state.isUnwindowed()) {
      addPart("namespace", state.columns(Part.NAMESPACE), true);
    }
  }

  private void addWindow() {
    addOurs("window_start", TIMESTAMP, Derived.WINDOW_START, true);
    addOurs("window_end", TIMESTAMP, Derived.WINDOW_END, true);
    addOurs("window_start_ms", BIGINT, Derived.WINDOW_START_MS, true);
    addOurs("window_end_ms", BIGINT, Derived.WINDOW_END_MS, true);
  }

  /** A column of ours, whose name was reserved or cannot be taken yet. */
  private void addOurs(String name, SqlType type, Derived source, boolean isKey) {
    names.reserve(List.of(name));
    columns.add(new Column(name, type, source, isKey));
  }

  /** Columns named after the part: {@code state_key}, or {@code state_key_<field>}. */
  private void addPart(String name, PartColumns part, boolean isKey) {
    for (PartColumn column : part.columns()) {
      String full = part.isRow() ? name + "_" + column.suffix() : name + column.suffix();
      columns.add(new Column(names.claim(full), column.type(), column.source(), isKey));
    }
  }

  /** A column for a scalar value; for a row, columns that bear the names of its fields alone. */
  private void addValue(String scalarName, PartColumns value) {
    for (PartColumn column : value.columns()) {
      String name = value.isRow() ? column.suffix() : scalarName + column.suffix();
      columns.add(new Column(names.claim(name), column.type(), column.source(), false));
    }
  }

  /**
   * The columns of the table of all timers of an operator.
   *
   * @param timers its timer states, at least one
   */
  static List<Column> ofTimers(List<StateDefinition> timers) throws TypeConflictException {
    TableColumns table = new TableColumns();
    table.addPart(STATE_KEY, PartColumns.of(Part.KEY, types(timers, Part.KEY)), true);
    if (timers.stream().anyMatch(StateDefinition::hasTimeWindow)) {
      table.addWindow();
    }
    List<SqlType> others =
        types(
            timers.stream()
                .filter(timer -> !timer.isUnwindowed() && !timer.hasTimeWindow())
                .toList(),
            Part.NAMESPACE);
    if (!others.isEmpty()) {
      table.addPart("namespace", PartColumns.of(Part.NAMESPACE, others), true);
    }
    table.addOurs("time_domain", VARCHAR, Derived.TIME_DOMAIN, true);
    table.addOurs("timer_timestamp", BIGINT, Derived.TIMER_TIMESTAMP, true);
    table.addOurs("fire_time", TIMESTAMP, Derived.FIRE_TIME, false);
    table.addOurs("timer_service", VARCHAR, Derived.TIMER_SERVICE, true);
    table.addOurs(KEY_GROUP, INTEGER, Derived.KEY_GROUP, false);
    return List.copyOf(table.columns);
  }

  private static List<SqlType> types(List<StateDefinition> states, Part part) {
    return states.stream()
        .flatMap(state -> state.types(StateDefinition.codec(part)).stream())
        .distinct()
        .toList();
  }

  /** Whether a kind of state has rows of its own in {@code keyed_state}. */
  static boolean hasRowsByKey(StateDefinition state) {
    return state.kind() != StateKind.TIMER && state.isUnwindowed();
  }
}
