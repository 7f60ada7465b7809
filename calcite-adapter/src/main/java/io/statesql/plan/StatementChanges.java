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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.edit.ChangeContext;
import io.statesql.edit.Transaction;
import org.apache.calcite.DataContext;

/**
 * What statements that change state work within, for generated code that knows its context alone.
 */
public final class StatementChanges {
  private StatementChanges() {}

  /**
   * For the statement that runs in a context.
   *
   * @param sql the text of the statement
   * @throws StateSqlException if the connection has no transaction: it is not one of our driver
   */
  public static ChangeContext of(DataContext context, String sql) {
    if (!(context.get(Transaction.CONTEXT) instanceof Transaction transaction)) {
      throw new StateSqlException(
          ErrorCode.READ_ONLY, "This connection only reads; change state through jdbc:statesql:.");
    }
    Number time = (Number) context.get(DataContext.Variable.UTC_TIMESTAMP.camelName);
    return new ChangeContext(transaction, sql, time.longValue(), StatementScans.of(context));
  }
}
