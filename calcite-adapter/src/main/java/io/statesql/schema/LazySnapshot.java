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

import io.statesql.snapshot.SnapshotMetadata;
import java.util.function.Supplier;

/** A snapshot that is opened when it is first needed. Safe for use by many threads. */
final class LazySnapshot {
  private final Supplier<MountedSnapshot> opener;
  private volatile MountedSnapshot opened;

  LazySnapshot(Supplier<MountedSnapshot> opener) {
    this.opener = opener;
  }

  /**
   * Opens the snapshot, or gives what was opened before.
   *
   * @throws io.statesql.StateSqlException if it cannot be opened; the next call tries again
   */
  synchronized MountedSnapshot get() {
    if (opened == null) {
      opened = opener.get();
    }
    return opened;
  }

  /** What its metadata says; null if it was not opened yet. */
  SnapshotMetadata metadataIfOpened() {
    MountedSnapshot snapshot = opened;
    return snapshot == null ? null : snapshot.snapshot().metadata();
  }
}
