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
package io.statesql.plan;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.DataContext;

/**
 * Ends a statement when its client cancels it or its time limit is over. The limit is counted from
 * the start of a scan, since a statement has no other work that takes long.
 */
public final class StatementCancellation implements Cancellation {
  private final AtomicBoolean canceled;

  /** In milliseconds; 0 for none. */
  private final long limit;

  private final long start = System.nanoTime();

  private StatementCancellation(AtomicBoolean canceled, long limit) {
    this.canceled = canceled;
    this.limit = limit;
  }

  /** For one scan of the statement that runs in a context. */
  public static Cancellation of(DataContext context) {
    return new StatementCancellation(
        context.get(DataContext.Variable.CANCEL_FLAG.camelName) instanceof AtomicBoolean flag
            ? flag
            : new AtomicBoolean(),
        context.get(DataContext.Variable.TIMEOUT.camelName) instanceof Long millis ? millis : 0);
  }

  @Override
  public void check() {
    if (canceled.get()) {
      throw new StateSqlException(ErrorCode.CANCELED, "The statement was canceled.");
    }
    if (limit > 0 && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= limit) {
      throw new StateSqlException(
          ErrorCode.CANCELED,
          "The statement ran longer than its time limit of "
              + TimeUnit.MILLISECONDS.toSeconds(limit)
              + " s; raise the limit or ask for less.");
    }
  }
}
