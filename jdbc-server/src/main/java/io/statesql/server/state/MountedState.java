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
package io.statesql.server.state;

import io.statesql.edit.CommitHistory;
import io.statesql.edit.CommitPlace;
import io.statesql.edit.EditedSnapshot;
import io.statesql.edit.Successors;
import io.statesql.entry.EntryStore;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.PathMap;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a catalog shows now to those who ask for single entries: the mounted snapshot, or the last
 * savepoint that was made of it. Opens it when it is first asked for, and again after it was idle.
 * Safe for use by many threads.
 */
final class MountedState {
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final String catalog;
  private final Supplier<Snapshot> mounted;
  private final CommitPlace place;
  private final PathMap pathMap;
  private final Successors successors;
  private EntryStore store;

  /** Of the present snapshot; lives longer than its store, for it knows where a commit goes. */
  private EditedSnapshot edited;

  private long lastUse;

  /**
   * @param mounted what the catalog was mounted on; of a root the newest
   * @param place where commits go
   * @param successors what was made of snapshots
   */
  MountedState(
      String catalog,
      Supplier<Snapshot> mounted,
      CommitPlace place,
      PathMap pathMap,
      Successors successors) {
    this.catalog = catalog;
    this.mounted = mounted;
    this.place = place;
    this.pathMap = pathMap;
    this.successors = successors;
  }

  String catalog() {
    return catalog;
  }

  /**
   * The present snapshot.
   *
   * @throws io.statesql.StateSqlException if it cannot be opened
   */
  synchronized EntryStore store() {
    lastUse = System.nanoTime();
    Snapshot snapshot = mounted.get();
    Optional<Path> successor = successors.newest(snapshot.folder());
    String folder = successor.map(Path::toString).orElse(snapshot.folder().getPath());
    if (edited == null || !edited.base().folder().getPath().equals(folder)) {
      closeStore();
      show(successor.map(this::open).orElse(snapshot));
    }
    if (store == null) {
      store = new EntryStore(edited.base());
    }
    return store;
  }

  private Snapshot open(Path savepoint) {
    return Snapshot.open(savepoint.toString(), FileAccess.FLINK, pathMap);
  }

  /** From now on it is known where a commit on the snapshot goes. */
  private void show(Snapshot snapshot) {
    edited =
        new EditedSnapshot(
            catalog, snapshot, place, savepoint -> successors.add(snapshot.folder(), savepoint));
  }

  /** The present snapshot to be changed; one thread at a time may do so. */
  synchronized EditedSnapshot edited() {
    store();
    return edited;
  }

  /**
   * Somebody else took the place of the next commit: turns to the last of what was made of the
   * present snapshot meanwhile, and in any case to another place.
   */
  synchronized void followOthers() {
    Snapshot last = edited.base();
    Optional<Path> next = edited.target();
    while (next.isPresent() && isMadeOf(next.get(), last)) {
      successors.add(last.folder(), next.get());
      last = open(next.get());
      next = CommitPlace.after(next.get());
    }
    closeStore();
    show(last);
  }

  private static boolean isMadeOf(Path savepoint, Snapshot base) {
    if (!Files.isDirectory(savepoint)) {
      return false;
    }
    var folder = new org.apache.flink.core.fs.Path(savepoint.toString());
    return CommitHistory.read(folder, FileAccess.FLINK)
        .map(commit -> new org.apache.flink.core.fs.Path(commit.base()).getPath())
        .filter(base.folder().getPath()::equals)
        .isPresent();
  }

  /** Closes what nobody has asked for lately. */
  synchronized void expire() {
    if (System.nanoTime() - lastUse > IDLE_NANOS) {
      closeStore();
    }
  }

  synchronized void closeStore() {
    if (store != null) {
      store.close();
      store = null;
    }
  }
}
