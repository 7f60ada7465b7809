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

import io.statesql.edit.EditedSnapshot;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SnapshotMetadata;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a catalog shows: a snapshot that is opened when somebody first looks into it, or the last
 * savepoint that was made of it before, and after a commit the savepoint that was written. Safe for
 * use by many threads.
 */
final class LazySnapshot {
  private final String catalog;
  private final Supplier<Snapshot> opener;
  private final MountOptions options;
  private volatile MountedSnapshot shown;
  private volatile boolean moved;

  /**
   * @param opener opens the snapshot; asked again after a failure
   */
  LazySnapshot(String catalog, Supplier<Snapshot> opener, MountOptions options) {
    this.catalog = catalog;
    this.opener = opener;
    this.options = options;
  }

  /**
   * Opens the snapshot, or gives what is shown already.
   *
   * @throws io.statesql.StateSqlException if it cannot be opened; the next call tries again
   */
  synchronized MountedSnapshot get() {
    if (shown == null) {
      Snapshot snapshot = opener.get();
      Optional<Path> successor = options.successors().newest(snapshot.folder());
      shown = mount(successor.map(this::open).orElse(snapshot));
      moved = successor.isPresent();
    }
    return shown;
  }

  private Snapshot open(Path savepoint) {
    return Snapshot.open(savepoint.toString(), FileAccess.FLINK, options.pathMap());
  }

  private MountedSnapshot mount(Snapshot snapshot) {
    EditedSnapshot edited =
        new EditedSnapshot(catalog, snapshot, options.commitPlace(), this::moveTo);
    return new MountedSnapshot(catalog, edited, options.uids());
  }

  private synchronized void moveTo(Path savepoint) {
    options.successors().add(shown.snapshot().folder(), savepoint);
    shown = mount(open(savepoint));
    moved = true;
  }

  /** Whether a commit moved it away from the snapshot that it showed first. */
  boolean isMoved() {
    return moved;
  }

  /** What its metadata says; null if it was not opened yet. */
  SnapshotMetadata metadataIfOpened() {
    MountedSnapshot snapshot = shown;
    return snapshot == null ? null : snapshot.snapshot().metadata();
  }
}
