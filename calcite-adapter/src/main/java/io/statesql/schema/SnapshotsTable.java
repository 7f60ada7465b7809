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

import static io.statesql.type.SqlType.Scalar.BIGINT;
import static io.statesql.type.SqlType.Scalar.BOOLEAN;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.snapshot.SnapshotHeader;
import io.statesql.snapshot.SnapshotMetadata;
import io.statesql.snapshot.SnapshotProperties;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code sys.snapshots}: the mounted snapshot, or all of a mounted root. For those of a root one
 * small read each gives id and version; what only the whole metadata tells is NULL until a
 * snapshot's catalog was looked into.
 */
final class SnapshotsTable extends SystemTable {
  private final Supplier<List<ListedSnapshot>> snapshots;

  SnapshotsTable(Supplier<List<ListedSnapshot>> snapshots) {
    super(
        "The mounted snapshot, or all snapshots of a mounted root",
        column("catalog_name", VARCHAR, "Catalog that shows it; null if it cannot be mounted"),
        column("path", VARCHAR, "Metadata file, or the folder where there is none"),
        column("status", VARCHAR, "COMPLETE, INCOMPLETE, DAMAGED, UNREADABLE, or REMOVED since"),
        column("is_current", BOOLEAN, "Whether the mount's own name means it"),
        column("is_edited", BOOLEAN, "Whether StateSQL wrote it"),
        column("modified_at", TIMESTAMP, "When its metadata was modified, UTC"),
        column("checkpoint_id", BIGINT, "Number of the checkpoint"),
        column("snapshot_kind", VARCHAR, "CHECKPOINT or SAVEPOINT; null if not stored"),
        column("savepoint_format", VARCHAR, "CANONICAL or NATIVE; null if not stored"),
        column("metadata_version", INTEGER, "Version of the metadata format"),
        column("operator_count", INTEGER, "Number of operators"),
        column("state_size", BIGINT, "Bytes of state"),
        column(
            "in_flight_size",
            BIGINT,
            "How many of them are records under way, which an unaligned checkpoint keeps"),
        column("problem", VARCHAR, "What is wrong with it, or null"));
    this.snapshots = snapshots;
  }

  @Override
  List<Object[]> rows() {
    return snapshots.get().stream().map(SnapshotsTable::row).toList();
  }

  private static Object[] row(ListedSnapshot listed) {
    SnapshotHeader header = listed.header();
    SnapshotMetadata metadata = listed.metadata();
    SnapshotProperties properties =
        metadata == null ? SnapshotProperties.NONE : metadata.properties();
    return new Object[] {
      listed.catalogName(),
      listed.location(),
      listed.status().name(),
      listed.current(),
      listed.edited(),
      listed.modificationTime(),
      header == null ? null : header.checkpointId(),
      nameOf(properties.kind()),
      nameOf(properties.savepointFormat()),
      header == null ? null : header.version(),
      metadata == null ? null : metadata.operators().size(),
      metadata == null ? null : metadata.stateSize(),
      metadata == null ? null : metadata.inFlightSize(),
      listed.problem()
    };
  }

  private static String nameOf(Enum<?> constant) {
    return constant == null ? null : constant.name();
  }
}
