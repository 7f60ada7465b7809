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
import static org.assertj.core.api.Assertions.catchThrowable;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import io.statesql.edit.CommitPlace;
import io.statesql.edit.CommitWatch;
import io.statesql.edit.EditForm;
import io.statesql.edit.EditedSnapshot;
import io.statesql.edit.SnapshotChanges;
import io.statesql.edit.Transaction;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.work.WorkFolder;
import io.statesql.plan.StatementCancellation;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A commit that is told to end, at whatever moment, leaves nothing, and the next one works. */
@Timeout(600)
class CanceledWriteTest {
  private static final int MAX_PARALLELISM = 16;
  private static final int KEYS = 200;
  private static final int MOMENTS = 25;
  private static final Bytes VOID = Bytes.copyOf(new byte[1]);

  @TempDir private Path folder;
  @TempDir private Path work;

  private final List<Path> moves = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private final Transaction transaction = new Transaction(messages::add, false);
  private Path edits;
  private Snapshot base;

  @BeforeEach
  void lookAtTheWorkFolder() {
    System.setProperty(WorkFolder.BASE_PROPERTY, work.toString());
    edits = folder.resolve("edits");
  }

  @AfterEach
  void useTheDefaultPlaceAgain() {
    System.clearProperty(WorkFolder.BASE_PROPERTY);
  }

  @ParameterizedTest
  @EnumSource
  void leavesNothingAtAnyMoment(EditForm form) throws Exception {
    EditedSnapshot counted = edited(form, folder.resolve("counted"));
    counted.stage(changes(), "UPDATE it");
    AtomicLong all = new AtomicLong();
    counted.commit(all::incrementAndGet, "", List.of());
    moves.clear();

    EditedSnapshot edited = edited(form, edits);
    edited.stage(changes(), "UPDATE it");
    for (int moment = 0; moment < MOMENTS; moment++) {
      AtomicLong left = new AtomicLong(all.get() * moment / MOMENTS);
      assertIsCanceled(
          () -> edited.commit(() -> endIf(left.getAndDecrement() <= 0), "", List.of()));
    }
    assertIsCanceled(() -> edited.commit(() -> endIf(isWhole()), "", List.of()));

    edited.commit(Cancellation.NEVER, "", List.of());
    assertThat(moves).containsExactly(edits.resolve(base.folder().getName() + "-edited-1"));
    assertThat(moves.get(0).resolve("_metadata")).exists();
    assertThat(left(work)).isEmpty();
  }

  @Test
  void aStatementIsForgottenWhoseCommitWasCanceled() throws Exception {
    EditedSnapshot edited = edited(EditForm.HEAP, edits);
    assertIsCanceled(() -> stage(edited, () -> endIf(isWriting())));
    assertThat(transaction.uncommitted()).isEmpty();
    assertThat(messages).isEmpty();

    stage(edited, Cancellation.NEVER);
    assertThat(moves).hasSize(1);
  }

  @Test
  void soIsABatch() throws Exception {
    EditedSnapshot edited = edited(EditForm.HEAP, edits);
    transaction.beginBatch();
    stage(edited, Cancellation.NEVER);
    assertIsCanceled(() -> transaction.endBatch(true, () -> endIf(isWriting())));
    assertThat(transaction.uncommitted()).isEmpty();
  }

  @Test
  void aTimeLimitThatIsOverEndsTheCommit() throws Exception {
    EditedSnapshot edited = edited(EditForm.HEAP, edits);
    Cancellation limit = StatementCancellation.starting(new AtomicBoolean(), 1);
    while (catchThrowable(limit::check) == null) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThatThrownBy(() -> stage(edited, limit)).hasMessageContaining("time limit of 1 s");
    assertThat(left(edits)).isEmpty();
  }

  /** The thread that commits holds the transaction until it has asked once more. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoEndsACommitDoesNotWaitForIt(boolean closes) throws Exception {
    EditedSnapshot edited = edited(EditForm.HEAP, edits);
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Cancellation slow =
        () -> {
          if (isWriting()) {
            writing.countDown();
            while (ended.getCount() > 0) {
              Thread.onSpinWait();
            }
          }
        };
    CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> stage(edited, slow));
    assertThat(writing.await(5, TimeUnit.MINUTES)).isTrue();
    CommitWatch watch = transaction.watch();
    if (closes) {
      watch.close();
    } else {
      watch.cancel();
    }
    ended.countDown();
    assertThatThrownBy(() -> commit.get(5, TimeUnit.MINUTES))
        .hasCauseInstanceOf(StateSqlException.class)
        .hasMessageContaining("nothing was committed");
    assertThat(left(edits)).isEmpty();
  }

  @Test
  void aCancellationEndsNoLaterCommit() throws Exception {
    transaction.watch().cancel();
    stage(edited(EditForm.HEAP, edits), Cancellation.NEVER);
    assertThat(moves).hasSize(1);
  }

  @Test
  void theChangesOfATransactionStay() throws Exception {
    transaction.setAutoCommit(false);
    stage(edited(EditForm.HEAP, edits), Cancellation.NEVER);
    transaction.watch().close();
    assertIsCanceled(transaction::commit);
    assertThat(transaction.uncommitted()).isPresent();
  }

  @Test
  void whatHasItsNameIsCommitted() throws Exception {
    EditedSnapshot edited = edited(EditForm.HEAP, edits);
    stage(edited, () -> endIf(!moves.isEmpty()));
    assertThat(moves).containsExactly(edits.resolve("base-edited-1"));
    assertThat(transaction.lastCommit()).isPresent();
    assertThat(messages).singleElement().asString().startsWith("Committed to ");
  }

  private EditedSnapshot edited(EditForm form, Path place) throws Exception {
    if (base == null) {
      base = form.write(folder.resolve("base"), MAX_PARALLELISM, KEYS);
    }
    return new EditedSnapshot(
        "s",
        base,
        new CommitPlace(Optional.of(place.toString())),
        savepoint -> {
          moves.add(savepoint);
          transaction.watch().cancel();
        });
  }

  private void stage(EditedSnapshot edited, Cancellation cancellation) {
    transaction.stage(edited, changes(), "UPDATE it", List.of(), cancellation);
  }

  /** A new value for each second key. */
  private SnapshotChanges changes() {
    SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess());
    for (int i = 0; i < KEYS; i += 2) {
      String key = "key" + i;
      int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM);
      byte[] stored = (" " + key).getBytes(StandardCharsets.UTF_8);
      stored[0] = (byte) stored.length;
      changes
          .operator(base.metadata().operators().get(0).id())
          .change(
              "v",
              EntryAddress.of(keyGroup, Bytes.copyOf(stored), VOID),
              new EntryChange.Put(Bytes.copyOf(new byte[Long.BYTES])));
    }
    return changes;
  }

  private static void endIf(boolean isTime) {
    if (isTime) {
      throw new StateSqlException(ErrorCode.CANCELED, "It is time.");
    }
  }

  private boolean isWriting() {
    return !left(edits).isEmpty();
  }

  /** Nothing is missing then but the name. */
  private boolean isWhole() {
    return left(edits).stream().anyMatch(file -> file.endsWith("_metadata"));
  }

  private void assertIsCanceled(ThrowingCallable commit) {
    assertThatThrownBy(commit)
        .isInstanceOfSatisfying(
            StateSqlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELED))
        .satisfies(e -> assertThat(e.getSuppressed()).noneMatch(IOException.class::isInstance));
    assertThat(left(edits)).isEmpty();
    assertThat(left(work)).isEmpty();
    assertThat(moves).isEmpty();
  }

  private static List<Path> left(Path place) {
    if (!Files.exists(place)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(place)) {
      return files.skip(1).toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
