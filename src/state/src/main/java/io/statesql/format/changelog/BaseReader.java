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
package io.statesql.format.changelog;

import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.scan.ElementCondition;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.util.BitSet;

/** Reads the bases of a changelog, which may be of any other form. */
public interface BaseReader {

  /**
   * Reads the header of a base.
   *
   * @throws io.statesql.StateSqlException if it is damaged, missing or of a form that is not read
   */
  KeyedSplit read(Snapshot snapshot, OperatorState operator, int subtask, KeyedStateHandle base);

  /**
   * Opens a base to walk the elements of some of its states.
   *
   * @param wanted numbers of states in the header of the base
   * @param condition what is wanted of their elements; others may be among them
   * @return to be closed by the caller
   * @throws io.statesql.StateSqlException if a file cannot be had
   */
  KeyedElements open(Snapshot snapshot, KeyedSplit base, BitSet wanted, ElementCondition condition);
}
