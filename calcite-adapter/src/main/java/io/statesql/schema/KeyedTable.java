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
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.scan.ElementCondition;
import io.statesql.plan.ColumnCondition;
import io.statesql.plan.FilterableSource;
import io.statesql.plan.KeyTestedSource;
import io.statesql.plan.ParallelRows.Wanted;
import io.statesql.plan.PartedSource;
import io.statesql.plan.PieceFold;
import io.statesql.plan.RowSource;
import io.statesql.schema.PushedCondition.SourceColumn;
import io.statesql.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * A table whose rows are keyed state. Conditions on key, key group, window and map key decide what
 * is read; see {@link KeyedAccess}.
 */
abstract class KeyedTable extends StateTable
    implements FilterableSource, KeyTestedSource, PartedSource {
  private final Snapshot snapshot;
  private final KeyedAccess access;

  /**
   * @param states the names of the states that the rows are made of
   * @param sources where each column comes from; null for one that nothing can be found by
   */
  KeyedTable(
      List<Header> headers,
      Snapshot snapshot,
      List<KeyedSplit> splits,
      Set<String> states,
      List<ColumnSource> sources) {
    super(headers);
    this.snapshot = snapshot;
    List<SourceColumn> columns = new ArrayList<>();
    for (int i = 0; i < headers.size(); i++) {
      if (sources.get(i) != null) {
        columns.add(
            new SourceColumn(i, headers.get(i).name(), headers.get(i).type(), sources.get(i)));
      }
    }
    this.access = KeyedAccess.toAll(splits, states, columns);
  }

  /** The same table with a way to its rows. */
  KeyedTable(KeyedTable table, KeyedAccess access) {
    super(table.headers());
    this.snapshot = table.snapshot;
    this.access = access;
  }

  /** The same table with another way to its rows. */
  abstract KeyedTable with(KeyedAccess newAccess);

  /** The rows of one split. */
  abstract RowCursor rows(
      Snapshot scanned, KeyedSplit split, ElementCondition condition, int[] fields);

  Set<String> states() {
    return access.states();
  }

  @Override
  public RowCursor open(int[] fields, ScanContext scan) {
    return open(this::rows, fields, scan, Wanted.ROWS);
  }

  @Override
  public RowCursor openRows(ScanContext scan) {
    return open(this::rows, new int[] {cheapestField()}, scan, Wanted.COUNT);
  }

  @Override
  public RowCursor open(int[] fields, ScanContext scan, PieceFold fold) {
    return open(
        (scanned, split, condition, columns) ->
            fold.of(rows(scanned, split, condition, columns), scanned.scan()),
        fields,
        scan,
        Wanted.FOLDS);
  }

  /** As {@link #rows}. */
  @FunctionalInterface
  private interface PieceOpener {
    RowCursor open(Snapshot scanned, KeyedSplit piece, ElementCondition condition, int[] fields);
  }

  private RowCursor open(PieceOpener opener, int[] fields, ScanContext scan, Wanted wanted) {
    ElementCondition condition = access.condition();
    return SplitRows.open(
        access.splits(condition),
        pieces -> access.wanted(pieces, condition),
        (split, context) -> opener.open(snapshot.within(context), split, condition, fields),
        scan,
        wanted);
  }

  @Override
  public Optional<RowSource> filter(ColumnCondition condition) {
    return access.narrow(condition).map(this::with);
  }

  @Override
  public Set<Integer> testableColumns() {
    return access.testableColumns();
  }

  @Override
  public RowSource whereKey(List<Integer> columns, Predicate<Object[]> test) {
    return with(access.whereKey(columns, test));
  }

  @Override
  public RowSource bind(IntFunction<Object> parameters) {
    return with(access.bind(parameters));
  }

  @Override
  public Map<String, Object> access() {
    return access.explain(snapshot.isIsolated());
  }

  @Override
  public Map<String, Object> rewrites() {
    return access.rewrites();
  }

  @Override
  boolean hasExactKeys() {
    return super.hasExactKeys() && access.hasExactKeys();
  }

  @Override
  public OptionalDouble rowCount() {
    return OptionalDouble.of(access.rowCount());
  }
}
