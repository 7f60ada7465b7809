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
package io.statesql.benchmark.scan;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cancels statements that read a whole snapshot and measures how long it takes until they have
 * ended and nothing of the snapshot is open any more.
 */
public final class CancelBenchmark {
  private static final int RUNS = 60;

  /** A sorted join, sums, and rows that are handed out, all of them over every key. */
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT SUM(total), MAX(profile_visits) FROM \"users\".keyed_state",
          "SELECT COUNT(*) FROM \"users\".profile AS a JOIN \"users\".pages AS b USING (state_key)",
          "SELECT * FROM \"users\".profile ORDER BY name");

  private CancelBenchmark() {}

  /** The arguments: snapshots of the {@link SnapshotBenchmark}. */
  public static void main(String[] args) throws SQLException, IOException {
    MarkdownTable table =
        new MarkdownTable("snapshot", "canceled", "median", "longest", "ended before");
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      for (String snapshot : args) {
        measure(Path.of(snapshot), timer, table);
      }
    } finally {
      timer.shutdownNow();
    }
    System.out.print(table);
  }

  private static void measure(Path snapshot, ScheduledExecutorService timer, MarkdownTable table)
      throws SQLException, IOException {
    List<Long> nanos = new ArrayList<>();
    int ended = 0;
    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot)) {
      // A plan is made to its end, which takes long in a cold JVM.
      for (String sql : STATEMENTS) {
        cancel(connection, sql, TimeUnit.HOURS.toNanos(1), timer);
      }
      for (int i = 0; i < RUNS; i++) {
        String sql = STATEMENTS.get(i % STATEMENTS.size());
        long taken = cancel(connection, sql, TimeUnit.MILLISECONDS.toNanos(20 + 7 * i), timer);
        requireClosed(snapshot);
        if (taken < 0) {
          ended++;
        } else {
          nanos.add(taken);
        }
      }
    }
    table.add(
        String.valueOf(snapshot.getFileName()),
        String.valueOf(nanos.size()),
        millis(Medians.of(nanos)),
        millis(Collections.max(nanos)),
        String.valueOf(ended));
  }

  /** From cancel to the statement's end; -1 if it ended before. */
  private static long cancel(
      Connection connection, String sql, long afterNanos, ScheduledExecutorService timer)
      throws SQLException {
    AtomicLong canceled = new AtomicLong();
    try (Statement statement = connection.createStatement()) {
      Future<?> canceling =
          timer.schedule(
              () -> {
                canceled.set(System.nanoTime());
                statement.cancel();
                return null;
              },
              afterNanos,
              TimeUnit.NANOSECONDS);
      try (ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          // Reading is all that is wanted.
        }
      }
      canceling.cancel(false);
      return -1;
    } catch (SQLException e) {
      if (!"57014".equals(e.getSQLState())) {
        throw e;
      }
      return System.nanoTime() - canceled.get();
    }
  }

  /** Files and folders that the process has open, as Linux lists them. */
  private static void requireClosed(Path snapshot) throws IOException {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : open) {
        String target = target(descriptor);
        if (target.startsWith(snapshot.toString()) || target.endsWith(".sst")) {
          throw new IllegalStateException("Still open: " + target);
        }
      }
    }
  }

  private static String target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }
}
