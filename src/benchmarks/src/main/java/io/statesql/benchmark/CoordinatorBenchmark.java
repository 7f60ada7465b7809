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
package io.statesql.benchmark;

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.LocationQuery;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.client.ClientOptions;
import io.statesql.coordinator.client.CoordinatorClient;
import io.statesql.coordinator.http.CoordinatorServer;
import io.statesql.coordinator.http.ServerOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A coordinator with 100,000 instances, and its clients in the same JVM: memory, reports a second,
 * the time of {@code GetLocation}, and queries of {@code store_locations}.
 */
public final class CoordinatorBenchmark {
  private static final int PARTITIONS = 200;
  private static final int OPERATORS = 50;
  private static final int RUNS = 10;
  private static final int INSTANCES = PARTITIONS * OPERATORS * RUNS;
  private static final int BATCH = 500;
  private static final int SECONDS = 5;

  private final StoreCoordinator coordinator = new StoreCoordinator(CoordinatorSettings.EMBEDDED);
  private final String snapshot;

  private CoordinatorBenchmark(String snapshot) {
    this.snapshot = snapshot;
  }

  /** The argument: the path of any snapshot, for the queries. */
  public static void main(String[] args) throws Exception {
    if (args.length != 1) {
      throw new IllegalArgumentException("Give the path of a snapshot");
    }
    new CoordinatorBenchmark(args[0]).run();
  }

  private void run() throws IOException, InterruptedException, SQLException {
    memory();
    try (CoordinatorServer server =
        new CoordinatorServer(coordinator, ServerOptions.LOOPBACK.withPort(0))) {
      server.start();
      CoordinatorClient client = new CoordinatorClient(ClientOptions.of(server.url()));
      // The first round of each warms up.
      for (String round : List.of("warm-up", "measured")) {
        batchedReports(round, client);
        singleReports(round, client);
        locations(round, client);
      }
      queries(server.url());
    }
  }

  private static StoreInstanceId id(int number) {
    // New texts each time, as they come from a message.
    StoreId store =
        new StoreId(
            "hdfs://namenode/checkpoints/job-" + number / (PARTITIONS * OPERATORS),
            String.format(Locale.ROOT, "%032x", number / PARTITIONS % OPERATORS),
            number % PARTITIONS,
            String.valueOf(StoreId.DEFAULT_NAME.toCharArray()));
    return new StoreInstanceId(store, "run-" + number / (PARTITIONS * OPERATORS));
  }

  private static StoreLocation executor(int number) {
    return new StoreLocation("host-" + number % 20, "executor-" + number % 100);
  }

  private void memory() {
    long before = usedMemory();
    for (int i = 0; i < INSTANCES; i++) {
      coordinator.reportActiveInstance(executor(i), InstanceReport.now(id(i), "flink"));
    }
    long each = (usedMemory() - before) / INSTANCES;
    print("memory of %,d instances: %d bytes each, shared texts included", INSTANCES, each);
  }

  private static long usedMemory() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }

  private static void batchedReports(String round, CoordinatorClient client)
      throws InterruptedException {
    double rate =
        BATCH
            * rate(
                2,
                () -> {
                  int first = ThreadLocalRandom.current().nextInt(INSTANCES - BATCH);
                  List<InstanceReport> reports = new ArrayList<>(BATCH);
                  for (int i = first; i < first + BATCH; i++) {
                    reports.add(InstanceReport.now(id(i), "flink"));
                  }
                  client.reportActiveInstances(executor(first), reports);
                });
    print("%s: %,.0f batched reports a second, %d in a message", round, rate, BATCH);
  }

  private static void singleReports(String round, CoordinatorClient client)
      throws InterruptedException {
    double rate =
        rate(
            8,
            () -> {
              int number = ThreadLocalRandom.current().nextInt(INSTANCES);
              client.reportActiveInstance(
                  executor(number), InstanceReport.now(id(number), "flink"));
            });
    print("%s: %,.0f single reports a second", round, rate);
  }

  /** How often some threads do something in a second. */
  private static double rate(int threads, Runnable action) throws InterruptedException {
    LongAdder done = new LongAdder();
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(SECONDS);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (System.nanoTime() < end) {
                  action.run();
                  done.increment();
                }
              });
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      thread.join();
    }
    return done.sum() * 1e9 / (System.nanoTime() - begin);
  }

  private static void locations(String round, CoordinatorClient client) {
    long[] nanos = new long[20_000];
    for (int i = 0; i < nanos.length; i++) {
      LocationQuery query = LocationQuery.of(id(ThreadLocalRandom.current().nextInt(INSTANCES)));
      long begin = System.nanoTime();
      if (client.getLocation(query).isEmpty()) {
        throw new IllegalStateException("An instance is missing: " + query);
      }
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    print(
        "%s: GetLocation p50 %.3f ms, p99 %.3f ms, p99.9 %.3f ms",
        round,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length / 100 * 99] / 1e6,
        nanos[nanos.length / 1000 * 999] / 1e6);
  }

  private void queries(String url) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot + ";coordinator=" + url)) {
      query(connection, "SELECT count(*) FROM store_locations");
      query(
          connection, "SELECT * FROM store_locations WHERE run_id = 'run-3' AND partition_id = 7");
      query(connection, "SELECT host, count(*) FROM store_locations GROUP BY host");
    }
  }

  private static void query(Connection connection, String sql) throws SQLException {
    long[] nanos = new long[21];
    int rows = 0;
    for (int i = 0; i < nanos.length + 10; i++) {
      long begin = System.nanoTime();
      rows = 0;
      try (Statement statement = connection.createStatement();
          ResultSet results = statement.executeQuery(sql)) {
        while (results.next()) {
          rows++;
        }
      }
      if (i >= 10) {
        nanos[i - 10] = System.nanoTime() - begin;
      }
    }
    Arrays.sort(nanos);
    print(
        "%s: %d rows, median %.1f ms, worst of %d %.1f ms",
        sql, rows, nanos[nanos.length / 2] / 1e6, nanos.length, nanos[nanos.length - 1] / 1e6);
  }

  private static void print(String format, Object... arguments) {
    System.out.println(String.format(Locale.ROOT, format, arguments));
  }
}
