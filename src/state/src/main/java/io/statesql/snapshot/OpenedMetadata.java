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

import java.io.IOException;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * The metadata file that a snapshot was opened by. Flink removes checkpoints that newer ones
 * replace, so whoever misses a file asks here what became of the snapshot. Safe for use by many
 * threads.
 */
final class OpenedMetadata {
  /** What became of a snapshot since it was opened. */
  enum Fate {
    UNCHANGED,
    REMOVED,
    REPLACED
  }

  private final FileStatus opened;
  private final FileAccess files;

  /**
   * @param opened the metadata file as it was when it was read
   */
  OpenedMetadata(FileStatus opened, FileAccess files) {
    this.opened = opened;
    this.files = files;
  }

  Path path() {
    return opened.getPath();
  }

  long modificationTime() {
    return opened.getModificationTime();
  }

  /** What the file system says now; where it fails otherwise than "not found", UNCHANGED. */
  Fate fate() {
    try {
      FileStatus now = files.status(opened.getPath());
      boolean same =
          now.getLen() == opened.getLen()
              && now.getModificationTime() == opened.getModificationTime();
      return same ? Fate.UNCHANGED : Fate.REPLACED;
    } catch (IOException e) {
      return SnapshotPaths.isNotFound(e) ? Fate.REMOVED : Fate.UNCHANGED;
    }
  }
}
