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
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a catalog shows: a snapshot that is opened when somebody first looks into it, and after a
 * commit the savepoint that was written. Safe for use by many threads.
 */
final class LazySnapshot {
  private final String catalog;
  private final Supplier<Snapshot> opener;
  private final MountOptions options;
  private org.apache.flink.core.fs.Path shownFirst;
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
      Snapshot first = opener.get();
      Optional<Path> savepoint = options.moves().savepoint(catalog, first.folder());
      shownFirst = first.folder();
      shown = mount(savepoint.map(this::open).orElse(first));
      moved = savepoint.isPresent();
    }
    return shown;
  }

  private MountedSnapshot mount(Snapshot snapshot) {
    Snapshot read = snapshot.readBy(options.jobClasses()).isolated(options.isolate());
    EditedSnapshot edited = new EditedSnapshot(catalog, read, options.commitPlace(), this::moveTo);
    return new MountedSnapshot(catalog, edited, options.uids());
  }

  private Snapshot open(Path savepoint) {
    return Snapshot.open(savepoint.toString(), FileAccess.FLINK, options.pathMap());
  }

  private synchronized void moveTo(Path savepoint) {
    options.moves().move(catalog, shownFirst, savepoint);
    moved = true;
    // If the savepoint cannot be opened, whoever asks next tries again, and never sees the old one.
    shown = null;
    shown = mount(open(savepoint));
  }

  /** Whether a commit moved it away from the snapshot that it showed first. */
  boolean isMoved() {
    return moved;
  }

  /** The snapshot; empty if it was not opened yet. */
  Optional<Snapshot> ifOpened() {
    return Optional.ofNullable(shown).map(MountedSnapshot::snapshot);
  }
}
