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

import java.io.Closeable;

/** The changes that one statement makes to a table; closed by who started it. Not thread-safe. */
public interface RowChanges extends Closeable {
  /**
   * Takes in a row. Nothing of it is visible before {@link #stage}.
   *
   * @param row what is stored, if the rows come from the table itself; then the values of the
   *     assigned columns
   * @throws io.statesql.StateSqlException if the row cannot be stored: names column, row and reason
   */
  void add(Object[] row);

  /**
   * Makes the changes visible to later statements of the transaction, all of them or, if it fails,
   * none.
   *
   * @return how many rows were changed
   */
  long stage();

  /** Forgets what was not staged. */
  @Override
  void close();
}
