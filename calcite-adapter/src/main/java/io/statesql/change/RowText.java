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

import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StateMeta;
import io.statesql.format.model.StoredElement;
import io.statesql.snapshot.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Names rows in messages by what tells them apart. */
final class RowText {
  private static final int MAX_LENGTH = 200;

  private RowText() {}

  /** The row of an element. */
  static String of(StoredElement element) {
    List<String> parts = new ArrayList<>();
    StateKind kind = element.state().kind();
    if (element.state().codec(Part.KEY) != null) {
      parts.add("state_key = " + part(element.state(), Part.KEY, element.key()));
      if (!element.state().codecs().isUnwindowed()) {
        parts.add("window = " + part(element.state(), Part.NAMESPACE, element.namespace()));
      }
    } else if (kind != StateKind.BROADCAST) {
      parts.add("subtask = " + element.subtask());
    }
    if (element.mapKey() != null) {
      parts.add("map_key = " + part(element.state(), Part.MAP_KEY, element.mapKey()));
    }
    switch (kind) {
      case LIST, SPLIT_LIST, UNION_LIST -> parts.add("list_index = " + element.listIndex());
      case TIMER -> parts.add("timer_timestamp = " + element.timestamp());
      default -> {}
    }
    return shortened(String.join(", ", parts));
  }

  /** The row of the present element of a reader. */
  static String of(KeyedElement element) {
    return of(StoredElement.of(element.state(), element));
  }

  /** The key of an element. */
  static String keyOf(StoredElement element) {
    return shortened(part(element.state(), Part.KEY, element.key()));
  }

  /** The key of the present element of a reader. */
  static String keyOf(KeyedElement element) {
    return keyOf(StoredElement.of(element.state(), element));
  }

  /** The columns of a row that are given. */
  static String of(List<ChangedColumn> columns, Object[] row) {
    return shortened(
        columns.stream()
            .map(column -> column.name() + " = " + text(row[column.position()]))
            .collect(Collectors.joining(", ")));
  }

  private static String part(StateMeta state, Part part, Bytes bytes) {
    return text(state.codec(part).readLast(bytes.input()));
  }

  private static String text(Object value) {
    if (value instanceof String string) {
      return "'" + string.replace("'", "''") + "'";
    }
    if (value instanceof Object[] row) {
      return Arrays.stream(row).map(RowText::text).collect(Collectors.joining(", ", "(", ")"));
    }
    return value == null ? "NULL" : value.toString();
  }

  private static String shortened(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
  }
}
