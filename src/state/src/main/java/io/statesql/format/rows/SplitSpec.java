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

import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.scan.ElementCondition;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.PathMap;
import io.statesql.snapshot.Snapshot;
import java.io.Serializable;

/**
 * The rows of one split, in a form that can be sent to another process: opened anywhere it gives
 * the same rows in the same order, as long as the snapshot lies where it says. Immutable.
 *
 * <p>Changes of a transaction, classes of the job and tests of keys are the host's and do not go
 * along; of the condition goes what Java can serialize, so that others than the wanted elements may
 * be among the rows, as {@link ElementCondition} allows.
 *
 * @param snapshot the path or URI of its metadata file
 * @param pathMap where the files are that the metadata names by absolute paths
 * @param operatorId in hex
 * @param store which state of the subtask
 * @param subtask the index of the subtask that wrote it
 * @param keyGroups those to be read; of no meaning for operator state
 * @param content what the rows are made of
 * @param condition what is wanted; {@link ElementCondition#NONE} for operator state
 * @param offset how many rows from the start are left out
 * @param limit how many rows are given at most
 */
public record SplitSpec(
    String snapshot,
    PathMap pathMap,
    String operatorId,
    Store store,
    int subtask,
    KeyGroupRange keyGroups,
    SplitContent content,
    ElementCondition condition,
    long offset,
    long limit)
    implements Serializable {

  /** Where a subtask keeps state. */
  public enum Store {
    KEYED,
    /** Timers in raw keyed state. */
    RAW_TIMERS,
    OPERATOR
  }

  public SplitSpec {
    if (offset < 0 || limit < 0) {
      throw new IllegalArgumentException("Rows " + offset + "+" + limit);
    }
  }

  /** All rows of a split of keyed state. */
  public static SplitSpec of(
      Snapshot snapshot, KeyedSplit split, SplitContent content, ElementCondition condition) {
    return new SplitSpec(
        snapshot.metadataFile().toString(),
        snapshot.pathMap(),
        split.operator().id().hex(),
        split.layout() == KeyedLayout.RAW_TIMERS ? Store.RAW_TIMERS : Store.KEYED,
        split.subtask(),
        split.keyGroups(),
        content,
        condition,
        0,
        Long.MAX_VALUE);
  }

  /** All elements of one operator state of a split. */
  public static SplitSpec of(
      Snapshot snapshot, OperatorSplit split, SplitContent.OperatorElements content) {
    return new SplitSpec(
        snapshot.metadataFile().toString(),
        snapshot.pathMap(),
        split.operator().id().hex(),
        Store.OPERATOR,
        split.subtask(),
        new KeyGroupRange(0, 0),
        content,
        ElementCondition.NONE,
        0,
        Long.MAX_VALUE);
  }

  /** The rows that are left when some were given: how a reader goes on where another ended. */
  public SplitSpec after(long given) {
    return new SplitSpec(
        snapshot,
        pathMap,
        operatorId,
        store,
        subtask,
        keyGroups,
        content,
        condition,
        offset + given,
        Math.max(0, limit - given));
  }

  /** At most so many of the rows. */
  public SplitSpec atMost(long rows) {
    return new SplitSpec(
        snapshot,
        pathMap,
        operatorId,
        store,
        subtask,
        keyGroups,
        content,
        condition,
        offset,
        Math.min(limit, rows));
  }

  /**
   * Starts to read.
   *
   * @return to be closed by the caller
   * @throws StateSqlException if a file cannot be had, or the snapshot has no such split
   */
  public RowCursor open(SplitHost host) {
    RowCursor rows = openAll(host);
    return offset == 0 && limit == Long.MAX_VALUE ? rows : new RowsWithin(rows, offset, limit);
  }

  private RowCursor openAll(SplitHost host) {
    if (content instanceof SplitContent.Elements elements) {
      return ElementRows.open(
          host.snapshot(this), host.keyed(this), elements.states(), condition, elements.columns());
    }
    if (content instanceof SplitContent.Keys keys) {
      return KeyRows.open(
          host.snapshot(this), host.keyed(this), keys.states(), condition, keys.columns());
    }
    SplitContent.OperatorElements elements = (SplitContent.OperatorElements) content;
    OperatorSplit split = host.operator(this);
    return OperatorRows.open(
        host.snapshot(this),
        split,
        split.header().state(elements.state()).orElseThrow(),
        elements.columns());
  }
}
