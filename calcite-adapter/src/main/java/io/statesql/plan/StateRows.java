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
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.linq4j.function.Predicate1;

/** What generated code calls to run a {@link StateScan}. Public for that reason alone. */
public final class StateRows {
  private final RowSource source;
  private final int[] fields;
  private final boolean onlyCounted;

  /** What keys are tested by in a run of a statement. */
  private final UnaryOperator<RowSource> tested;

  /**
   * @param onlyCounted whether the values of the rows mean nothing
   */
  StateRows(RowSource source, int[] fields, boolean onlyCounted) {
    this(source, fields.clone(), onlyCounted, UnaryOperator.identity());
  }

  private StateRows(
      RowSource source, int[] fields, boolean onlyCounted, UnaryOperator<RowSource> tested) {
    this.source = source;
    this.fields = fields;
    this.onlyCounted = onlyCounted;
    this.tested = tested;
  }

  /**
   * The rows whose keys pass a test; others may be among them.
   *
   * @param columns as {@link KeyTestedSource#whereKey} wants them
   */
  public StateRows whereKey(List<Integer> columns, Predicate1<Object[]> test) {
    return new StateRows(
        source,
        fields,
        onlyCounted,
        rows -> ((KeyTestedSource) rows).whereKey(columns, test::apply));
  }

  /** The rows; each enumeration gives all of them. */
  public Enumerable<Object[]> enumerable(DataContext context) {
    return enumerable(
        context, (bound, scan) -> onlyCounted ? bound.openRows(scan) : bound.open(fields, scan));
  }

  /** One row: the number of rows. */
  public Enumerable<Object[]> count(DataContext context) {
    return enumerable(
        context, (bound, scan) -> new RowCount(bound.openRows(scan), scan.cancellation()));
  }

  /**
   * One row: the results of aggregate functions.
   *
   * @param results how those over pieces become those over all
   * @param fold aggregates the rows of one piece; called by several threads
   */
  public Enumerable<Object[]> folded(
      DataContext context,
      List<PartialResult> results,
      Function1<Enumerable<Object[]>, Enumerable<?>> fold) {
    return enumerable(
        context,
        (bound, scan) ->
            new FoldedPieces(
                ((PartedSource) bound)
                    .open(fields, scan, (piece, within) -> new FoldedPiece(piece, within, fold)),
                results));
  }

  private Enumerable<Object[]> enumerable(
      DataContext context, BiFunction<RowSource, ScanContext, RowCursor> opener) {
    ScanContext scan = StatementScans.of(context);
    OpenScans statement = OpenScans.of(context);
    RowSource bound = tested.apply(source.bind(parameter -> context.get("?" + parameter)));
    RepeatedRows rows =
        new RepeatedRows(within -> opener.apply(bound, within), scan.limits().keptBytes());
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object[]> enumerator() {
        return new RowEnumerator(rows::open, scan, statement);
      }
    };
  }
}
