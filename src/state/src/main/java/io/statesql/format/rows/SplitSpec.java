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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.form.KeyedForm;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedForms;
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
 * @param isolated whether native code reads its RocksDB files in another process
 * @param operatorId in hex
 * @param store which state of the subtask
 * @param subtask the index of the subtask that wrote it
 * @param keyGroups those to be read; of no meaning for operator state
 * @param content what the rows are made of
 * @param condition what is wanted; {@link ElementCondition#NONE} for operator state
 * @param offset how many rows from the start are left out: of the first key group, as a reader that
 *     was left before has given them
 * @param gatheredBytes what that reader could gather, by which rows of a key group may come in
 *     another order; of no meaning without an offset
 * @param limit how many rows are given at most
 */
public record SplitSpec(
    String snapshot,
    PathMap pathMap,
    boolean isolated,
    String operatorId,
    Store store,
    int subtask,
    KeyGroupRange keyGroups,
    SplitContent content,
    ElementCondition condition,
    long offset,
    long gatheredBytes,
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
        snapshot.isIsolated(),
        split.operator().id().hex(),
        split.layout() == KeyedLayout.RAW_TIMERS ? Store.RAW_TIMERS : Store.KEYED,
        split.subtask(),
        split.keyGroups(),
        content,
        condition,
        0,
        0,
        Long.MAX_VALUE);
  }

  /** All elements of one operator state of a split. */
  public static SplitSpec of(
      Snapshot snapshot, OperatorSplit split, SplitContent.OperatorElements content) {
    return new SplitSpec(
        snapshot.metadataFile().toString(),
        snapshot.pathMap(),
        snapshot.isIsolated(),
        split.operator().id().hex(),
        Store.OPERATOR,
        split.subtask(),
        new KeyGroupRange(0, 0),
        content,
        ElementCondition.NONE,
        0,
        0,
        Long.MAX_VALUE);
  }

  /**
   * The rows that are left where a reader ended.
   *
   * @param keyGroup of the last row; below 0 if rows are of none
   * @param passed rows of that key group
   * @param given rows of this spec
   * @param couldGather bytes that the reader could gather
   */
  SplitSpec from(int keyGroup, long passed, long given, long couldGather) {
    KeyGroupRange left =
        keyGroup < 0 ? keyGroups : new KeyGroupRange(keyGroup, keyGroups.end() - keyGroup + 1);
    return new SplitSpec(
        snapshot,
        pathMap,
        isolated,
        operatorId,
        store,
        subtask,
        left,
        content,
        condition,
        passed,
        couldGather,
        limit == Long.MAX_VALUE ? limit : limit - given);
  }

  /** At most so many of the rows. */
  public SplitSpec atMost(long rows) {
    return new SplitSpec(
        snapshot,
        pathMap,
        isolated,
        operatorId,
        store,
        subtask,
        keyGroups,
        content,
        condition,
        offset,
        gatheredBytes,
        Math.min(limit, rows));
  }

  /**
   * Starts to read all that it asks for.
   *
   * @return to be closed by the caller
   * @throws StateSqlException if a file cannot be had, or the snapshot has no such split
   */
  public RowCursor open(SplitHost host) {
    return offset == 0 && limit == Long.MAX_VALUE ? openAll(host) : read(host);
  }

  /**
   * As {@link #open}, by a reader that can be left after any row.
   *
   * @throws StateSqlException as {@link #open}, and if the rows of this host may come in another
   *     order than those that were counted
   */
  public SplitReader read(SplitHost host) {
    long bytes = host.snapshot(this).scan().limits().gatheredBytes();
    if (offset > 0 && bytes != gatheredBytes && isOrderedByMemory(host)) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "Subtask "
              + subtask
              + " of operator "
              + operatorId
              + " in "
              + snapshot
              + " cannot be read on from row "
              + offset
              + " of key group "
              + keyGroups.start()
              + ": the reader that counted them could gather "
              + gatheredBytes
              + " bytes and this one can "
              + bytes
              + ", so their order may differ; read on with the same limits, or this key group anew.");
    }
    return new SplitReader(this, bytes, openAll(host));
  }

  /** Whether the rows of a key group are gathered, in as many passes as there must be. */
  private boolean isOrderedByMemory(SplitHost host) {
    if (store == Store.OPERATOR) {
      return false;
    }
    KeyedForm form = KeyedForms.of(host.keyed(this));
    return form.memory(host.snapshot(this).scan().limits()) > 0
        || (content instanceof SplitContent.Keys && !form.isSortedByKey());
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
