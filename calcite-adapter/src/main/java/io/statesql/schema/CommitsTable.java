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
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.edit.CommitHistory;
import io.statesql.edit.CommitHistory.Commit;
import io.statesql.edit.EditReport;
import io.statesql.edit.EditedSnapshot;
import io.statesql.snapshot.FileAccess;
import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code sys.commits}: what a commit of the present transaction would write, without a savepoint
 * and a time, and the commits that led to the snapshot, the last one first.
 */
final class CommitsTable extends SystemTable {
  private final EditedSnapshot snapshot;

  CommitsTable(EditedSnapshot snapshot) {
    super(
        "Commits that led to the snapshot, the last one first, and what a commit would write now",
        column("savepoint", VARCHAR, "Folder that was written; null before the commit"),
        column("base", VARCHAR, "Folder of the snapshot that was changed"),
        column("committed_at", TIMESTAMP, "When it was committed, UTC"),
        column("committed_by", VARCHAR, "User of the system that committed"),
        column("statements", new SqlType.Array(VARCHAR), "The statements of the transaction"),
        column("states", new SqlType.Array(VARCHAR), "The changed states, each with its operator"),
        column("keys", BIGINT, "Keys with a change"),
        column("key_groups", BIGINT, "Key groups that were encoded anew"),
        column("entries_put", BIGINT, "Entries that were added or replaced"),
        column("entries_removed", BIGINT, "Entries that were removed"),
        column("bytes_rewritten", BIGINT, "Bytes of the files that were encoded anew"),
        column("files_rewritten", BIGINT, "Files that were encoded anew"),
        column("bytes_carried", BIGINT, "Bytes that were carried as they were"));
    this.snapshot = snapshot;
  }

  @Override
  List<Object[]> rows() {
    List<Object[]> rows = new ArrayList<>();
    Optional<EditReport> pending = snapshot.plan();
    pending.ifPresent(report -> rows.add(row(report)));
    for (Commit commit : CommitHistory.of(snapshot.base().folder(), FileAccess.FLINK)) {
      rows.add(row(commit));
    }
    return rows;
  }

  private Object[] row(EditReport report) {
    return new Object[] {
      null,
      snapshot.base().folder().getPath(),
      null,
      null,
      snapshot.statements(),
      report.states().stream().map(Object::toString).toList(),
      report.keys(),
      (long) report.keyGroups(),
      report.entriesPut(),
      report.entriesRemoved(),
      report.bytesRewritten(),
      (long) report.filesRewritten(),
      null
    };
  }

  private static Object[] row(Commit commit) {
    return new Object[] {
      commit.savepoint(),
      commit.base().replaceFirst("^file:", ""),
      commit.time().toEpochMilli(),
      commit.user(),
      commit.statements(),
      commit.states(),
      commit.keys(),
      commit.keyGroups(),
      commit.entriesPut(),
      commit.entriesRemoved(),
      commit.bytesRewritten(),
      commit.filesRewritten(),
      commit.bytesCopied()
    };
  }
}
