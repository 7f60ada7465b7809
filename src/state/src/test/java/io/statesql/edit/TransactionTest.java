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
package io.statesql.edit;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import io.statesql.snapshot.OperatorId;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the user of a transaction hears of its end. */
class TransactionTest {
  private static final OperatorId OPERATOR = OperatorId.ofUid("orders-per-customer");

  @TempDir private Path folder;
  private final List<String> messages = new ArrayList<>();
  private Transaction transaction;

  @BeforeEach
  void copySample() throws IOException {
    Path sample = Path.of("../../sql-examples/snapshots/orders");
    Path copy = Files.createDirectory(folder.resolve("orders"));
    try (Stream<Path> files = Files.list(sample)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    transaction = new Transaction(messages::add, false);
  }

  private EditedSnapshot sample(Consumer<Path> mover) {
    Snapshot snapshot = Snapshot.open(folder.resolve("orders").toString());
    return new EditedSnapshot("orders", snapshot, new CommitPlace(Optional.empty()), mover);
  }

  private void drop(EditedSnapshot snapshot) {
    SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess());
    changes.operator(OPERATOR).drop();
    transaction.stage(
        snapshot, changes, "DROP SCHEMA \"orders-per-customer\"", List.of(), Cancellation.NEVER);
  }

  /** Who heard of a failure would commit the same again. */
  @Test
  void aSavepointThatStandsIsToldAsCommittedAlsoIfItCannotBeShown() {
    EditedSnapshot snapshot =
        sample(
            savepoint -> {
              throw new StateSqlException(ErrorCode.IO_ERROR, "The disk does not answer.");
            });

    drop(snapshot);

    Path savepoint = folder.resolve("orders-edited-1");
    assertThat(savepoint.resolve("_metadata")).exists();
    assertThat(messages)
        .hasSize(2)
        .first()
        .asString()
        .startsWith("Committed to " + savepoint + ": ");
    assertThat(messages.get(1))
        .isEqualTo(
            "The savepoint cannot be shown yet, the next statement tries again:"
                + " The disk does not answer.");
    assertThat(transaction.uncommitted()).isEmpty();
    assertThat(transaction.lastCommit().orElseThrow().savepoint()).isEqualTo(savepoint);
    assertThat(snapshot.statements()).isEmpty();
  }
}
