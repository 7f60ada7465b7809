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

import io.statesql.StateSqlException;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.StreamHandle;
import java.util.function.Supplier;

/**
 * Opens the files of one subtask; the error about one that cannot be had says whose state it holds.
 */
public final class SubtaskFile {
  private SubtaskFile() {}

  /**
   * Opens a file.
   *
   * @return to be closed by the caller
   * @throws StateSqlException if the file is missing, too short, or not to be read
   */
  public static StateFile open(
      Snapshot snapshot, OperatorState operator, int subtask, StreamHandle handle) {
    return located(operator, subtask, () -> snapshot.open(handle));
  }

  /**
   * As {@link #open}, to the real end of the file, whatever the handle says of its size.
   *
   * @return to be closed by the caller
   * @throws StateSqlException if the file is missing or not to be read
   */
  public static StateFile openToEnd(
      Snapshot snapshot, OperatorState operator, int subtask, StreamHandle handle) {
    return located(operator, subtask, () -> snapshot.openToEnd(handle));
  }

  private static StateFile located(
      OperatorState operator, int subtask, Supplier<StateFile> opening) {
    try {
      return opening.get();
    } catch (StateSqlException e) {
      throw new StateSqlException(
          e.code(),
          "Operator \"" + operator.uidOrId() + "\", subtask " + subtask + ": " + e.getMessage(),
          e);
    }
  }
}
