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
import io.statesql.StateSqlException;
import io.statesql.format.StagedState;
import io.statesql.snapshot.OperatorId;
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

/**
 * A mounted snapshot and what the present transaction changed in it. Belongs to one connection and
 * is as thread-safe as that.
 *
 * <p>Where the next commit goes is fixed when the snapshot is mounted. Who commits on the same
 * snapshot meanwhile, in this process or another, takes that place, by which the conflict is seen.
 */
public final class EditedSnapshot {
  private final String catalog;
  private final Snapshot base;
  private final @Nullable Path target;
  private final @Nullable StateSqlException refusal;
  private final Consumer<Path> mover;
  private final List<String> statements = new ArrayList<>();
  private SnapshotChanges changes = new SnapshotChanges();

  /**
   * @param catalog under which the snapshot is mounted
   * @param mover is told of the savepoint that a commit wrote
   */
  public EditedSnapshot(String catalog, Snapshot base, CommitPlace place, Consumer<Path> mover) {
    this.catalog = catalog;
    this.base = base;
    this.mover = mover;
    Path next = null;
    StateSqlException reason = null;
    try {
      next = place.next(base);
    } catch (StateSqlException e) {
      // Of interest only to who changes state.
      reason = e;
    }
    this.target = next;
    this.refusal = reason;
  }

  public String catalog() {
    return catalog;
  }

  public Snapshot base() {
    return base;
  }

  /** The folder that the next commit makes; empty if it has no place to go. */
  public Optional<Path> target() {
    return Optional.ofNullable(target);
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

  /** Adds changes, which readers of {@link #staged} see from now on. */
  public void stage(SnapshotChanges ofStatement, String statement) {
    changes.addAll(ofStatement);
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
   * @throws StateSqlException with {@link ErrorCode#TRANSACTION_CONFLICT} if another commit took
   *     the place
   */
  EditReport commit(Cancellation cancellation) {
    return commit(cancellation, System.getProperty("user.name", ""), List.of());
  }

  /**
   * Writes the savepoint and moves the mount to it, for others than the user of this process.
   *
   * @param user who commits
   * @param requests ids by which the commit can be found again
   * @throws StateSqlException with {@link ErrorCode#TRANSACTION_CONFLICT} if another commit took
   *     the place
   */
  public EditReport commit(Cancellation cancellation, String user, List<String> requests) {
    requirePlace();
    Path savepoint = target;
    requireFree(savepoint, null);
    makeFolder(savepoint.getParent());
    CommitRecord record = new CommitRecord(Instant.now(), user, statements, requests);
    EditReport report;
    try {
      report =
          new SavepointWriter(base, changes, cancellation, CommitProgress.NONE)
              .write(savepoint, record);
    } catch (StateSqlException e) {
      requireFree(savepoint, e);
      throw e;
    }
    forget();
    mover.accept(savepoint);
    return report;
  }

  private void requireFree(Path savepoint, StateSqlException cause) {
    if (Files.exists(savepoint)) {
      throw new StateSqlException(
          ErrorCode.TRANSACTION_CONFLICT,
          "Nothing was committed: since "
              + base.folder().getPath()
              + " was mounted, another commit on it wrote "
              + savepoint
              + "; mount that and run the statements again.",
          cause);
    }
  }

  private static void makeFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR, "The folder " + folder + " cannot be made: " + e.getMessage(), e);
    }
  }

  /** Forgets the changes. */
  public void forget() {
    changes.close();
    changes = new SnapshotChanges();
    statements.clear();
  }
}
