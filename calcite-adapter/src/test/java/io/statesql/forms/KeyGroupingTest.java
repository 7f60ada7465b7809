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
package io.statesql.forms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.Cancellation;
import io.statesql.HostContext;
import io.statesql.edit.CommitProgress;
import io.statesql.edit.CommitRecord;
import io.statesql.edit.EditForm;
import io.statesql.edit.SavepointWriter;
import io.statesql.edit.SnapshotChanges;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a job stored keys elsewhere than their type says, it would not find a new one. */
class KeyGroupingTest {
  private static final int MAX_PARALLELISM = 128;
  private static final Bytes KEY = Bytes.copyOf(new byte[] {5, 'k', 'e', 'y', '0'});
  private static final Bytes VOID = Bytes.copyOf(new byte[1]);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void takesNoNewKeys(EditForm form) throws Exception {
    Snapshot base = form.write(folder.resolve("base"), MAX_PARALLELISM, 1);
    int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup("key0", MAX_PARALLELISM);
    int other = (keyGroup + 1) % MAX_PARALLELISM;
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      changes
          .operator(base.metadata().operators().get(0).id())
          .change("v", EntryAddress.of(keyGroup, KEY, VOID), EntryChange.REMOVE);
      changes
          .operator(base.metadata().operators().get(0).id())
          .change(
              "v",
              EntryAddress.of(other, KEY, VOID),
              new EntryChange.Put(Bytes.copyOf(new byte[Long.BYTES])));
      new SavepointWriter(base, changes, Cancellation.NEVER, CommitProgress.NONE)
          .write(folder.resolve("moved"), new CommitRecord(Instant.EPOCH, "", List.of()));
    }

    String table = '"' + base.metadata().operators().get(0).uidOrId() + "\".v";
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:statesql:snapshot="
                    + folder.resolve("moved")
                    + ";commitTo="
                    + folder.resolve("edits"));
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(
              () -> statement.executeUpdate("INSERT INTO " + table + " VALUES ('new', 1)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("the key 'key0' is stored in key group " + other)
          .hasMessageContaining("it would not find a new key");
      assertThatThrownBy(() -> statement.executeUpdate("UPDATE " + table + " SET state_value = 2"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("XX001"))
          .hasMessageContaining("a key of key group " + keyGroup + " stands in key group " + other);
    }
  }
}
