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
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.snapshot.SnapshotMetadata;
import io.statesql.snapshot.SnapshotProperties;
import java.util.List;

/** {@code sys.snapshots}: the mounted snapshot. */
final class SnapshotsTable extends SystemTable {
  private final MountedSnapshot mount;

  SnapshotsTable(MountedSnapshot mount) {
    super(
        column("catalog_name", VARCHAR),
        column("path", VARCHAR),
        column("checkpoint_id", BIGINT),
        column("snapshot_kind", VARCHAR),
        column("savepoint_format", VARCHAR),
        column("metadata_version", INTEGER),
        column("operator_count", INTEGER),
        column("state_size", BIGINT));
    this.mount = mount;
  }

  @Override
  List<Object[]> rows() {
    SnapshotMetadata metadata = mount.snapshot().metadata();
    SnapshotProperties properties = metadata.properties();
    return List.<Object[]>of(
        new Object[] {
          mount.name(),
          metadata.location(),
          metadata.checkpointId(),
          nameOf(properties.kind()),
          nameOf(properties.savepointFormat()),
          metadata.version(),
          metadata.operators().size(),
          metadata.stateSize()
        });
  }

  private static String nameOf(Enum<?> constant) {
    return constant == null ? null : constant.name();
  }
}
