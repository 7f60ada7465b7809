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
package io.statesql.format.rows;

import io.statesql.format.model.ColumnSource;
import java.io.Serializable;
import java.util.List;
import java.util.Set;

/** What the rows of a split are made of. */
public sealed interface SplitContent extends Serializable {

  /**
   * A row for each element of keyed state.
   *
   * @param states names of the states wanted; those that the split does not know have no rows
   * @param columns in the order of the row
   */
  record Elements(Set<String> states, List<ColumnSource> columns) implements SplitContent {
    public Elements {
      states = Set.copyOf(states);
      columns = List.copyOf(columns);
    }
  }

  /**
   * A row for each key that has any of some states.
   *
   * @param states their names, none of them windowed
   * @param columns in the order of the row
   */
  record Keys(Set<String> states, List<KeyColumn> columns) implements SplitContent {
    public Keys {
      states = Set.copyOf(states);
      columns = List.copyOf(columns);
    }
  }

  /**
   * A row for each element of one operator state.
   *
   * @param state its name; one that the split knows
   * @param columns in the order of the row
   */
  record OperatorElements(String state, List<ColumnSource> columns) implements SplitContent {
    public OperatorElements {
      columns = List.copyOf(columns);
    }
  }
}
