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

import io.statesql.format.model.RowCursor;

/** Some of the rows of another cursor: those behind the first ones, up to a number. */
final class RowsWithin implements RowCursor {
  private final RowCursor all;
  private long toSkip;
  private long toGive;

  RowsWithin(RowCursor all, long offset, long limit) {
    this.all = all;
    this.toSkip = offset;
    this.toGive = limit;
  }

  @Override
  public boolean next() {
    if (toGive == 0) {
      return false;
    }
    while (toSkip > 0) {
      if (!all.next()) {
        toGive = 0;
        return false;
      }
      toSkip--;
    }
    toGive--;
    return all.next();
  }

  @Override
  public Object[] row() {
    return all.row();
  }

  @Override
  public long tableRows() {
    return all.tableRows();
  }

  @Override
  public void close() {
    all.close();
  }
}
