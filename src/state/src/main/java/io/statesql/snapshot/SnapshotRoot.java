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
package io.statesql.snapshot;

import io.statesql.StateSqlException;
import io.statesql.snapshot.RootEntry.Status;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.fs.Path;

/**
 * A folder that holds many snapshots: a job's checkpoints, a collection of savepoints, or the
 * folders of several jobs. What is in it is fixed when it is found; a later look needs another
 * root. Finding costs one listing for each folder outside of snapshots and one status for each
 * snapshot; no metadata is read but the newest one's, and the first bytes of those that are as
 * young as the newest.
 *
 * <p>The newest is, of the complete snapshots that StateSQL did not write, the one whose {@code
 * _metadata} was modified last; of several, the one with the highest checkpoint id; of several, the
 * last by path. One whose metadata is damaged is passed over and listed as such, for Flink may die
 * while it writes one; one that we may not read, or of a version that we do not know, is an error,
 * for an older one in its place would be taken for it.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class SnapshotRoot {
  private final Path folder;
  private final FileAccess files;
  private final PathMap pathMap;
  private final List<RootEntry> entries;
  private final RootEntry newest;
  private final Snapshot newestSnapshot;

  /**
   * @param newest one of the entries, which is not opened again
   */
  SnapshotRoot(
      Path folder,
      FileAccess files,
      PathMap pathMap,
      List<RootEntry> entries,
      RootEntry newest,
      Snapshot newestSnapshot) {
    this.folder = folder;
    this.files = files;
    this.pathMap = pathMap;
    this.entries = List.copyOf(entries);
    this.newest = newest;
    this.newestSnapshot = newestSnapshot;
  }

  /**
   * Looks for the snapshots below a folder.
   *
   * @return empty if the path is no folder, or is itself a snapshot, or nothing like a snapshot is
   *     below it
   * @throws StateSqlException if none of them can be the newest, or that one cannot be read
   */
  public static Optional<SnapshotRoot> find(String pathOrUri, FileAccess files, PathMap pathMap) {
    Path folder = SnapshotPaths.of(pathOrUri);
    if (!mayBeRoot(folder, files)) {
      return Optional.empty();
    }
    List<RootEntry> entries = RootSearch.search(folder, files);
    return entries.isEmpty()
        ? Optional.empty()
        : Optional.of(new NewestSnapshot(folder, files, pathMap, entries).choose());
  }

  /** Whether a path is a folder without metadata. What cannot be looked at is not known as one. */
  private static boolean mayBeRoot(Path folder, FileAccess files) {
    try {
      if (!files.status(folder).isDir()) {
        return false;
      }
    } catch (IOException e) {
      return false;
    }
    try {
      files.status(new Path(folder, SnapshotLocator.METADATA_NAME));
      return false;
    } catch (IOException e) {
      return SnapshotPaths.isNotFound(e);
    }
  }

  public Path folder() {
    return folder;
  }

  /** All there is, in order of relative paths. */
  public List<RootEntry> entries() {
    return entries;
  }

  /** The entry of {@link #newestSnapshot}. */
  public RootEntry newest() {
    return newest;
  }

  public Snapshot newestSnapshot() {
    return newestSnapshot;
  }

  /**
   * Opens one of the entries.
   *
   * @throws StateSqlException if it cannot be read, or was removed since the root was found
   */
  public Snapshot open(RootEntry entry) {
    if (entry.equals(newest)) {
      return newestSnapshot;
    }
    try {
      return Snapshot.open(entry.folder(), files, pathMap);
    } catch (StateSqlException e) {
      throw entry.isGone(files) ? entry.removed(e) : e;
    }
  }

  /**
   * An entry as it is now: removed, damaged or unreadable if the first bytes of its metadata say
   * so.
   */
  public Look look(RootEntry entry) {
    if (!entry.isComplete()) {
      return new Look(entry, Optional.empty(), false);
    }
    try {
      SnapshotHeader header = entry.readHeader(files);
      return new Look(entry, Optional.of(header), EditMark.isOn(entry.folder(), files));
    } catch (StateSqlException e) {
      RootEntry changed =
          entry.isGone(files)
              ? entry.with(Status.REMOVED, entry.removed(e).getMessage())
              : entry.with(
                  RootEntry.isDamage(e) ? Status.DAMAGED : Status.UNREADABLE, e.getMessage());
      return new Look(changed, Optional.empty(), false);
    }
  }

  /**
   * What a look at an entry told.
   *
   * @param header empty if the entry is not complete
   * @param edited whether StateSQL wrote it
   */
  public record Look(RootEntry entry, Optional<SnapshotHeader> header, boolean edited) {}
}
