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
package io.statesql.format.model;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.OperatorStateHandle;
import io.statesql.type.MalformedValueException;
import org.jspecify.annotations.Nullable;

/**
 * The operator state of one subtask.
 *
 * @param header null only while it is being read
 * @param extents null only while the header is being read
 * @param file how a message names the file: its path, or that it stands in the metadata
 * @param obstacles what keeps readers from its states, as far as it was looked for
 */
public record OperatorSplit(
    OperatorState operator,
    int subtask,
    OperatorStateHandle handle,
    OperatorHeader header,
    OperatorExtents extents,
    String file,
    StagedState staged,
    Obstacles obstacles) {

  /** A split without changes. */
  public OperatorSplit(
      OperatorState operator,
      int subtask,
      OperatorStateHandle handle,
      OperatorHeader header,
      OperatorExtents extents,
      String file) {
    this(operator, subtask, handle, header, extents, file, StagedState.NONE, new Obstacles());
  }

  /** This split with the changes that there are now, and no later ones. */
  public OperatorSplit asOfNow() {
    return withStaged(staged.asOfNow());
  }

  /** This split with changes that its readers see. */
  public OperatorSplit withStaged(StagedState newStaged) {
    return new OperatorSplit(
        operator, subtask, handle, header, extents, file, newStaged, obstacles);
  }

  /** Why a state of it cannot be read to its end, without a full stop; null if it can. */
  public @Nullable String obstacle(String stateName) {
    return obstacles.of(stateName);
  }

  /**
   * Says of wrong bytes where they are.
   *
   * @param state null when they are not in one state
   * @param decompressed whether the offset counts decompressed bytes of one element
   */
  public StateSqlException malformed(
      String state, boolean decompressed, MalformedValueException fault) {
    return new StateSqlException(
        ErrorCode.MALFORMED_SNAPSHOT,
        where(state)
            + file
            + (decompressed ? " is damaged at decompressed offset " : " is damaged at offset ")
            + fault.offset()
            + ": "
            + fault.getMessage()
            + ".",
        fault);
  }

  /** Adds to a message about one value where that value is. */
  public StateSqlException located(String state, StateSqlException fault) {
    return new StateSqlException(fault.code(), where(state) + fault.getMessage(), fault);
  }

  private String where(String state) {
    return "Operator \""
        + operator.uidOrId()
        + "\", subtask "
        + subtask
        + (state == null ? "" : ", state \"" + state + "\"")
        + ": ";
  }
}
