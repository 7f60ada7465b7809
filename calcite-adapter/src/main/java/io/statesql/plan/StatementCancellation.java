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
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;

/**
 * Ends a statement when its client cancels it or its time limit is over, which is counted from the
 * time when the statement began to run.
 */
public final class StatementCancellation implements Cancellation {
  private final AtomicBoolean canceled;

  /** In milliseconds; 0 for none. */
  private final long limit;

  private final long start;

  private StatementCancellation(AtomicBoolean canceled, long limit, long start) {
    this.canceled = canceled;
    this.limit = limit;
    this.start = start;
  }

  /** For the statement that runs in a context. */
  public static Cancellation of(DataContext context) {
    return new StatementCancellation(
        context.get(DataContext.Variable.CANCEL_FLAG.camelName) instanceof AtomicBoolean flag
            ? flag
            : new AtomicBoolean(),
        context.get(DataContext.Variable.TIMEOUT.camelName) instanceof Long millis ? millis : 0,
        context.get(StatementReport.RUNNING) instanceof StatementReport report
            ? report.startNanos()
            : System.nanoTime());
  }

  /**
   * For a statement that starts now.
   *
   * @param limitSeconds 0 for none
   */
  public static Cancellation starting(AtomicBoolean canceled, int limitSeconds) {
    return new StatementCancellation(
        canceled, TimeUnit.SECONDS.toMillis(limitSeconds), System.nanoTime());
  }

  /** The same rows, of which none is given any more when the statement has to end. */
  public static <T> Enumerable<T> checked(DataContext context, Enumerable<T> rows) {
    Cancellation cancellation = of(context);
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<T> enumerator() {
        return new CheckedRows<>(rows.enumerator(), cancellation);
      }
    };
  }

  /** Rows before each of which the statement may end. */
  private record CheckedRows<T>(Enumerator<T> rows, Cancellation cancellation)
      implements Enumerator<T> {
    @Override
    public T current() {
      return rows.current();
    }

    @Override
    public boolean moveNext() {
      cancellation.check();
      return rows.moveNext();
    }

    @Override
    public void reset() {
      rows.reset();
    }

    @Override
    public void close() {
      rows.close();
    }
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
