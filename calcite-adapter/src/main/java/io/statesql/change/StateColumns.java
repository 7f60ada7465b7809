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

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of {@code keyed_state} that a statement assigns of one state.
 *
 * @param values of a state with one value
 * @param presence whether the key shall have the state
 * @param collected all elements of a LIST or MAP
 */
record StateColumns(
    String state,
    List<ChangedColumn> values,
    @Nullable ChangedColumn presence,
    @Nullable ChangedColumn collected) {

  StateColumns withPresence(ChangedColumn column) {
    return new StateColumns(state, values, column, collected);
  }

  StateColumns withCollected(ChangedColumn column) {
    return new StateColumns(state, values, presence, column);
  }

  /** The columns from which the bytes of entries are made. */
  List<ChangedColumn> encoded(List<ChangedColumn> keyColumns) {
    List<ChangedColumn> columns = new ArrayList<>(keyColumns);
    columns.addAll(values);
    return columns;
  }
}
