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
package io.statesql.plan;

import io.statesql.edit.ChangeContext;
import java.util.List;
import org.apache.calcite.schema.ExtensibleTable;

/**
 * A table whose rows SQL may change. Extended with the column {@link #STORED}, it shows with each
 * row what is stored for it, which tells {@link ChangeKind#UPDATE} and {@link ChangeKind#DELETE}
 * what to change.
 */
public interface ModifiableState extends ExtensibleTable {
  /** The name of the column of what is stored. */
  String STORED = "$stored";

  /**
   * Why a statement cannot assign a column, at the end of a sentence; null if it can.
   *
   * @param column by position in the table
   */
  String readOnlyReason(ChangeKind kind, int column);

  /**
   * Starts to take in the rows of one statement.
   *
   * @param columns those that the statement assigns, by position in the table; none for a DELETE
   */
  RowChanges change(ChangeKind kind, List<Integer> columns, ChangeContext statement);
}
