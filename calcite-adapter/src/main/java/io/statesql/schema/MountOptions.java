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

import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.edit.CommitPlace;
import io.statesql.location.ProcessStores;
import io.statesql.snapshot.PathMap;
import io.statesql.type.serializer.JobClasses;
import java.util.List;
import java.util.Optional;

/**
 * How snapshots are mounted.
 *
 * @param uids names for operators that a snapshot knows by their hash only
 * @param pathMap where the files are that the metadata names by absolute paths
 * @param commitPlace where modified savepoints go
 * @param moves where commits moved the mounts: those of this connection, or of several together
 * @param coordinator what {@code sys.store_locations} asks
 * @param jobClasses what reads values that need a class of the job; stays open as long as a mount
 *     is used
 * @param isolate whether native code reads RocksDB files in processes of its own, for snapshots
 *     that are not trusted
 */
public record MountOptions(
    List<String> uids,
    PathMap pathMap,
    CommitPlace commitPlace,
    MountMoves moves,
    CoordinatorEndpoint coordinator,
    Optional<JobClasses> jobClasses,
    boolean isolate) {
  public MountOptions {
    uids = List.copyOf(uids);
  }

  /** For readers, who see the registry of this process. */
  public static MountOptions reading(List<String> uids, PathMap pathMap, boolean isolate) {
    return new MountOptions(
        uids,
        pathMap,
        new CommitPlace(Optional.empty()),
        new MountMoves(),
        ProcessStores.ofThisProcess(),
        Optional.empty(),
        isolate);
  }
}
