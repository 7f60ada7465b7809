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
package io.statesql.format.form;

import io.statesql.ScanLimits;
import io.statesql.format.header.KeyedHeaders;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StreamHandle;
import java.util.function.UnaryOperator;

/**
 * A form in which Flink stores keyed state: how its header is read, how its elements are walked,
 * how it is written with changes, and what those who read it must know of it. There is one object
 * for each form, without state of its own. Safe for use by many threads.
 */
public interface KeyedForm {

  /**
   * Reads the header of a handle. A changelog has none of its own: it is read with the other splits
   * of its operator.
   *
   * @param headers of the other subtasks of the operator, as far as they were read
   * @throws io.statesql.StateSqlException if it is damaged, missing or of a form that is not read
   */
  KeyedSplit read(
      Snapshot snapshot,
      OperatorState operator,
      int subtask,
      KeyedStateHandle handle,
      KeyedHeaders headers);

  /**
   * Opens a split of this form to walk elements as they are stored, state by state in each key
   * group.
   *
   * @param scan what is wanted of the split; other elements may be among them
   * @return to be closed by the caller
   * @throws io.statesql.StateSqlException if a file cannot be had, or is damaged
   */
  KeyedElements open(Snapshot snapshot, SplitScan scan);

  /** Whether the elements of all states can be walked key by key, by {@link #openByKey}. */
  default boolean isSortedByKey() {
    return false;
  }

  /**
   * As {@link #open}, key by key in each key group.
   *
   * @param scan of states without namespaces
   */
  default KeyedElements openByKey(Snapshot snapshot, SplitScan scan) {
    throw new UnsupportedOperationException("Not sorted by key: " + scan.split().layout());
  }

  /** Whether some of the key groups can be read without reading the others. */
  default boolean isDivisible() {
    return true;
  }

  /** How much memory the elements of a split may take while they are walked. */
  default long memory(ScanLimits limits) {
    return 0;
  }

  /**
   * Whether an entry whose parts cannot be decoded is passed over all the same, as their lengths
   * are stored.
   */
  default boolean hasLengths() {
    return true;
  }

  /** Whether keys of states can be read however the states that stand before them are stored. */
  default boolean readsStatesApart() {
    return hasLengths();
  }

  /**
   * Whether a header knows all classes of the values behind it, since the serializers that wrote
   * the values wrote it after them.
   */
  default boolean headerKnowsClasses() {
    return false;
  }

  /** Whether an edit adds to the files that there are, in place of writing one anew. */
  default boolean isDatabase() {
    return false;
  }

  /** Whether a savepoint can be written with state of this form, changed or not. */
  default boolean isWritable() {
    return true;
  }

  /**
   * The same state in another snapshot.
   *
   * @param carrier takes a stream over as it is
   */
  KeyedStateHandle carry(KeyedStateHandle handle, UnaryOperator<StreamHandle> carrier);

  /**
   * Writes the state of a handle with changes. What they do not touch is copied or carried.
   *
   * @throws io.statesql.StateSqlException if the base is damaged, or the target cannot be written
   */
  KeyedStateHandle edit(Snapshot base, KeyedEdit edit, EditTarget target);

  /** About what {@link #edit} would write anew. */
  EditSize size(Snapshot base, KeyedEdit edit);
}
