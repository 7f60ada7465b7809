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
package io.statesql.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random sequences of messages against {@link CoordinatorModel}. */
class RegistryModelTest {
  private static final CoordinatorSettings SETTINGS =
      CoordinatorSettings.DEFAULT
          .withExecutorExpiry(Duration.ofSeconds(10))
          .withRunRetention(Duration.ofSeconds(40));

  /** Where the seeds of the long run begin. */
  private static final long SEED = Long.getLong("statesql.seed", 1_000);

  private final FakeTime time = new FakeTime();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void answersAsTheModel(long seed) {
    CoordinatorModel model = new CoordinatorModel(SETTINGS, time);
    StoreCoordinator coordinator = new StoreCoordinator(SETTINGS, time);
    RandomMessages messages = new RandomMessages("", seed, coordinator, model);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      time.pass(random.nextInt(20) == 0 ? random.nextInt(12_000) : random.nextInt(100));
      messages.send();
    }
    model.expire();
    messages.list();
  }

  static LongStream manySeeds() {
    return LongStream.range(SEED, SEED + 300);
  }

  @Tag("proof")
  @ParameterizedTest
  @MethodSource("manySeeds")
  void answersAsTheModelOverManySequences(long seed) {
    answersAsTheModel(seed);
  }

  @Test
  void answersAsTheModelToManyThreadsAtOnce() throws Exception {
    StoreCoordinator coordinator = new StoreCoordinator(SETTINGS, time);
    int threads = 8;
    List<CoordinatorModel> models = new ArrayList<>();
    List<RandomMessages> senders = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      CoordinatorModel model = new CoordinatorModel(SETTINGS, time);
      models.add(model);
      senders.add(new RandomMessages("sender-" + i + "-", i, coordinator, model));
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < 20; round++) {
        List<Future<?>> running = new ArrayList<>();
        for (RandomMessages sender : senders) {
          running.add(
              pool.submit(
                  () -> {
                    for (int i = 0; i < 500; i++) {
                      sender.send();
                    }
                  }));
        }
        for (Future<?> sender : running) {
          sender.get();
        }
        long expected = 0;
        for (CoordinatorModel model : models) {
          model.expire();
          expected += model.list(InstanceFilter.ALL).size();
        }
        assertThat(coordinator.countInstances(InstanceFilter.ALL)).isEqualTo(expected);
        assertThat(coordinator.listInstances(InstanceFilter.ALL)).hasSize((int) expected);
        time.pass(round % 3 == 0 ? 11_000 : 3_000);
      }
    } finally {
      pool.shutdownNow();
    }
    for (int i = 0; i < threads; i++) {
      models.get(i).expire();
      senders.get(i).list();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void reportsOfAllExecutorsInAnyOrderRestoreARestartedRegistry(long seed) {
    Random random = new Random(seed);
    StoreCoordinator before = new StoreCoordinator(CoordinatorSettings.EMBEDDED, time);
    // Who loaded what and when, as each executor remembers it.
    record Loaded(StoreLocation location, StoreInstanceId id, long at) {}
    List<Loaded> loaded = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      time.pass(1 + random.nextInt(10));
      StoreLocation location = new StoreLocation("host", "executor-" + random.nextInt(5));
      StoreInstanceId id =
          new StoreInstanceId(
              new StoreId("/c", "0", random.nextInt(20), StoreId.DEFAULT_NAME),
              "run-" + random.nextInt(2));
      before.reportActiveInstance(location, InstanceReport.now(id, "spark"));
      loaded.removeIf(old -> old.location().equals(location) && old.id().equals(id));
      loaded.add(new Loaded(location, id, time.monotonicMillis()));
    }
    Set<StoreInstance> rows = Set.copyOf(before.listInstances(InstanceFilter.ALL));

    time.pass(5_000);
    StoreCoordinator after = new StoreCoordinator(CoordinatorSettings.EMBEDDED, time);
    List<Loaded> sent = new ArrayList<>(loaded);
    sent.addAll(loaded.subList(0, loaded.size() / 2));
    Collections.shuffle(sent, random);
    for (Loaded again : sent) {
      time.pass(random.nextInt(3));
      after.reportActiveInstance(
          again.location(),
          new InstanceReport(
              again.id(), "spark", null, time.monotonicMillis() - again.at(), SnapshotUpload.NONE));
    }

    assertThat(after.listInstances(InstanceFilter.ALL))
        .hasSameSizeAs(rows)
        .allSatisfy(
            row ->
                assertThat(rows)
                    .anySatisfy(
                        old -> {
                          assertThat(row.id()).isEqualTo(old.id());
                          assertThat(row.location()).isEqualTo(old.location());
                        }));
  }
}
