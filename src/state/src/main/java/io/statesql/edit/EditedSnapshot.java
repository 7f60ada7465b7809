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

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.format.model.StagedState;
import io.statesql.snapshot.OperatorId;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mounted snapshot and what the present transaction changed in it. Belongs to one connection and
 * is as thread-safe as that.
 *
 * <p>Of two that have the same snapshot mounted and commit, in this process or in others, one finds
 * that it has got a {@linkplain SuccessorName successor}.
 */
public final class EditedSnapshot {
  private static final Logger LOG = LoggerFactory.getLogger(EditedSnapshot.class);

  private final String catalog;
  private final Snapshot base;
  private final @Nullable SuccessorName successor;
  private final @Nullable StateSqlException refusal;
  private final Consumer<Path> mover;
  private final List<String> statements = new ArrayList<>();
  private SnapshotChanges changes;

  /**
   * @param catalog under which the snapshot is mounted
   * @param mover is told of the savepoint that a commit wrote
   */
  public EditedSnapshot(String catalog, Snapshot base, CommitPlace place, Consumer<Path> mover) {
    this.catalog = catalog;
    this.base = base;
    this.changes = newChanges();
    this.mover = mover;
    SuccessorName next = null;
    StateSqlException reason = null;
    try {
      next = place.successorOf(base);
    } catch (StateSqlException e) {
      // Of interest only to who changes state.
      reason = e;
    }
    this.successor = next;
    this.refusal = reason;
  }

  public String catalog() {
    return catalog;
  }

  public Snapshot base() {
    return base;
  }

  /** The changes of an operator, for its readers; follows later changes. */
  public StagedState staged(OperatorId operator) {
    return new OperatorEdits(() -> changes.find(operator));
  }

  public boolean isDropped(OperatorId operator) {
    return changes.find(operator).map(OperatorChanges::isDropped).orElse(false);
  }

  /** The statements of the transaction. */
  public List<String> statements() {
    return List.copyOf(statements);
  }

  /**
   * Refuses changes that could not be committed.
   *
   * @throws StateSqlException if the next commit has no place to go
   */
  public void requirePlace() {
    if (refusal != null) {
      throw new StateSqlException(refusal.code(), refusal.getMessage(), refusal);
    }
  }

  /** No changes yet; those of a statement, to be closed by the caller. */
  public SnapshotChanges newChanges() {
    return new SnapshotChanges(base.host());
  }

  /**
   * Refuses changes of state that no commit could write.
   *
   * @throws StateSqlException if an operator that stays is of such a form
   */
  public void requireWritable() {
    for (OperatorState operator : base.metadata().operators()) {
      if (!isDropped(operator.id())) {
        EditableForms.require(base, operator);
      }
    }
  }

  /** Takes changes, which readers of {@link #staged} see from now on. */
  public void stage(SnapshotChanges ofStatement, String statement) {
    changes.takeAll(ofStatement);
    statements.add(statement);
  }

  /** What a commit would do; empty without changes. */
  public Optional<EditReport> plan() {
    return changes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SavepointWriter(base, changes, Cancellation.NEVER, CommitProgress.NONE).plan());
  }

  /**
   * Writes the savepoint and moves the mount to it.
   *
   * @param remarks takes what went wrong when the savepoint had been written
   * @throws StateSqlException with {@link ErrorCode#TRANSACTION_CONFLICT} if the snapshot has got a
   *     successor since it was mounted
   */
  EditReport commit(Cancellation cancellation, CommitProgress progress, Consumer<String> remarks) {
    return commit(cancellation, progress, System.getProperty("user.name", ""), List.of(), remarks);
  }

  /** As {@link #commit(Cancellation, String, List)}, and tells how far it has come. */
  private EditReport commit(
      Cancellation cancellation,
      CommitProgress progress,
      String user,
      List<String> requests,
      Consumer<String> remarks) {
    requirePlace();
    // Seen now, a conflict costs no time.
    successor.next();
    makeFolder(successor.parent());
    CommitRecord record = new CommitRecord(Instant.now(), user, statements, requests);
    EditReport report =
        new SavepointWriter(base, changes, cancellation, progress).write(successor, record);
    // It stands: who was told of a failure would commit the same again.
    orRemark(this::forget, "What was changed could not be cleared away", remarks);
    orRemark(
        () -> mover.accept(report.savepoint()),
        "The savepoint cannot be shown yet, the next statement tries again",
        remarks);
    return report;
  }

  private static void orRemark(Runnable step, String remark, Consumer<String> remarks) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.warn("After a commit: {}", remark, e);
      remarks.accept(remark + ": " + FaultText.of(e) + ".");
    }
  }

  /**
   * As {@link #commit(Cancellation, CommitProgress, Consumer)}, for others than the user of this
   * process; what went wrong after the savepoint was written is told in the log alone.
   *
   * @param user who commits
   * @param requests ids by which the commit can be found again
   */
  public EditReport commit(Cancellation cancellation, String user, List<String> requests) {
    return commit(cancellation, CommitProgress.NONE, user, requests, remark -> {});
  }

  /** The folder that commits go into; empty if they have none. */
  public Optional<Path> commitFolder() {
    return Optional.ofNullable(successor).map(SuccessorName::parent);
  }

  /**
   * The savepoint that others made of the same snapshot since it was mounted, or of what they had
   * made of it, the last one; empty if there is none.
   */
  public Optional<Path> newestSuccessor() {
    return Optional.ofNullable(successor).flatMap(SuccessorName::newest);
  }

  /** Savepoints that others made of the same snapshot before it was mounted. */
  List<Path> siblings() {
    return successor == null ? List.of() : successor.siblings();
  }

  private static void makeFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "The folder " + folder + " cannot be made: " + FaultText.of(e) + ".",
          e);
    }
  }

  /**
   * Forgets the changes.
   *
   * @throws StateSqlException if the file that holds them cannot be removed; they are forgotten all
   *     the same
   */
  public void forget() {
    SnapshotChanges forgotten = changes;
    changes = newChanges();
    statements.clear();
    forgotten.close();
  }
}
