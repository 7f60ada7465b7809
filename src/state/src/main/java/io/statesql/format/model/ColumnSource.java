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
package io.statesql.format.model;

import io.statesql.type.DateTimeRange;
import io.statesql.type.SqlType;
import java.io.Serializable;

/** Where the value of one column comes from. */
public sealed interface ColumnSource extends Serializable {

  /** The parts of an element that have a serializer of their own. */
  enum Part {
    KEY,
    NAMESPACE,
    MAP_KEY,
    VALUE
  }

  /**
   * A part as a whole.
   *
   * @param part which one
   */
  record Whole(Part part) implements ColumnSource {}

  /**
   * One field of a part that is a row.
   *
   * @param name of the field as stored
   * @param occurrence which of the fields of that name, from 0: two classes of a hierarchy may
   *     declare the same name
   */
  record FieldOf(Part part, String name, int occurrence) implements ColumnSource {

    /** The position of the field in a type; -1 if it is not there. */
    public int indexIn(SqlType type) {
      if (!(type instanceof SqlType.Row row)) {
        return -1;
      }
      int before = 0;
      for (int i = 0; i < row.fields().size(); i++) {
        if (row.fields().get(i).name().equals(name) && before++ == occurrence) {
          return i;
        }
      }
      return -1;
    }
  }

  /** What is known of an element beside its parts. */
  enum Derived implements ColumnSource {
    KEY_GROUP,
    /** The subtask that holds an element of operator state. */
    SUBTASK,
    LIST_INDEX,
    /** Epoch milliseconds of the last access of a TTL-wrapped value. */
    LAST_ACCESS,
    /** Null outside of the {@linkplain DateTimeRange years 1 to 9999}. */
    WINDOW_START,
    WINDOW_END,
    /** Only where {@link #WINDOW_START} cannot hold it, else null. */
    WINDOW_START_MS,
    WINDOW_END_MS,
    TIME_DOMAIN,
    TIMER_TIMESTAMP,
    /** The timer's time as a TIMESTAMP, null outside of the same years. */
    FIRE_TIME,
    TIMER_SERVICE,
    /** The element itself, a {@link StoredElement}: what statements change. */
    STORED
  }
}
