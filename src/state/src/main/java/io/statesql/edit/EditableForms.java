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
package io.statesql.edit;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.split.KeyedForms;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SubtaskState;

/** Which forms of state a savepoint can be written with. */
final class EditableForms {
  private EditableForms() {}

  /**
   * Refuses an operator that cannot be in a written savepoint, changed or not.
   *
   * @throws StateSqlException with the reason
   */
  static void require(Snapshot base, OperatorState operator) {
    for (SubtaskState subtask : operator.subtasks()) {
      KeyedStateHandle handle = subtask.managedKeyedState();
      if (handle != null && !KeyedForms.of(handle).isWritable()) {
        throw new StateSqlException(
            ErrorCode.UNSUPPORTED_SNAPSHOT,
            "The snapshot "
                + base.metadata().location()
                + " cannot be edited: operator \""
                + operator.uidOrId()
                + "\" keeps a changelog, whose files the next checkpoints of a restored job would"
                + " still name; take a savepoint in canonical form (flink savepoint --type"
                + " canonical) and edit that.");
      }
    }
  }
}
