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
import io.statesql.snapshot.OperatorId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a connection changed and did not commit yet. Changes one snapshot: a commit writes one
 * savepoint. With auto-commit, which is on at first, each statement is a transaction. Safe for use
 * by many threads, which take turns.
 */
public final class Transaction {
  /** The name under which the context of a statement holds the transaction. */
  public static final String CONTEXT = "statesqlTransaction";

  /** The name under which the context of a statement holds its text. */
  public static final String STATEMENT = "statesqlStatement";

  private static final Logger LOG = LoggerFactory.getLogger(Transaction.class);

  private final Consumer<String> messages;
  private final boolean isDryRun;
  private final CommitWatch watch = new CommitWatch();
  private boolean autoCommit = true;
  private boolean readOnly;
  private boolean inBatch;
  private @Nullable EditedSnapshot edited;
  private volatile @Nullable Commit lastCommit;

  /** Grows with every move of a mount, and every schema that is dropped or comes back. */
  private long version;

  /**
   * @param messages takes what the user should know, in whole sentences
   * @param isDryRun whether a commit only says what it would write
   */
  public Transaction(Consumer<String> messages, boolean isDryRun) {
    this.messages = messages;
    this.isDryRun = isDryRun;
  }

  /**
   * Changes with this number what names and tables mean, so that a statement that was prepared
   * before has to be prepared again.
   */
  public synchronized long version() {
    return version;
  }

  public synchronized void setReadOnly(boolean newReadOnly) {
    readOnly = newReadOnly;
  }

  /** Turning it on commits what there is. */
  public synchronized void setAutoCommit(boolean newAutoCommit) {
    if (newAutoCommit && !autoCommit) {
      commit();
    }
    autoCommit = newAutoCommit;
  }

  /**
   * Refuses a statement that this transaction could not commit.
   *
   * @param snapshot that the statement changes
   */
  public synchronized void begin(EditedSnapshot snapshot) {
    if (readOnly) {
      throw new StateSqlException(
          ErrorCode.READ_ONLY,
          "This connection is read-only; call setReadOnly(false) to change state.");
    }
    snapshot.requirePlace();
    if (edited != null && edited != snapshot) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "The transaction has changed catalog \""
              + edited.catalog()
              + "\"; commit or roll back before you change \""
              + snapshot.catalog()
              + "\".");
    }
  }

  /**
   * Takes in what a statement changed, and commits it with auto-commit.
   *
   * @param ofStatement closed by this method
   * @param warnings what the user should know of the changes
   * @param cancellation of the statement, which ends its commit too
   */
  public synchronized void stage(
      EditedSnapshot snapshot,
      SnapshotChanges ofStatement,
      String statement,
      List<String> warnings,
      Cancellation cancellation) {
    begin(snapshot);
    try (ofStatement) {
      if (!ofStatement.isEmpty()) {
        List<OperatorId> changed = List.copyOf(ofStatement.operators());
        snapshot.stage(ofStatement, statement);
        edited = snapshot;
        boolean dropsAny = changed.stream().anyMatch(snapshot::isDropped);
        version += dropsAny ? 1 : 0;
      }
    }
    warnings.forEach(messages);
    if (autoCommit && !inBatch) {
      commitOrForget(cancellation);
    }
  }

  private void commitOrForget(Cancellation cancellation) {
    try {
      commit(cancellation);
    } catch (RuntimeException e) {
      // The statement failed as a whole: a later one must not write it.
      rollback();
      throw e;
    }
  }

  /** With auto-commit, commits the statements of a batch together. */
  public synchronized void beginBatch() {
    inBatch = true;
  }

  /**
   * Ends a batch.
   *
   * @param succeeded otherwise nothing of it stays, with auto-commit
   * @param cancellation of the statement, which ends the commit of its batch too
   */
  public synchronized void endBatch(boolean succeeded, Cancellation cancellation) {
    inBatch = false;
    if (!autoCommit) {
      return;
    }
    if (succeeded) {
      commitOrForget(cancellation);
    } else {
      rollback();
    }
  }

  /**
   * Writes one savepoint with all changes and moves the mount to it; does nothing without changes.
   * A dry run forgets them instead. No statement and no time limit ends it; other threads may, by
   * {@link #watch}.
   *
   * @throws StateSqlException if it cannot; the changes stay
   */
  public synchronized void commit() {
    commit(Cancellation.NEVER);
  }

  private void commit(Cancellation cancellation) {
    if (edited == null) {
      return;
    }
    if (isDryRun) {
      edited
          .plan()
          .ifPresent(
              plan -> messages.accept("Dry run, a commit would write: " + plan.describe() + "."));
      rollback();
      return;
    }
    List<Path> siblings = edited.siblings();
    List<String> remarks = new ArrayList<>();
    EditReport report;
    try {
      report = edited.commit(watch.begin(cancellation), watch, remarks::add);
    } finally {
      watch.end();
    }
    lastCommit = new Commit(edited.catalog(), report.savepoint());
    edited = null;
    version++;
    messages.accept("Committed to " + report.savepoint() + ": " + report.describe() + ".");
    remarks.forEach(messages);
    if (!siblings.isEmpty()) {
      messages.accept(
          "What was changed in "
              + siblings.stream().map(Path::toString).collect(Collectors.joining(", "))
              + " is not in it: both were made of the same snapshot.");
    }
  }

  /**
   * What was committed.
   *
   * @param savepoint the folder that was written
   */
  public record Commit(String catalog, Path savepoint) {}

  /** The newest commit; empty before the first. */
  public Optional<Commit> lastCommit() {
    return Optional.ofNullable(lastCommit);
  }

  /** The commit that another thread runs: how far it has come, and the means to end it. */
  public CommitWatch watch() {
    return watch;
  }

  /** Forgets all changes. */
  public synchronized void rollback() {
    if (edited != null) {
      EditedSnapshot forgotten = edited;
      edited = null;
      version++;
      forgotten.forget();
    }
  }

  /** What would be lost if the connection were closed now, in one sentence; empty for nothing. */
  public synchronized Optional<String> uncommitted() {
    return edited == null
        ? Optional.empty()
        : Optional.of(
            "%s changed catalog \"%s\" and was not committed; the changes are lost."
                .formatted(
                    EditReport.count(edited.statements().size(), "statement"), edited.catalog()));
  }

  /** Forgets all changes because the connection ends, and says so in the log. */
  public synchronized void close() {
    uncommitted().ifPresent(LOG::warn);
    rollback();
  }
}
