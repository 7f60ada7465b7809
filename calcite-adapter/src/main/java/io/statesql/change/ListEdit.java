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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What one statement does to one list, in terms of the positions that it had before. */
final class ListEdit {
  private final Map<Integer, Bytes> replaced = new TreeMap<>();
  private final Set<Integer> removed = new HashSet<>();

  /** Elements to be added at positions, in ascending order. */
  private final TreeMap<Integer, Bytes> added = new TreeMap<>();

  private final List<Bytes> appended = new ArrayList<>();
  private boolean mayReplace;

  void replace(int index, Bytes element) {
    replaced.put(index, element);
  }

  void remove(int index) {
    removed.add(index);
  }

  /**
   * Adds an element.
   *
   * @param index null to append it
   */
  void add(Integer index, Bytes element, ChangeKind kind) {
    mayReplace = kind == ChangeKind.UPSERT;
    if (index == null) {
      appended.add(element);
    } else if (added.put(index, element) != null) {
      throw new RefusedValueException("list_index", "two rows of the statement have this index");
    }
  }

  /**
   * The list after the statement.
   *
   * @throws StateSqlException if an element would be where one is, or after a gap
   */
  List<Bytes> apply(List<Bytes> before) {
    List<Bytes> after = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      if (!removed.contains(i)) {
        after.add(replaced.getOrDefault(i, before.get(i)));
      }
    }
    for (Map.Entry<Integer, Bytes> element : added.entrySet()) {
      put(after, element.getKey(), element.getValue());
    }
    after.addAll(appended);
    return after;
  }

  private void put(List<Bytes> list, int index, Bytes element) {
    if (index < 0 || index > list.size()) {
      throw new StateSqlException(
          ErrorCode.UNWRITABLE_VALUE,
          "Nothing was changed: a list of "
              + list.size()
              + " elements cannot get one with list_index "
              + index
              + ", which would leave a gap; leave list_index out to append.");
    }
    if (index == list.size()) {
      list.add(element);
    } else if (mayReplace) {
      list.set(index, element);
    } else {
      throw StateChanges.exists("list_index = " + index);
    }
  }
}
