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

import io.statesql.StateSqlException;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.PathMap;
import io.statesql.snapshot.RootEntry;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SnapshotRoot;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mounted root folder, looked at again when what is known of it is old. Safe for use by many
 * threads.
 */
final class MountedRootFolder {
  private static final Logger LOG = LoggerFactory.getLogger(MountedRootFolder.class);
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String path;
  private final PathMap pathMap;
  private SnapshotRoot root;
  private long lookedAt = System.nanoTime();

  /**
   * @param root what is known of it now
   */
  MountedRootFolder(String path, PathMap pathMap, SnapshotRoot root) {
    this.path = path;
    this.pathMap = pathMap;
    this.root = root;
  }

  /** The newest snapshot; if it cannot be found, the one that was the newest before. */
  Snapshot newest() {
    return root().newestSnapshot();
  }

  /** The entry of a path below the root. */
  Optional<RootEntry> entry(String relativePath) {
    return root().entries().stream()
        .filter(entry -> entry.hasMetadata() && entry.relativePath().equals(relativePath))
        .findFirst();
  }

  Snapshot open(RootEntry entry) {
    return root().open(entry);
  }

  private synchronized SnapshotRoot root() {
    if (System.nanoTime() - lookedAt > FRESH_NANOS) {
      try {
        Optional<SnapshotRoot> found = SnapshotRoot.find(path, FileAccess.FLINK, pathMap);
        if (found.isPresent() && !found.get().newest().equals(root.newest())) {
          root = found.get();
        }
      } catch (StateSqlException e) {
        LOG.warn("The newest snapshot of {} cannot be found, so the one before is shown", path, e);
      }
      lookedAt = System.nanoTime();
    }
    return root;
  }
}
