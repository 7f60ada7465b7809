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
package io.statesql.benchmark.http;

import io.statesql.server.ServerConfig;
import io.statesql.server.StateSqlServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Gets single entries of random keys over HTTP at a fixed rate, from a server in the same process.
 * The time of a request counts from when it was due, so that one that waits behind others counts as
 * late.
 */
public final class HttpBenchmark {
  private static final String UID = "users";
  private static final List<String> STATES = List.of("profile", "total", "pages");
  private static final int RATE = 200;
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final Duration MEASURED = Duration.ofSeconds(60);
  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Random random = new Random(1);
  private final String url;
  private final long keys;
  private final List<String> states;

  private HttpBenchmark(String url, long keys, List<String> states) {
    this.url = url;
    this.keys = keys;
    this.states = states;
  }

  /** The arguments: a snapshot that {@code WriteSnapshot} wrote, and the number of its keys. */
  public static void main(String[] args) throws Exception {
    ServerConfig config =
        ServerConfig.read(
            null, Map.of("port", 0, "snapshots", List.of("shop=" + Path.of(args[0]))));
    try (StateSqlServer server = StateSqlServer.start(config)) {
      HttpBenchmark benchmark = new HttpBenchmark(server.url(), Long.parseLong(args[1]), STATES);
      benchmark.run("warm-up", WARM_UP);
      benchmark.run("measured", MEASURED);
    }
  }

  private void run(String round, Duration duration) throws InterruptedException {
    int count = (int) (duration.toSeconds() * RATE);
    long[] nanos = new long[count];
    AtomicInteger failures = new AtomicInteger();
    CountDownLatch open = new CountDownLatch(count);
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + i * NANOS_PER_SECOND / RATE;
      for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
        LockSupport.parkNanos(early);
      }
      int number = i;
      var unused =
          client
              .sendAsync(request(), HttpResponse.BodyHandlers.ofByteArray())
              .whenComplete(
                  (response, failure) -> {
                    nanos[number] = System.nanoTime() - due;
                    // A user without pages has no such entry.
                    if (failure != null
                        || (response.statusCode() != 200 && response.statusCode() != 404)) {
                      failures.incrementAndGet();
                    }
                    open.countDown();
                  });
    }
    open.await();
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%s: %,d requests at %d a second, %d failed; p50 %.2f ms, p90 %.2f ms, p99 %.2f ms, p99.9"
            + " %.2f ms, longest %.2f ms%n",
        round,
        count,
        RATE,
        failures.get(),
        millis(nanos, 0.5),
        millis(nanos, 0.9),
        millis(nanos, 0.99),
        millis(nanos, 0.999),
        millis(nanos, 1));
  }

  private static double millis(long[] sorted, double share) {
    int index = (int) Math.ceil(share * sorted.length) - 1;
    return sorted[index] / 1e6;
  }

  private HttpRequest request() {
    long key = random.nextLong(keys);
    String state = states.get(random.nextInt(states.size()));
    return HttpRequest.newBuilder(URI.create(url + "/state/shop/" + UID + "/" + key + "/" + state))
        .build();
  }
}
