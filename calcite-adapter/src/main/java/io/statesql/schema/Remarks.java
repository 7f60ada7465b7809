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

import io.statesql.format.model.Column;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.ColumnSource.FieldOf;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.ColumnSource.Whole;
import io.statesql.format.model.StateKind;
import io.statesql.format.rows.KeyColumn;
import io.statesql.format.rows.NamedKeyColumn;
import io.statesql.type.SqlType;
import java.util.List;

/** Says in words what the tables of an operator and their columns hold. */
final class Remarks {
  private Remarks() {}

  /** What a row of a state's own table is. */
  static String ofState(StateKind kind, String state, List<Column> columns) {
    String row =
        switch (kind) {
          case LIST -> "element of the list of each key";
          case MAP -> "entry of the map of each key";
          case SPLIT_LIST, UNION_LIST -> "element that a subtask stored";
          case BROADCAST -> "entry, which all subtasks share";
          default -> "key that has it";
        };
    boolean hasNamespace = columns.stream().anyMatch(column -> isOfNamespace(column.source()));
    return "State %s, %s: a row for each %s%s"
        .formatted(state, kind, row, hasNamespace ? " and window or other namespace" : "");
  }

  private static boolean isOfNamespace(ColumnSource source) {
    return source == Derived.WINDOW_START
        || (source instanceof Whole whole && whole.part() == Part.NAMESPACE)
        || (source instanceof FieldOf field && field.part() == Part.NAMESPACE);
  }

  /** What a column of a state's own table, or of the timers, holds. */
  static String of(StateKind kind, Column column) {
    return withReason(of(kind, column.source()), column.type());
  }

  /** What a column of {@code keyed_state} holds. */
  static String of(NamedKeyColumn column) {
    KeyColumn source = column.source();
    String text;
    if (source instanceof KeyColumn.OfKey ofKey) {
      text = of(StateKind.VALUE, ofKey.source());
    } else if (source instanceof KeyColumn.OfState ofState) {
      text =
          ofState.source() instanceof FieldOf field
              ? ofField(field.name(), "state " + ofState.state())
              : "State " + ofState.state();
    } else if (source instanceof KeyColumn.Presence presence) {
      text = "Whether the key has state " + presence.state();
    } else if (source instanceof KeyColumn.Collected collected) {
      String what = column.type() instanceof SqlType.MapOf ? "entries" : "elements";
      text = "All %s of state %s".formatted(what, collected.state());
    } else if (source instanceof KeyColumn.Unreadable unreadable) {
      return "State %s, which cannot be read here: %s"
          .formatted(unreadable.state(), unreadable.reason());
    } else {
      throw new IllegalArgumentException("no column of a table: " + source);
    }
    return withReason(text, column.type());
  }

  private static String withReason(String text, SqlType type) {
    if (type instanceof SqlType.Opaque opaque) {
      return "%s, as stored: %s".formatted(text, opaque.reason());
    }
    return type instanceof SqlType.ObjectText object
        ? "%s, as JSON: %s".formatted(text, object.note())
        : text;
  }

  private static String of(StateKind kind, ColumnSource source) {
    if (source instanceof Whole whole) {
      return sentence(part(kind, whole.part()));
    }
    if (source instanceof FieldOf field) {
      String part = part(kind, field.part());
      return field.name().isEmpty() ? sentence(part) : ofField(field.name(), "the " + part);
    }
    return switch ((Derived) source) {
      case KEY_GROUP -> "Key group in which Flink stores the key";
      case SUBTASK -> "Subtask that stored the element";
      case LIST_INDEX -> "Place in the list, from 0";
      case LAST_ACCESS -> "When it was last written or read, for its time to live; UTC";
      case WINDOW_START -> "Start of the window, UTC; null beyond the years 1 to 9999";
      case WINDOW_END -> "End of the window, UTC; null beyond the years 1 to 9999";
      case WINDOW_START_MS -> "Start in milliseconds since 1970, where window_start is null";
      case WINDOW_END_MS -> "End in milliseconds since 1970, where window_end is null";
      case TIME_DOMAIN -> "EVENT or PROCESSING time";
      case TIMER_TIMESTAMP -> "When the timer fires, in milliseconds since 1970";
      case FIRE_TIME -> "When the timer fires, UTC; null beyond the years 1 to 9999";
      case TIMER_SERVICE -> "The operator's name for the service that registered the timer";
      case STORED -> throw new IllegalArgumentException("no column of a table");
    };
  }

  /** A time that is finer than a millisecond has two fields without a name of its own. */
  private static String ofField(String name, String whole) {
    return switch (name) {
      case "" -> sentence(whole);
      case "_nanos" -> "Nanoseconds below the milliseconds of " + whole;
      default -> "Field %s of %s".formatted(name, whole);
    };
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static String part(StateKind kind, Part part) {
    return switch (part) {
      case KEY -> "key of the state";
      case NAMESPACE -> "namespace";
      case MAP_KEY -> "key of the entry";
      case VALUE ->
          switch (kind) {
            case LIST, SPLIT_LIST, UNION_LIST -> "element";
            case MAP, BROADCAST -> "value of the entry";
            default -> "value of the state";
          };
    };
  }
}
