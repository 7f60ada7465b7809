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

import io.statesql.Cancellation;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;

/**
 * Makes a savepoint of a snapshot and changes. What the changes do not touch is carried byte for
 * byte; the snapshot itself is never written to. One use, one thread.
 */
public final class SavepointWriter {
  private final Snapshot base;
  private final SnapshotChanges changes;
  private final Cancellation cancellation;
  private final CommitProgress progress;

  public SavepointWriter(
      Snapshot base,
      SnapshotChanges changes,
      Cancellation cancellation,
      CommitProgress progress) {
    this.base = base;
    this.changes = changes;
    this.cancellation = cancellation;
    this.progress = progress;
  }

  /**
   * Says what {@link #write} would do, and writes nothing.
   *
   * @throws io.statesql.StateSqlException if a change is of a form of state that cannot be written,
   *     with the reason
   */
  public EditReport plan() {
    throw new UnsupportedOperationException();
  }

  /**
   * Writes the savepoint. It stands at {@code target} as a whole or not at all, also after a crash.
   *
   * @param target a folder that does not exist, in one that does, on the local disk
   * @throws io.statesql.StateSqlException if there is something at the target, if a change is of a
   *     form of state that cannot be written, or if the disk fails; nothing is left behind then
   */
  public EditReport write(Path target, CommitRecord record) {
    throw new UnsupportedOperationException();
  }
}
