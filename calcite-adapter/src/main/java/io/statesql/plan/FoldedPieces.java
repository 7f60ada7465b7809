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

import io.statesql.format.model.RowCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One row: the results of aggregate functions over all pieces, made of those over each. */
final class FoldedPieces implements RowCursor {
  private final RowCursor pieces;
  private final List<PartialResult> results;
  private Object @Nullable [] row;

  /**
   * @param pieces a row for each; closed with this one
   */
  FoldedPieces(RowCursor pieces, List<PartialResult> results) {
    this.pieces = pieces;
    this.results = results;
  }

  @Override
  public boolean next() {
    if (row != null) {
      return false;
    }
    Object[] sum = results.stream().map(PartialResult::ofNoRows).toArray();
    while (pieces.next()) {
      Object[] piece = pieces.row();
      for (int i = 0; i < sum.length; i++) {
        sum[i] = results.get(i).of(sum[i], piece[i]);
      }
    }
    row = sum;
    return true;
  }

  @Override
  public Object[] row() {
    return row;
  }

  /** The rows of the table are counted where they are read. */
  @Override
  public long tableRows() {
    return 0;
  }

  @Override
  public void close() {
    pieces.close();
  }
}
