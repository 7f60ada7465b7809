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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.IOException;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot, or what is left or begun of one, in a root folder, as it was when it was looked at.
 *
 * @param relativePath from the root to the folder, with {@code /} between its parts
 * @param modificationTime of {@code _metadata}, in milliseconds of the epoch; null where there is
 *     none, or it is out of reach
 * @param problem one sentence on what is wrong with it; null if nothing is known to be
 */
public record RootEntry(
    String relativePath,
    Path folder,
    Status status,
    @Nullable Long modificationTime,
    @Nullable String problem) {

  /** What there is of a snapshot. */
  public enum Status {
    /**
     * It has a metadata file. Whether all of that can be read, and whether the files are there that
     * it names, is known when it is opened.
     */
    COMPLETE,
    /**
     * It has a snapshot's name but no metadata file: unfinished, or not wholly deleted. Or a file
     * that its metadata names is missing, which is known of those that were opened.
     */
    INCOMPLETE,
    /** Its metadata file is not what Flink writes. */
    DAMAGED,
    /** The file system does not let us see. */
    UNREADABLE,
    /** It was complete, and its metadata file is gone since. */
    REMOVED
  }

  /** Whether there was a metadata file. */
  public boolean hasMetadata() {
    return modificationTime != null;
  }

  /** What to show a user as its place: the metadata file where there was one, else the folder. */
  public String location() {
    return SnapshotPaths.show(hasMetadata() ? metadata() : folder);
  }

  /** The entry after a closer look. */
  RootEntry with(Status newStatus, String newProblem) {
    return new RootEntry(relativePath, folder, newStatus, modificationTime, newProblem);
  }

  boolean isComplete() {
    return status == Status.COMPLETE;
  }

  /**
   * Reads the first bytes of the metadata.
   *
   * @throws StateSqlException if they cannot be read, or are not what Flink writes
   */
  SnapshotHeader readHeader(FileAccess files) {
    byte[] start = new SnapshotLocator(files).readStart(metadata(), SnapshotHeader.BYTES);
    return MetadataReader.readHeader(start, SnapshotPaths.show(metadata()));
  }

  /** Whether the metadata file is there no more. */
  boolean isGone(FileAccess files) {
    try {
      return files.status(metadata()).isDir();
    } catch (IOException e) {
      return SnapshotPaths.isNotFound(e);
    }
  }

  /** What a user is told who wants to read an entry that is gone. */
  StateSqlException removed(StateSqlException cause) {
    return new StateSqlException(
        ErrorCode.FILE_NOT_FOUND,
        "The snapshot "
            + SnapshotPaths.show(folder)
            + " was removed since the connection was opened; Flink removes a checkpoint that newer"
            + " ones replace. Connect again to see what is there now.",
        cause);
  }

  /** Whether a failure to open a snapshot says that its bytes are wrong. */
  static boolean isDamage(StateSqlException e) {
    return e.code() == ErrorCode.MALFORMED_SNAPSHOT || e.code() == ErrorCode.NOT_A_SNAPSHOT;
  }

  private Path metadata() {
    return new Path(folder, SnapshotLocator.METADATA_NAME);
  }
}
