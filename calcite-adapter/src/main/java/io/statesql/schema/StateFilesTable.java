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

import io.statesql.snapshot.ChannelStateHandle;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.StreamHandle;
import io.statesql.snapshot.SubtaskState;
import java.util.ArrayList;
import java.util.List;

/** {@code sys.state_files}: every piece of state that the metadata names, and where it lies. */
final class StateFilesTable extends SystemTable {
  private final MountedSnapshot mount;

  StateFilesTable(MountedSnapshot mount) {
    super(
        "Pieces of state that the metadata names, and where they lie",
        column("schema_name", VARCHAR, "Schema of the operator"),
        column("operator_id", VARCHAR, "Hash of the uid, in hex"),
        column("subtask", INTEGER, "Subtask that stored it; null for a coordinator"),
        column("role", VARCHAR, "Whose state it is: keyed, operator, coordinator or in flight"),
        column("form", VARCHAR, "Form of the bytes"),
        column("location", VARCHAR, "INLINE, RELATIVE, ABSOLUTE or SEGMENT"),
        column("path", VARCHAR, "The file; null where it is in the metadata"),
        column("size", BIGINT, "Bytes"),
        column("key_group_start", INTEGER, "First key group in it"),
        column("key_group_end", INTEGER, "Last key group in it"));
    this.mount = mount;
  }

  @Override
  List<Object[]> rows() {
    List<Object[]> rows = new ArrayList<>();
    for (MountedOperator operator : mount.operators().values()) {
      if (operator.operator().coordinatorState() != null) {
        new Lister(operator, null, "COORDINATOR", rows)
            .add("STREAM", operator.operator().coordinatorState(), null);
      }
      for (SubtaskState subtask : operator.operator().subtasks()) {
        addSubtask(operator, subtask, rows);
      }
    }
    return rows;
  }

  private static void addSubtask(
      MountedOperator operator, SubtaskState subtask, List<Object[]> rows) {
    if (subtask.managedOperatorState() != null) {
      new Lister(operator, subtask.index(), "MANAGED_OPERATOR", rows)
          .add("OPERATOR_STATE", subtask.managedOperatorState().delegate(), null);
    }
    if (subtask.rawOperatorState() != null) {
      new Lister(operator, subtask.index(), "RAW_OPERATOR", rows)
          .add("OPERATOR_STATE", subtask.rawOperatorState().delegate(), null);
    }
    if (subtask.managedKeyedState() != null) {
      new Lister(operator, subtask.index(), "MANAGED_KEYED", rows)
          .addKeyed(subtask.managedKeyedState());
    }
    if (subtask.rawKeyedState() != null) {
      new Lister(operator, subtask.index(), "RAW_KEYED", rows).addKeyed(subtask.rawKeyedState());
    }
    for (ChannelStateHandle handle : subtask.inputChannelState()) {
      new Lister(operator, subtask.index(), "INPUT_CHANNEL", rows).addInFlight(handle);
    }
    for (ChannelStateHandle handle : subtask.resultSubpartitionState()) {
      new Lister(operator, subtask.index(), "RESULT_SUBPARTITION", rows).addInFlight(handle);
    }
  }

  /** Adds the rows of one handle. */
  private record Lister(
      MountedOperator operator, Integer subtask, String role, List<Object[]> rows) {

    void addKeyed(KeyedStateHandle handle) {
      KeyGroupRange range = handle.keyGroups();
      if (handle instanceof KeyedStateHandle.KeyGroupsSavepoint savepoint) {
        add("CANONICAL", savepoint.delegate(), range);
      } else if (handle instanceof KeyedStateHandle.KeyGroups keyGroups) {
        add("KEY_GROUPS", keyGroups.delegate(), range);
      } else if (handle instanceof KeyedStateHandle.Incremental incremental) {
        add("ROCKSDB_METADATA", incremental.metadata(), range);
        incremental.shared().forEach(file -> add("ROCKSDB_SHARED", file.handle(), range));
        incremental.privateFiles().forEach(file -> add("ROCKSDB_PRIVATE", file.handle(), range));
      } else if (handle instanceof KeyedStateHandle.Changelog changelog) {
        changelog.materialized().forEach(this::addKeyed);
        changelog.nonMaterialized().forEach(this::addKeyed);
      } else if (handle instanceof KeyedStateHandle.ChangelogStream stream) {
        stream.segments().forEach(segment -> add("CHANGELOG", segment.handle(), range));
      } else {
        row("CHANGELOG", "INLINE", null, handle.stateSize(), range);
      }
    }

    /** The part of a stream, which many channels share, that belongs to one. */
    void addInFlight(ChannelStateHandle handle) {
      add("IN_FLIGHT", handle.delegate(), handle.stateSize(), null);
    }

    void add(String form, StreamHandle handle, KeyGroupRange range) {
      add(form, handle, handle.stateSize(), range);
    }

    private void add(String form, StreamHandle handle, long size, KeyGroupRange range) {
      if (handle instanceof StreamHandle.File file) {
        row(form, "ABSOLUTE", file.path(), size, range);
      } else if (handle instanceof StreamHandle.RelativeFile file) {
        row(form, "RELATIVE", file.relativePath(), size, range);
      } else if (handle instanceof StreamHandle.SegmentFile segment) {
        row(form, "SEGMENT", segment.path(), size, range);
      } else if (handle instanceof StreamHandle.KeyGroups keyGroups) {
        add(form, keyGroups.delegate(), size, range);
      } else {
        row(form, "INLINE", null, size, range);
      }
    }

    private void row(String form, String location, String path, long size, KeyGroupRange range) {
      boolean hasRange = range != null && range.count() > 0;
      rows.add(
          new Object[] {
            operator.schemaName(),
            operator.operator().id().hex(),
            subtask,
            role,
            form,
            location,
            path,
            size,
            hasRange ? range.start() : null,
            hasRange ? range.end() : null
          });
    }
  }
}
