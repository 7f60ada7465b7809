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
package io.statesql.format.split;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.header.GuessedHeaders;
import io.statesql.format.header.KeyedHeaders;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.NoElements;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SubtaskState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The keyed splits of one operator, and the way to open each. */
public final class KeyedSplits {
  private KeyedSplits() {}

  /**
   * Reads the headers of all managed keyed state of an operator. Where there are POJOs, or values
   * without a known end, looks at the first values, too.
   *
   * @return one split for each subtask with keyed state
   * @throws StateSqlException if a header is damaged, missing or of a form that is not read
   */
  public static List<KeyedSplit> of(Snapshot snapshot, OperatorState operator) {
    return HeaderRounds.read(
        snapshot,
        knowing -> read(knowing, operator),
        split -> split.header().pojos(),
        FirstValues::ofKeyed);
  }

  private static List<KeyedSplit> read(Snapshot snapshot, OperatorState operator) {
    List<KeyedSplit> splits = new ArrayList<>();
    KeyedHeaders headers = new KeyedHeaders();
    for (SubtaskState subtask : operator.subtasks()) {
      requireOwnKeyGroups(snapshot, operator, subtask.index(), subtask.managedKeyedState());
      KeyedStateHandle handle = subtask.managedKeyedState();
      if (handle != null && !(handle instanceof KeyedStateHandle.Changelog)) {
        splits.add(
            KeyedForms.of(handle).read(snapshot, operator, subtask.index(), handle, headers));
      }
    }
    GuessedHeaders.confirmKeyed(splits);
    splits.addAll(KeyedForms.CHANGELOG.readAll(snapshot, operator, splits));
    return splits;
  }

  /** Flink gives a subtask the same key groups always; others would hide what is stored. */
  static void requireOwnKeyGroups(
      Snapshot snapshot, OperatorState operator, int subtask, KeyedStateHandle handle) {
    KeyGroupRange own =
        KeyGroupRange.ofSubtask(subtask, operator.parallelism(), operator.maxParallelism());
    if (handle != null && !handle.keyGroups().equals(own)) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "Operator \""
              + operator.uidOrId()
              + "\", subtask "
              + subtask
              + ": the metadata "
              + snapshot.metadata().location()
              + " is damaged: it says that the subtask has "
              + handle.keyGroups()
              + ", but one of "
              + operator.parallelism()
              + " has "
              + own
              + ".");
    }
  }

  /**
   * Opens a split to walk the elements of some of its states.
   *
   * @param wanted numbers of states in the split's header
   * @return to be closed by the caller
   * @throws StateSqlException if the file cannot be had, or its form is not read by this version
   */
  public static KeyedElements open(Snapshot snapshot, KeyedSplit split, BitSet wanted) {
    return open(snapshot, split, wanted, ElementCondition.NONE);
  }

  /**
   * As {@link #open(Snapshot, KeyedSplit, BitSet)}, for the elements that meet a condition. Others
   * may be among them.
   */
  public static KeyedElements open(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    if (isNothingWanted(split, wanted, condition)) {
      return new NoElements(split);
    }
    if (!SessionWindows.isNeeded(split.header(), wanted)) {
      return openChanged(snapshot, split, wanted, condition);
    }
    // Contents are stored under other windows than those that the condition is about.
    ElementCondition onKeys = condition.onKeys();
    KeyedElements elements = openChanged(snapshot, split, wanted, onKeys);
    try {
      BitSet mergingSet = SessionWindows.mergingSet(split.header());
      return new SessionWindows(elements, openChanged(snapshot, split, mergingSet, onKeys));
    } catch (StateSqlException e) {
      elements.close();
      throw e;
    }
  }

  private static KeyedElements openChanged(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    return StagedElements.over(
        openStored(snapshot, split, wanted, condition), split, wanted, condition);
  }

  /**
   * Opens a split to walk the elements of some of its states key by key, where its form {@linkplain
   * io.statesql.format.form.KeyedForm#isSortedByKey can}.
   *
   * @param wanted numbers of states in the split's header, none of them windowed
   * @param condition what is wanted of their elements; others may be among them
   * @return to be closed by the caller
   * @throws StateSqlException if a file cannot be had
   */
  public static KeyedElements openByKey(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    if (isNothingWanted(split, wanted, condition)) {
      return new NoElements(split);
    }
    return KeyedForms.of(split).openByKey(snapshot, scan(snapshot, split, wanted, condition));
  }

  /** A split without any key groups is opened all the same: it may be damaged. */
  private static boolean isNothingWanted(
      KeyedSplit split, BitSet wanted, ElementCondition condition) {
    return wanted.isEmpty()
        || (split.keyGroups().count() > 0 && condition.keyGroups(split, wanted).isEmpty());
  }

  /**
   * As {@link #open}, without what a transaction has staged, and with windows as they are stored.
   */
  public static KeyedElements openStored(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    return KeyedForms.of(split).open(snapshot, scan(snapshot, split, wanted, condition));
  }

  private static SplitScan scan(
      Snapshot snapshot, KeyedSplit split, BitSet wanted, ElementCondition condition) {
    return new SplitScan(split, wanted, condition, snapshot.scan().counters());
  }
}
