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

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Sends random messages to a coordinator, and checks each answer against the model. The stores,
 * runs and executors are few, so that messages meet, and have a prefix of their own, so that
 * several of these can work on one coordinator.
 */
final class RandomMessages {
  private final String prefix;
  private final Random random;
  private final CoordinatorEndpoint coordinator;
  private final CoordinatorModel model;
  private StoreLocation lastLocation;
  private InstanceReport lastReport;

  RandomMessages(
      String prefix, long seed, CoordinatorEndpoint coordinator, CoordinatorModel model) {
    this.prefix = prefix;
    this.random = new Random(seed);
    this.coordinator = coordinator;
    this.model = model;
  }

  private String run() {
    return prefix + "run-" + random.nextInt(4);
  }

  private StoreLocation executor() {
    int number = random.nextInt(4);
    return new StoreLocation(prefix + "host-" + number / 2, "executor-" + number);
  }

  private StoreId store() {
    return new StoreId(
        prefix + "/checkpoint",
        "operator-" + random.nextInt(2),
        random.nextInt(3),
        StoreId.DEFAULT_NAME);
  }

  private StoreInstanceId id() {
    return new StoreInstanceId(store(), run());
  }

  private SnapshotUpload upload() {
    return random.nextInt(3) == 0
        ? SnapshotUpload.NONE
        : new SnapshotUpload(random.nextInt(200), 1_699_999_000_000L + random.nextInt(2_000_000));
  }

  private InstanceReport report() {
    long age = random.nextInt(3) == 0 ? random.nextInt(5_000) : 0;
    return new InstanceReport(id(), "engine-" + random.nextInt(2), null, age, upload());
  }

  /** Sends one message. */
  void send() {
    model.expire();
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> reportWithReply(executor(), report());
      case 3 -> {
        // The same report once more, perhaps long after it was sent first.
        if (lastReport != null) {
          reportWithReply(lastLocation, lastReport);
        }
        lastLocation = executor();
        lastReport = report();
      }
      case 4 -> reportBatch();
      case 5 -> {
        StoreInstanceId id = id();
        SnapshotUpload upload = upload();
        assertThat(coordinator.reportSnapshotUploaded(id, upload))
            .isEqualTo(model.uploaded(id, upload));
      }
      case 6 -> locate();
      case 7 -> {
        StoreLocation at = executor();
        StoreInstanceId id = id();
        assertThat(coordinator.withdrawInstances(at, List.of(id)))
            .isEqualTo(model.withdraw(at, id) ? 1 : 0);
      }
      case 8 -> {
        StoreLocation at = executor();
        coordinator.heartbeat(at);
        model.heartbeat(at);
      }
      case 9 -> lagging();
      case 10 -> list();
      default -> {
        if (random.nextInt(4) == 0) {
          String run = run();
          assertThat(coordinator.deactivateInstances(run)).isEqualTo(model.deactivate(run));
        } else if (random.nextInt(4) == 0) {
          StoreLocation at = executor();
          assertThat(coordinator.removeExecutor(at)).isEqualTo(model.removeExecutor(at));
        }
      }
    }
  }

  private void reportWithReply(StoreLocation at, InstanceReport report) {
    List<StoreInstanceId> others = List.of(id(), id());
    ReportReply reply = coordinator.reportActiveInstance(at, report, others);
    assertThat(reply.active()).isEqualTo(model.report(at, report));
    assertThat(reply.providerIdsToUnload())
        .isEqualTo(
            others.stream()
                .filter(
                    id ->
                        model
                            .location(LocationQuery.of(id))
                            .filter(other -> !other.equals(at))
                            .isPresent())
                .toList());
  }

  private void reportBatch() {
    StoreLocation at = executor();
    List<InstanceReport> reports = Stream.generate(this::report).limit(3).toList();
    coordinator.reportActiveInstances(at, reports);
    reports.forEach(report -> model.report(at, report));
  }

  private void locate() {
    LocationQuery one =
        random.nextBoolean() ? LocationQuery.of(id()) : LocationQuery.ofAnyRun(store());
    LocationQuery other = LocationQuery.ofAnyRun(store());
    assertThat(coordinator.getLocations(List.of(one, other)))
        .containsExactly(model.location(one), model.location(other));
    StoreInstanceId id = id();
    StoreLocation at = executor();
    boolean active =
        model
            .location(LocationQuery.of(id))
            .filter(location -> location.executorId().equals(at.executorId()))
            .isPresent();
    assertThat(coordinator.verifyIfInstanceActive(id, at.executorId())).isEqualTo(active);
  }

  private void lagging() {
    String run = run();
    boolean terminating = random.nextBoolean();
    List<LaggingStore> found = coordinator.getLaggingStores(run, 150, terminating);
    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(model.lagging(run, 150, terminating))
        .isSortedAccordingTo(
            (a, b) -> Long.compare(a.lastUpload().version(), b.lastUpload().version()));
  }

  /** Compares the rows of all runs that this sender knows. */
  void list() {
    Set<String> runs = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      runs.add(prefix + "run-" + i);
    }
    InstanceFilter all = new InstanceFilter(Optional.of(runs), Optional.empty(), Optional.empty());
    InstanceFilter some =
        new InstanceFilter(
            Optional.of(Set.of(run(), "unknown")),
            Optional.of(Set.of("operator-1")),
            Optional.of(Set.of(0, 2)));
    for (InstanceFilter filter : List.of(all, some)) {
      Set<StoreInstance> expected = model.list(filter);
      assertThat(coordinator.listInstances(filter)).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(coordinator.countInstances(filter)).isEqualTo(expected.size());
    }
  }
}
