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
import io.statesql.format.model.Column;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.StateKind;
import io.statesql.format.rows.KeyColumn;
import io.statesql.format.rows.NamedKeyColumn;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.RowChanges;
import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Starts the changes of each kind of table. */
public final class TableChanges {
  private TableChanges() {}

  /**
   * Changes of the table of one keyed state.
   *
   * @param kind of the state
   * @param columns of the table
   * @param assigned positions in the table
   */
  public static RowChanges ofKeyedState(
      ChangedOperator operator,
      ChangeKind change,
      ChangeContext statement,
      String state,
      StateKind kind,
      List<Column> columns,
      List<Integer> assigned) {
    List<ChangedColumn> changed = changed(change, columns, assigned);
    List<ChangedColumn> keys = new ArrayList<>();
    for (int i = 0; i < assigned.size(); i++) {
      if (columns.get(assigned.get(i)).isKey()) {
        keys.add(changed.get(i));
      }
    }
    return kind == StateKind.LIST
        ? new ListChanges(operator, change, statement, state, changed, keys)
        : new EntryChanges(operator, change, statement, state, changed, keys);
  }

  /** Changes of the table of all timers; as {@link #ofKeyedState}. */
  public static RowChanges ofTimers(
      ChangedOperator operator,
      ChangeKind change,
      ChangeContext statement,
      Set<String> states,
      List<Column> columns,
      List<Integer> assigned) {
    return new TimerChanges(
        operator, change, statement, states, changed(change, columns, assigned));
  }

  /** Changes of the table of one operator state; as {@link #ofKeyedState}. */
  public static RowChanges ofOperatorState(
      ChangedOperator operator,
      ChangeKind change,
      ChangeContext statement,
      String state,
      StateKind kind,
      List<Column> columns,
      List<Integer> assigned) {
    List<ChangedColumn> changed = changed(change, columns, assigned);
    return kind == StateKind.BROADCAST
        ? new BroadcastChanges(operator, change, statement, state, changed)
        : new OperatorListChanges(operator, change, statement, state, changed);
  }

  /** Changes of {@code keyed_state}; as {@link #ofKeyedState}. */
  public static RowChanges ofKeys(
      ChangedOperator operator,
      ChangeKind change,
      ChangeContext statement,
      Set<String> states,
      List<NamedKeyColumn> columns,
      List<Integer> assigned) {
    List<ChangedColumn> keys = new ArrayList<>();
    Map<String, StateColumns> byState = new LinkedHashMap<>();
    for (int i = 0; i < assigned.size(); i++) {
      NamedKeyColumn column = columns.get(assigned.get(i));
      int position = position(change, i);
      KeyColumn source = column.source();
      if (source instanceof KeyColumn.OfKey ofKey) {
        keys.add(new ChangedColumn(column.name(), column.type(), ofKey.source(), position));
      } else if (source instanceof KeyColumn.OfState of) {
        columnsOf(byState, of.state())
            .values()
            .add(new ChangedColumn(column.name(), column.type(), of.source(), position));
      } else if (source instanceof KeyColumn.Presence of) {
        byState.put(
            of.state(), columnsOf(byState, of.state()).withPresence(whole(column, position)));
      } else if (source instanceof KeyColumn.Collected of) {
        byState.put(
            of.state(), columnsOf(byState, of.state()).withCollected(whole(column, position)));
      }
    }
    return new KeyChanges(operator, change, statement, states, keys, List.copyOf(byState.values()));
  }

  private static StateColumns columnsOf(Map<String, StateColumns> byState, String state) {
    return byState.computeIfAbsent(
        state, name -> new StateColumns(name, new ArrayList<>(), null, null));
  }

  private static ChangedColumn whole(NamedKeyColumn column, int position) {
    return new ChangedColumn(
        column.name(), column.type(), new ColumnSource.Whole(ColumnSource.Part.VALUE), position);
  }

  private static List<ChangedColumn> changed(
      ChangeKind change, List<Column> columns, List<Integer> assigned) {
    List<ChangedColumn> changed = new ArrayList<>();
    for (int i = 0; i < assigned.size(); i++) {
      Column column = columns.get(assigned.get(i));
      changed.add(
          new ChangedColumn(column.name(), column.type(), column.source(), position(change, i)));
    }
    return changed;
  }

  /** Before the values of an UPDATE stands what is stored. */
  private static int position(ChangeKind change, int assigned) {
    return change.isOfExisting() ? assigned + 1 : assigned;
  }

  /**
   * Why a column cannot be assigned, at the end of a sentence; null if it can.
   *
   * @param kind of the state whose table it is
   */
  public static String readOnlyReason(
      ChangeKind change, StateKind kind, ColumnSource source, SqlType type, boolean isKey) {
    if (type instanceof SqlType.Opaque opaque) {
      return "its type cannot be written: "
          + opaque.reason()
          + (opaque.needsClass() && isOfKey(source)
              ? "; with the job's jars (the connection property 'jars') a new key can be given by"
                  + " its stored bytes"
              : "");
    }
    if (type instanceof SqlType.ObjectText text && !text.isWritable()) {
      return "its type cannot be written: " + text.note();
    }
    if (source == ColumnSource.Derived.KEY_GROUP) {
      return "it follows from the key";
    }
    if (source == ColumnSource.Derived.FIRE_TIME) {
      return "it shows timer_timestamp, which can be assigned";
    }
    boolean isList =
        kind == StateKind.LIST || kind == StateKind.SPLIT_LIST || kind == StateKind.UNION_LIST;
    if (change == ChangeKind.UPDATE && isList && isKey) {
      return "an element stays in its list at its place; DELETE it and INSERT it where it shall be";
    }
    return null;
  }

  private static boolean isOfKey(ColumnSource source) {
    return (source instanceof ColumnSource.Whole whole && whole.part() == ColumnSource.Part.KEY)
        || (source instanceof ColumnSource.FieldOf of && of.part() == ColumnSource.Part.KEY);
  }
}
