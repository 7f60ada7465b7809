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

import io.statesql.edit.CommitPlace;
import io.statesql.edit.EditedSnapshot;
import io.statesql.entry.EntryStore;
import io.statesql.schema.MountMoves;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
  private final Function<Path, Snapshot> opener;
  private final CommitPlace place;
  private final MountMoves moves;
  private EntryStore store;

  /** What it would show without any commit. */
  private org.apache.flink.core.fs.Path first;

  /** Of the present snapshot; lives longer than its store, for it knows what was there before. */
  private EditedSnapshot edited;

  private long lastUse;

  /**
   * @param mounted what the catalog was mounted on; of a root the newest
   * @param opener opens savepoints that were made of it
   * @param place where commits go
   * @param moves where commits move mounts
   */
  MountedState(
      String catalog,
      Supplier<Snapshot> mounted,
      Function<Path, Snapshot> opener,
      CommitPlace place,
      MountMoves moves) {
    this.catalog = catalog;
    this.mounted = mounted;
    this.place = place;
    this.opener = opener;
    this.moves = moves;
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
    Optional<Path> savepoint = moves.savepoint(catalog, snapshot.folder());
    String folder = savepoint.map(Path::toString).orElse(snapshot.folder().getPath());
    if (edited == null || !edited.base().folder().getPath().equals(folder)) {
      closeStore();
      first = snapshot.folder();
      show(savepoint.map(opener).orElse(snapshot), snapshot.folder());
    }
    if (store == null) {
      store = new EntryStore(edited.base());
    }
    return store;
  }

  private void show(Snapshot snapshot, org.apache.flink.core.fs.Path withoutCommits) {
    edited =
        new EditedSnapshot(
            catalog, snapshot, place, savepoint -> moves.move(catalog, withoutCommits, savepoint));
  }

  /** The present snapshot to be changed; one thread at a time may do so. */
  synchronized EditedSnapshot edited() {
    store();
    return edited;
  }

  /** Turns to what others have made of the present snapshot since it was shown. */
  synchronized void followOthers() {
    edited.newestSuccessor().ifPresent(savepoint -> moves.move(catalog, first, savepoint));
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
