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

import io.statesql.snapshot.Snapshot;
import java.util.List;

/** Makes catalogs of snapshots. */
public final class SnapshotCatalogs {
  private SnapshotCatalogs() {}

  /**
   * The catalog of one snapshot. Headers of state are read when a table is looked up, and state
   * when a query runs.
   *
   * @param name of the catalog, as {@code sys.snapshots} shows it
   * @param uids names for operators that the snapshot knows by their hash only
   */
  public static SnapshotSchema create(String name, Snapshot snapshot, List<String> uids) {
    return new SnapshotSchema(new MountedSnapshot(name, snapshot, uids));
  }

  /**
   * Opens a snapshot and makes its catalog.
   *
   * @param path folder, {@code _metadata} file or single-file snapshot; a local path or a URI
   * @throws io.statesql.StateSqlException if there is no such snapshot, or it is damaged
   */
  public static SnapshotSchema open(String name, String path, List<String> uids) {
    return create(name, Snapshot.open(path), uids);
  }
}
