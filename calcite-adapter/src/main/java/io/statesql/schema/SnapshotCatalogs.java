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

import io.statesql.ErrorCode;
import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.PathMap;
import io.statesql.snapshot.RootEntry;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SnapshotRoot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.core.fs.Path;

/**
 * The catalogs of one mounted path: one of a snapshot, or one for each snapshot of a root folder.
 * Headers of state are read when a table is looked up, and state when a query runs.
 *
 * @param byName the catalogs; the first has the mount's own name and means the snapshot, or the
 *     root's newest, and the others are called {@code NAME/<path from the root>}
 * @param warnings sentences on what a user may not expect
 */
public record SnapshotCatalogs(Map<String, SnapshotSchema> byName, List<String> warnings) {
  public SnapshotCatalogs {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    warnings = List.copyOf(warnings);
  }

  /**
   * Opens a snapshot, or finds those in a root folder and opens the newest.
   *
   * @param name of the mount; empty to take the folder's
   * @param path folder, {@code _metadata} file, single-file snapshot or root folder; a local path
   *     or a URI
   * @throws StateSqlException if there is no such snapshot, or it is damaged
   */
  public static SnapshotCatalogs mount(Optional<String> name, String path, MountOptions options) {
    Optional<SnapshotRoot> root = SnapshotRoot.find(path, FileAccess.FLINK, options.pathMap());
    if (root.isPresent()) {
      String rootName = name.orElseGet(() -> nameOf(root.get().folder()));
      return new SnapshotCatalogs(
          new MountedRoot(rootName, root.get(), options).catalogs(),
          warnings(rootName, root.get()));
    }
    Snapshot snapshot = Snapshot.open(path, FileAccess.FLINK, options.pathMap());
    String snapshotName = name.orElseGet(() -> nameOf(snapshot.folder()));
    LazySnapshot mount = new LazySnapshot(snapshotName, () -> snapshot, options);
    return new SnapshotCatalogs(
        Map.of(
            snapshotName,
            new SnapshotSchema(mount::get, () -> mount.get().list(), options.coordinator())),
        List.of());
  }

  /** The catalog of one snapshot, or of the newest of a root; see {@link #mount}. */
  public static SnapshotSchema open(String name, String path, List<String> uids) {
    return mount(Optional.of(name), path, MountOptions.reading(uids, PathMap.NONE, false)).main();
  }

  /** The catalog that has the mount's own name. */
  public SnapshotSchema main() {
    return byName.values().iterator().next();
  }

  private static String nameOf(Path folder) {
    if (folder.getName().isEmpty()) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "The folder " + folder + " has no name; give it one, as in NAME=" + folder + ".");
    }
    return folder.getName();
  }

  /** What was passed over although it may be newer than what the mount's name means. */
  private static List<String> warnings(String name, SnapshotRoot root) {
    List<RootEntry> unknown = new ArrayList<>();
    for (RootEntry entry : root.entries()) {
      if (entry.status() == RootEntry.Status.DAMAGED
          || entry.status() == RootEntry.Status.UNREADABLE) {
        unknown.add(entry);
      }
    }
    if (unknown.isEmpty()) {
      return List.of();
    }
    String more =
        unknown.size() == 1
            ? ""
            : " Another " + (unknown.size() - 1) + " cannot be read; sys.snapshots lists them.";
    return List.of(
        "Catalog "
            + NearestNames.quote(name)
            + " shows "
            + root.newest().relativePath()
            + ", which may not be the newest. "
            + unknown.get(0).problem()
            + more);
  }
}
