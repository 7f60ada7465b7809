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

import com.google.common.primitives.Ints;
import io.statesql.edit.ChangeContext;
import io.statesql.edit.Transaction;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;

/** A change of a table in the form that generated code uses. */
public final class StateChange {
  private final ModifiableState table;
  private final ChangeKind kind;
  private final int[] columns;

  StateChange(ModifiableState table, ChangeKind kind, int[] columns) {
    this.table = table;
    this.kind = kind;
    this.columns = columns.clone();
  }

  /**
   * Makes the change. All rows are read before the first change is visible, so that the statement
   * does not see what it writes itself.
   *
   * @param rows what {@link RowChanges#add} takes
   * @return one element, the number of changed rows
   */
  public Enumerable<Long> run(DataContext context, Enumerable<Object[]> rows) {
    ChangeContext statement =
        StatementChanges.of(context, String.valueOf(context.get(Transaction.STATEMENT)));
    try (RowChanges changes = table.change(kind, Ints.asList(columns), statement);
        Enumerator<Object[]> each = rows.enumerator()) {
      while (each.moveNext()) {
        statement.scan().cancellation().check();
        changes.add(each.current());
      }
      return Linq4j.singletonEnumerable(changes.stage());
    }
  }
}
