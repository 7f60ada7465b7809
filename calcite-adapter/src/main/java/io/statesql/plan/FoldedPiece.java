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

import io.statesql.ScanContext;
import io.statesql.format.model.RowCursor;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.function.Function1;
import org.jspecify.annotations.Nullable;

/** What generated code makes of the rows of one piece. */
final class FoldedPiece implements RowCursor {
  /** How many rows may be read before the cancellation is asked. */
  private static final int ROWS_BETWEEN_CHECKS = 64;

  private final RowCursor piece;
  private final ScanContext scan;
  private final Function1<Enumerable<Object[]>, Enumerable<?>> fold;
  private @Nullable Enumerator<?> results;

  /**
   * @param piece closed with this one
   * @param fold of the rows of the piece, which it reads once, to rows or to values of one column
   */
  FoldedPiece(
      RowCursor piece, ScanContext scan, Function1<Enumerable<Object[]>, Enumerable<?>> fold) {
    this.piece = piece;
    this.scan = scan;
    this.fold = fold;
  }

  @Override
  public boolean next() {
    if (results == null) {
      results = fold.apply(new Rows()).enumerator();
    }
    return results.moveNext();
  }

  @Override
  public Object[] row() {
    return results.current() instanceof Object[] row ? row : new Object[] {results.current()};
  }

  @Override
  public void close() {
    try (piece) {
      if (results != null) {
        results.close();
      }
    }
  }

  /** The rows of the piece, for generated code. */
  private final class Rows extends AbstractEnumerable<Object[]> implements Enumerator<Object[]> {
    private long count;

    @Override
    public Enumerator<Object[]> enumerator() {
      return this;
    }

    @Override
    public boolean moveNext() {
      if (count % ROWS_BETWEEN_CHECKS == 0) {
        scan.cancellation().check();
      }
      if (!piece.next()) {
        scan.counters().addRows(count);
        return false;
      }
      count++;
      return true;
    }

    @Override
    public Object[] current() {
      return piece.row();
    }

    @Override
    public void reset() {
      throw new UnsupportedOperationException("the rows of a piece are read once");
    }

    @Override
    public void close() {}
  }
}
