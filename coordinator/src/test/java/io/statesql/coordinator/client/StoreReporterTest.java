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
package io.statesql.coordinator.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.InstanceFilter;
import io.statesql.coordinator.SnapshotUpload;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstance;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreReporterTest {
  private static final StoreLocation LOCATION = new StoreLocation("host", "1");
  private static final ReporterOptions OPTIONS =
      ReporterOptions.DEFAULT.withHeartbeatInterval(Duration.ofMillis(20));

  private volatile StoreCoordinator coordinator = new StoreCoordinator(CoordinatorSettings.DEFAULT);
  private volatile boolean isAway;
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  /** The coordinator as it is now, unless it is away; waits at the gate first. */
  private final CoordinatorEndpoint network =
      (CoordinatorEndpoint)
          Proxy.newProxyInstance(
              CoordinatorEndpoint.class.getClassLoader(),
              new Class<?>[] {CoordinatorEndpoint.class},
              (proxy, method, arguments) -> {
                waiting.incrementAndGet();
                try {
                  gate.await();
                } finally {
                  waiting.decrementAndGet();
                }
                if (isAway) {
                  refused.incrementAndGet();
                  throw new CoordinatorUnavailableException("The coordinator is away.", null);
                }
                try {
                  return method.invoke(coordinator, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  private static StoreInstanceId id(int partition) {
    return new StoreInstanceId(new StoreId("/c", "0", partition, StoreId.DEFAULT_NAME), "run");
  }

  private Set<Integer> registered() {
    return coordinator.listInstances(InstanceFilter.ALL).stream()
        .map(instance -> instance.id().store().partitionId())
        .collect(Collectors.toSet());
  }

  private static Set<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().collect(Collectors.toSet());
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time to wait").isLessThan(end);
      Thread.sleep(5);
    }
  }

  @Test
  void reportsAndWithdraws() throws Exception {
    try (StoreReporter reporter = new StoreReporter(network, LOCATION, OPTIONS)) {
      IntStream.range(0, 3000).forEach(i -> reporter.active(id(i), "flink", "vertex"));
      reporter.uploaded(id(0), new SnapshotUpload(3, 1000));
      reporter.uploaded(id(-1 >>> 1), new SnapshotUpload(3, 1000));
      await(() -> registered().equals(range(0, 3000)));
      IntStream.range(1, 3000).forEach(i -> reporter.inactive(id(i)));
      await(() -> registered().equals(range(0, 1)));
      StoreInstance left = coordinator.listInstances(InstanceFilter.ALL).get(0);
      assertThat(left.engine()).isEqualTo("flink");
      assertThat(left.vertexId()).contains("vertex");
      assertThat(left.location()).isEqualTo(LOCATION);
      assertThat(left.lastUpload()).contains(new SnapshotUpload(3, 1000));
    }
    assertThat(registered()).as("after closing").isEmpty();
  }

  @Test
  void restartedCoordinatorFillsFromTheNextHeartbeat() throws Exception {
    try (StoreReporter reporter = new StoreReporter(network, LOCATION, OPTIONS)) {
      IntStream.range(0, 2500).forEach(i -> reporter.active(id(i), "flink", null));
      await(() -> registered().size() == 2500);
      coordinator = new StoreCoordinator(CoordinatorSettings.DEFAULT);
      await(() -> registered().equals(range(0, 2500)));
    }
  }

  @Test
  void whatHappensWhileTheCoordinatorIsAwayIsMadeGood() throws Exception {
    try (StoreReporter reporter = new StoreReporter(network, LOCATION, OPTIONS)) {
      IntStream.range(0, 10).forEach(i -> reporter.active(id(i), "flink", null));
      await(() -> registered().size() == 10);
      isAway = true;
      IntStream.range(10, 20).forEach(i -> reporter.active(id(i), "flink", null));
      IntStream.range(0, 5).forEach(i -> reporter.inactive(id(i)));
      // More than one message that tells of them is lost.
      int before = refused.get();
      await(() -> refused.get() > before + 2);
      isAway = false;
      await(() -> registered().equals(range(5, 20)));
    }
  }

  @Test
  void taskNeverWaitsAndWhatDoesNotFitIsCountedAndMadeGood() throws Exception {
    ReporterOptions small = OPTIONS.withQueueCapacity(10);
    try (StoreReporter reporter = new StoreReporter(network, LOCATION, small)) {
      reporter.active(id(0), "flink", null);
      await(() -> registered().size() == 1);
      gate = new CountDownLatch(1);
      await(() -> waiting.get() > 0);
      // Would never return if one of them waited: the gate opens only after them.
      IntStream.range(0, 1000).forEach(i -> reporter.active(id(i), "flink", null));
      IntStream.range(0, 500).forEach(i -> reporter.inactive(id(i)));
      // The first report may stand in the queue of ten still, for a heartbeat brought it, too.
      assertThat(reporter.dropped()).isBetween(1_490L, 1_491L);
      gate.countDown();
      await(() -> registered().equals(range(500, 1000)));
    }
  }

  @Test
  void closingDoesNotWaitForACoordinatorThatHangs() throws Exception {
    StoreReporter reporter = new StoreReporter(network, LOCATION, OPTIONS);
    gate = new CountDownLatch(1);
    await(() -> waiting.get() > 0);
    reporter.close();
    assertThat(gate.getCount()).isOne();
    gate.countDown();
  }
}
