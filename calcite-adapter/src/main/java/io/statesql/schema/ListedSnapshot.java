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
import io.statesql.StateSqlException;
import io.statesql.snapshot.RootEntry;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SnapshotHeader;
import io.statesql.snapshot.SnapshotMetadata;

/**
 * One row of {@code sys.snapshots}.
 *
 * @param catalogName null if it is no catalog
 * @param modificationTime of the metadata, in milliseconds of the epoch; null if unknown
 * @param header null if the metadata cannot be read
 * @param metadata null if the snapshot was not opened
 * @param current whether the mount's own name means it
 * @param edited whether StateSQL wrote it
 * @param problem what is wrong with it; null if nothing is known to be
 */
record ListedSnapshot(
    String catalogName,
    String location,
    RootEntry.Status status,
    Long modificationTime,
    SnapshotHeader header,
    SnapshotMetadata metadata,
    boolean current,
    boolean edited,
    String problem) {

  /**
   * The same of a snapshot that was opened: whether the files are there that it names, too.
   *
   * @param snapshot a complete one, as far as its metadata file tells
   */
  static ListedSnapshot opened(
      String catalogName, Snapshot snapshot, boolean current, boolean edited) {
    RootEntry.Status status = RootEntry.Status.COMPLETE;
    String problem = null;
    if (snapshot.isRemoved()) {
      status = RootEntry.Status.REMOVED;
    } else {
      try {
        snapshot.requireFiles();
      } catch (StateSqlException e) {
        status = statusBy(e.code());
        problem = e.getMessage();
      }
    }
    SnapshotMetadata metadata = snapshot.metadata();
    return new ListedSnapshot(
        catalogName,
        metadata.location(),
        status,
        snapshot.modificationTime(),
        new SnapshotHeader(metadata.version(), metadata.checkpointId()),
        metadata,
        current,
        edited,
        problem);
  }

  private static RootEntry.Status statusBy(ErrorCode code) {
    return switch (code) {
      case FILE_NOT_FOUND -> RootEntry.Status.INCOMPLETE;
      case MALFORMED_SNAPSHOT -> RootEntry.Status.DAMAGED;
      default -> RootEntry.Status.UNREADABLE;
    };
  }
}
