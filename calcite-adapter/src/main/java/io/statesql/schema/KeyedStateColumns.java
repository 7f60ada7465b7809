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

import static io.statesql.type.SqlType.Scalar.BOOLEAN;
import static io.statesql.type.SqlType.Scalar.INTEGER;

import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.StateKind;
import io.statesql.format.rows.KeyColumn;
import io.statesql.format.rows.NamedKeyColumn;
import io.statesql.schema.PartColumns.PartColumn;
import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays out {@code keyed_state}: the key, then the states by name, then the key group. A state whose
 * columns would have the name of one before them gets a number, see {@link UniqueNames}.
 */
final class KeyedStateColumns {
  private final UniqueNames names = new UniqueNames();
  private final List<NamedKeyColumn> columns = new ArrayList<>();

  /**
   * Begins with the columns of the key.
   *
   * @param states the un-windowed states, at least one
   */
  KeyedStateColumns(List<StateDefinition> states) throws TypeConflictException {
    names.reserve(List.of(TableColumns.KEY_GROUP));
    List<SqlType> keyTypes =
        states.stream()
            .flatMap(state -> state.types(StateDefinition.codec(Part.KEY)).stream())
            .distinct()
            .toList();
    addKey(PartColumns.of(Part.KEY, keyTypes));
  }

  /** Ends with the key group. */
  List<NamedKeyColumn> build() {
    columns.add(
        new NamedKeyColumn(
            TableColumns.KEY_GROUP, INTEGER, new KeyColumn.OfKey(Derived.KEY_GROUP), false));
    return List.copyOf(columns);
  }

  private void addKey(PartColumns key) {
    for (PartColumn column : key.columns()) {
      String separator = key.isRow() ? "_" : "";
      String name = names.claim(TableColumns.STATE_KEY + separator + column.suffix());
      columns.add(
          new NamedKeyColumn(name, column.type(), new KeyColumn.OfKey(column.source()), true));
    }
  }

  /** Adds the columns of a state, or none if it throws. */
  void addState(StateDefinition state) throws TypeConflictException {
    PartColumns value = state.columns(Part.VALUE);
    if (state.kind() == StateKind.MAP) {
      SqlType mapKey = whole(Part.MAP_KEY, state);
      add(
          state.name(),
          new SqlType.MapOf(mapKey, whole(Part.VALUE, state)),
          new KeyColumn.Collected(state.name()));
    } else if (state.kind() == StateKind.LIST && !state.isWholeList()) {
      add(
          state.name(),
          new SqlType.Array(whole(Part.VALUE, state)),
          new KeyColumn.Collected(state.name()));
    } else {
      addValue(state, value);
    }
  }

  /** Adds a column in place of those of a state that no columns can show. */
  void addUnreadable(StateDefinition state, String reason) {
    add(state.name(), new SqlType.Opaque(reason), new KeyColumn.Unreadable(state.name(), reason));
  }

  private void addValue(StateDefinition state, PartColumns value) {
    for (PartColumn column : value.columns()) {
      String separator = value.isRow() ? "_" : "";
      add(
          state.name() + separator + column.suffix(),
          column.type(),
          new KeyColumn.OfState(state.name(), column.source()));
    }
    if (value.isRow()) {
      add(state.name() + "_present", BOOLEAN, new KeyColumn.Presence(state.name()));
    }
  }

  private void add(String name, SqlType type, KeyColumn source) {
    columns.add(new NamedKeyColumn(names.claim(name), type, source, false));
  }

  /** The one type that all handles have for a part that is shown within a collection. */
  private static SqlType whole(Part part, StateDefinition state) throws TypeConflictException {
    List<SqlType> types = state.types(StateDefinition.codec(part));
    if (types.size() > 1) {
      throw new TypeConflictException(
          "its handles store "
              + String.join(" and ", types.stream().map(SqlTypes::text).toList())
              + ", which one column of collections cannot hold");
    }
    return types.get(0);
  }
}
