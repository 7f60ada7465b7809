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
package io.statesql.schema;

import io.statesql.ScanContext;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.split.SplitPieces;
import io.statesql.plan.ParallelRows;
import io.statesql.plan.ParallelRows.Wanted;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** The rows of the splits of an operator, on one thread or several. */
final class SplitRows {
  private SplitRows() {}

  /**
   * Starts to read what there is now, whatever a transaction changes later. Rows come in the order
   * of the splits, however many threads there are.
   *
   * @param wanted leaves out parts of splits of which nothing is wanted
   * @param opener opens a split, or a part of one, within a context
   * @return to be closed by the caller
   */
  static RowCursor open(
      List<KeyedSplit> splits,
      UnaryOperator<List<KeyedSplit>> wanted,
      BiFunction<KeyedSplit, ScanContext, RowCursor> opener,
      ScanContext scan,
      Wanted rows) {
    List<KeyedSplit> present = splits.stream().map(KeyedSplit::asOfNow).toList();
    int threads = SplitPieces.threads(present, scan.limits());
    // The sum of DOUBLEs depends on how they are parted: not to depend on the threads too.
    List<KeyedSplit> parts =
        rows == Wanted.FOLDS ? SplitPieces.cutBySize(present) : SplitPieces.cut(present, threads);
    List<KeyedSplit> pieces = wanted.apply(parts);
    scan.counters()
        .expectKeyGroups(pieces.stream().mapToLong(piece -> piece.keyGroups().count()).sum());
    if (Math.min(threads, pieces.size()) <= 1) {
      ScanContext alone = scan.within(scan.limits().withParallelism(1));
      return new SplitsCursor<>(
          rows == Wanted.FOLDS ? pieces : present, split -> opener.apply(split, alone));
    }
    return new ParallelRows(pieces, opener, scan, threads, rows);
  }
}
