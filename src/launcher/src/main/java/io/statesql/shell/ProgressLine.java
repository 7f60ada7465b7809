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
package io.statesql.shell;

import io.statesql.ReadCounters;
import io.statesql.edit.CommitWatch.Written;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A line on a terminal that says how far a statement is, while it gives no rows yet, or a commit.
 * Comes only when that takes long, and is gone after {@link #close}.
 */
public final class ProgressLine implements AutoCloseable {
  private static final long FIRST_MILLIS = 1_000;
  private static final long PERIOD_MILLIS = 250;
  private static final int BAR_WIDTH = 20;
  private static final double MEGABYTE = 1 << 20;

  /** Back to the first column, and nothing from there on. */
  private static final String ERASE = "\r\u001B[K";

  private final PrintStream terminal;
  private final Supplier<ReadCounters> counters;
  private final Supplier<Optional<Written>> commit;
  private final ReadCounters ofStatementBefore;
  private final long firstMillis;
  private final long start = System.nanoTime();
  private final Thread painter = new Thread(this::paint, "statesql-progress");
  private boolean closed;
  private boolean shown;

  private ProgressLine(
      PrintStream terminal,
      Supplier<ReadCounters> counters,
      Supplier<Optional<Written>> commit,
      long firstMillis) {
    this.terminal = terminal;
    this.counters = counters;
    this.commit = commit;
    this.ofStatementBefore = counters.get();
    this.firstMillis = firstMillis;
  }

  /**
   * Begins to watch.
   *
   * @param counters those of the statement that began last; not asked for concurrently
   * @param commit what the commit has written that runs, if one does; likewise
   */
  public static ProgressLine begin(
      PrintStream terminal, Supplier<ReadCounters> counters, Supplier<Optional<Written>> commit) {
    return begin(terminal, counters, commit, FIRST_MILLIS);
  }

  static ProgressLine begin(
      PrintStream terminal,
      Supplier<ReadCounters> counters,
      Supplier<Optional<Written>> commit,
      long firstMillis) {
    ProgressLine line = new ProgressLine(terminal, counters, commit, firstMillis);
    line.painter.setDaemon(true);
    line.painter.start();
    return line;
  }

  private synchronized void paint() {
    try {
      long pause = firstMillis;
      while (!closed) {
        wait(pause);
        pause = PERIOD_MILLIS;
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (!closed && millis >= firstMillis) {
          present(millis).ifPresent(this::print);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<String> present(long millis) {
    Optional<Written> written = commit.get();
    if (written.isPresent()) {
      return written.map(now -> text(now, millis));
    }
    ReadCounters present = counters.get();
    return present == ofStatementBefore ? Optional.empty() : Optional.of(text(present, millis));
  }

  private void print(String text) {
    terminal.print(ERASE + text);
    terminal.flush();
    shown = true;
  }

  /** What the line says of a commit: the share of the snapshot's bytes that stands already. */
  static String text(Written written, long millis) {
    long percent =
        written.total() == 0 ? 100 : Math.min(100, 100 * written.bytes() / written.total());
    return bar(percent)
        + String.format(
            Locale.ROOT,
            " %d %% of the savepoint, %.0f MB written, %d s",
            percent,
            written.bytes() / MEGABYTE,
            millis / 1000);
  }

  private static String bar(long percent) {
    int filled = (int) (BAR_WIDTH * percent / 100);
    return "[" + "#".repeat(filled) + " ".repeat(BAR_WIDTH - filled) + "]";
  }

  /** What the line says: the share of the key groups, where it is known how many there are. */
  static String text(ReadCounters counters, long millis) {
    double megabytes = counters.bytes() / MEGABYTE;
    String read =
        String.format(
            Locale.ROOT,
            "%.0f MB read, %.1f MB/s, %d s",
            megabytes,
            megabytes * 1000 / Math.max(1, millis),
            millis / 1000);
    long expected = counters.expectedKeyGroups();
    if (expected == 0) {
      return read;
    }
    long percent = Math.min(100, 100 * counters.keyGroups() / expected);
    return bar(percent) + " " + percent + " % of key groups, " + read;
  }

  /** Takes the line away; a second time does nothing. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    if (shown) {
      shown = false;
      terminal.print(ERASE);
      terminal.flush();
    }
  }
}
