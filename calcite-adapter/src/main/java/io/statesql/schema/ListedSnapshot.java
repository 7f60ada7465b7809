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

import io.statesql.snapshot.RootEntry;
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
    String problem) {}
