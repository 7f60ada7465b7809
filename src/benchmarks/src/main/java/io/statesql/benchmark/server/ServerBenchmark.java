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
package io.statesql.benchmark.server;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Measures how soon the server answers a point query, and how it streams ten million rows. */
public final class ServerBenchmark {
  private static final int MEASURED = 1_000;
  private static final long ROWS = 10_000_000;
  private static final String HEAP = "512m";
  private static final String TABLE = "\"users\".keyed_state";

  private final ServerUnderTest server;

  private ServerBenchmark(ServerUnderTest server) {
    this.server = server;
  }

  /** The arguments: the folder of the repository, and snapshots that a benchmark has written. */
  public static void main(String[] args)
      throws IOException, SQLException, InterruptedException, ReflectiveOperationException {
    Class.forName("org.apache.calcite.avatica.remote.Driver");
    for (String snapshot : Arrays.copyOfRange(args, 1, args.length)) {
      System.out.println(Path.of(snapshot).getFileName());
      try (ServerUnderTest server =
          ServerUnderTest.start(Path.of(args[0]), HEAP, List.of("snapshot=" + snapshot))) {
        new ServerBenchmark(server).run();
      }
    }
  }

  private void run() throws IOException, SQLException, InterruptedException {
    for (String serialization : List.of("protobuf", "json")) {
      try (Connection connection = server.connect(serialization)) {
        long keys = count(connection);
        prepared(serialization, connection, keys);
        unprepared(serialization, connection, keys);
      }
    }
    try (Connection connection = server.connect("protobuf")) {
      stream(connection, count(connection));
    }
  }

  private static long count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + TABLE)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** A question about a key, again and again. */
  private interface PointQuery {
    ResultSet ask(long key) throws SQLException;
  }

  private void prepared(String serialization, Connection connection, long keys)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT * FROM " + TABLE + " WHERE state_key = ?")) {
      measure(
          "one key, prepared, " + serialization,
          keys,
          key -> {
            statement.setLong(1, key);
            return statement.executeQuery();
          });
    }
  }

  private void unprepared(String serialization, Connection connection, long keys)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      measure(
          "one key, new text, " + serialization,
          keys,
          key -> statement.executeQuery("SELECT * FROM " + TABLE + " WHERE state_key = " + key));
    }
  }

  private void measure(String title, long keys, PointQuery query) throws SQLException {
    long[] nanos = new long[MEASURED];
    for (int i = -MEASURED; i < MEASURED; i++) {
      long key = Math.floorMod(i * 7919L, keys);
      long start = System.nanoTime();
      try (ResultSet rows = query.ask(key)) {
        if (!rows.next() || rows.getLong(1) != key || rows.next()) {
          throw new IllegalStateException("not the row of key " + key);
        }
      }
      if (i >= 0) {
        nanos[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-28s median %.2f ms, 99 of 100 within %.2f ms%n",
        title,
        nanos[MEASURED / 2] / 1e6,
        nanos[MEASURED * 99 / 100] / 1e6);
  }

  private void stream(Connection connection, long keys)
      throws SQLException, IOException, InterruptedException {
    String copies =
        LongStream.range(0, (ROWS + keys - 1) / keys)
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(", "));
    String sql =
        "SELECT a.state_key, a.total, b.k FROM %s AS a, (VALUES %s) AS b (k) LIMIT %d"
            .formatted(TABLE, copies, ROWS);
    System.out.println("before: " + server.figures());
    AtomicLong count = new AtomicLong();
    long start = System.nanoTime();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(() -> readAll(connection, sql, count));
    while (!reading.isDone()) {
      TimeUnit.SECONDS.sleep(5);
      System.out.printf(
          Locale.ROOT,
          "%,12d rows: %s%n",
          count.get(),
          // Collecting would be work for the server meanwhile.
          reading.isDone() ? "done" : resident());
    }
    reading.join();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT, "%,d rows in %.0f s, %,.0f a second%n", count.get(), seconds, ROWS / seconds);
    System.out.println("after: " + server.figures());
  }

  private String resident() throws IOException, InterruptedException {
    return "%d MB resident, %d MB of heap with garbage"
        .formatted(server.resident() >> 20, server.heap() >> 20);
  }

  private static void readAll(Connection connection, String sql, AtomicLong count) {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(5_000);
      try (ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          count.incrementAndGet();
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("reading all rows failed", e);
    }
    if (count.get() != ROWS) {
      throw new IllegalStateException("these are not all rows: " + count);
    }
  }
}
