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

import io.statesql.ReadCounters;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a statement did: {@code sys.last_statement}. Filled while it runs; safe for use
 * by many threads once it has {@linkplain #finish finished}.
 */
public final class StatementReport {
  /** The name under which a data context holds the report of the statement that runs. */
  public static final String RUNNING = "statesqlStatementReport";

  /** The name under which a data context holds the report of the one before. */
  public static final String LAST = "statesqlLastStatement";

  private final ReadCounters counters = new ReadCounters();
  private final long startMillis = System.currentTimeMillis();
  private final long start = System.nanoTime();
  private final Consumer<StatementReport> whenFinished;
  private String sql = "";
  private long planningNanos;
  private boolean isRecorded = true;
  private volatile long end;

  /**
   * Begins.
   *
   * @param whenFinished takes the report once the statement has given its last row, was closed or
   *     has failed
   */
  public StatementReport(Consumer<StatementReport> whenFinished) {
    this.whenFinished = whenFinished;
  }

  /** Says what runs. */
  public void describe(@Nullable String newSql, long newPlanningNanos) {
    sql = newSql == null ? "" : newSql.strip();
    planningNanos = newPlanningNanos;
  }

  /** Says that this statement only asks for the report of another, which remains the last one. */
  public void doNotRecord() {
    isRecorded = false;
  }

  /** Ends; a second time does nothing. */
  public void finish() {
    if (end == 0) {
      end = System.nanoTime();
      if (isRecorded) {
        whenFinished.accept(this);
      }
    }
  }

  public ReadCounters counters() {
    return counters;
  }

  public String sql() {
    return sql;
  }

  /** When the statement began to run, in epoch milliseconds. */
  public long startMillis() {
    return startMillis;
  }

  /** When the statement began to run, by {@link System#nanoTime}. */
  long startNanos() {
    return start;
  }

  /** How long it took to make the plan. */
  public long planningMillis() {
    return TimeUnit.NANOSECONDS.toMillis(planningNanos);
  }

  /** How long it took to make the plan and to run it, with the time that the client took. */
  public long totalMillis() {
    return TimeUnit.NANOSECONDS.toMillis(planningNanos + (end - start));
  }
}
