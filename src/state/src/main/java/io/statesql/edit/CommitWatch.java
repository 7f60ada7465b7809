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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commit that runs, for other threads: how far it has come, and the means to end it. Safe for
 * use by many threads, of which none waits for the commit.
 */
public final class CommitWatch implements CommitProgress {
  private volatile @Nullable Written present;
  private volatile boolean isCanceled;
  private volatile boolean isClosed;
  private boolean isRunning;

  /**
   * A moment of a commit.
   *
   * @param bytes of state that stand in the new folder
   * @param total bytes of state of the snapshot that is changed
   */
  public record Written(long bytes, long total) {}

  /**
   * Begins a commit.
   *
   * @param ofStatement whose commit it is
   * @return tells the commit to end as soon as the statement has to, or somebody has asked for it
   *     here
   */
  synchronized Cancellation begin(Cancellation ofStatement) {
    isRunning = true;
    isCanceled = false;
    return () -> {
      ofStatement.check();
      if (isClosed) {
        throw canceled("The connection was closed, which ended its commit; nothing was committed.");
      }
      if (isCanceled) {
        throw canceled("The commit was canceled; nothing was committed.");
      }
    };
  }

  private static StateSqlException canceled(String message) {
    return new StateSqlException(ErrorCode.CANCELED, message);
  }

  @Override
  public void report(long written, long total) {
    present = new Written(written, total);
  }

  synchronized void end() {
    present = null;
    isRunning = false;
  }

  /** Empty while no commit writes. */
  public Optional<Written> present() {
    return Optional.ofNullable(present);
  }

  /**
   * Ends the commit that runs, as {@link ErrorCode#CANCELED}; does nothing if none runs. One whose
   * savepoint has got its name already succeeds all the same.
   */
  public synchronized void cancel() {
    isCanceled = isRunning;
  }

  /** Ends the commit that runs, and every later one: the connection ends. */
  public void close() {
    isClosed = true;
  }
}
