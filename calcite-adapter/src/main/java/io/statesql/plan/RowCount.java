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

import io.statesql.Cancellation;
import io.statesql.format.model.RowCursor;

/** One row with the number of other rows. */
final class RowCount implements RowCursor {
  private final RowCursor rows;
  private final Cancellation cancellation;
  private long count;
  private boolean counted;

  /**
   * @param rows closed with this one
   */
  RowCount(RowCursor rows, Cancellation cancellation) {
    this.rows = rows;
    this.cancellation = cancellation;
  }

  @Override
  public boolean next() {
    if (counted) {
      return false;
    }
    counted = true;
    count = rows.passAll(cancellation);
    return true;
  }

  @Override
  public Object[] row() {
    return new Object[] {count};
  }

  @Override
  public long tableRows() {
    return count;
  }

  @Override
  public void close() {
    rows.close();
  }
}
