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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StoreCoordinatorTest {
  private static final StoreLocation FIRST = new StoreLocation("host-1", "1");
  private static final StoreLocation SECOND = new StoreLocation("host-2", "2");
  private static final StoreId STORE = new StoreId("/checkpoint", "0", 3, StoreId.DEFAULT_NAME);
  private static final StoreInstanceId ID = new StoreInstanceId(STORE, "run-1");
  private static final StoreInstanceId NEXT_RUN = new StoreInstanceId(STORE, "run-2");

  private final FakeTime time = new FakeTime();
  private final StoreCoordinator coordinator =
      new StoreCoordinator(CoordinatorSettings.DEFAULT, time);

  private void report(StoreLocation at, StoreInstanceId id) {
    coordinator.reportActiveInstance(at, InstanceReport.now(id, "spark"));
  }

  @Test
  void reportMovesAnInstance() {
    report(FIRST, ID);
    report(SECOND, ID);
    assertThat(coordinator.getLocation(LocationQuery.of(ID))).contains(SECOND);
    assertThat(coordinator.verifyIfInstanceActive(ID, "1")).isFalse();
    assertThat(coordinator.verifyIfInstanceActive(ID, "2")).isTrue();
    assertThat(coordinator.countInstances(InstanceFilter.ALL)).isEqualTo(1);
  }

  @Test
  void lateReportDoesNotTakeAnInstanceBack() {
    report(FIRST, ID);
    time.pass(100);
    report(SECOND, ID);
    time.pass(100);
    coordinator.reportActiveInstance(
        FIRST, new InstanceReport(ID, "spark", null, 200, SnapshotUpload.NONE));
    assertThat(coordinator.getLocation(LocationQuery.of(ID))).contains(SECOND);
  }

  @Test
  void replyNamesWhatIsActiveElsewhere() {
    StoreInstanceId other =
        new StoreInstanceId(new StoreId("/checkpoint", "0", 4, StoreId.DEFAULT_NAME), "run-1");
    report(FIRST, other);
    report(SECOND, other);
    ReportReply reply =
        coordinator.reportActiveInstance(
            FIRST, InstanceReport.now(ID, "spark"), List.of(other, NEXT_RUN));
    assertThat(reply.active()).isTrue();
    assertThat(reply.providerIdsToUnload()).containsExactly(other);
  }

  @Test
  void locationWithoutARunIsThatOfTheNewestRun() {
    report(FIRST, ID);
    time.pass(10);
    report(SECOND, NEXT_RUN);
    time.pass(10);
    report(FIRST, ID);
    assertThat(coordinator.getLocation(LocationQuery.ofAnyRun(STORE))).contains(SECOND);
    coordinator.deactivateInstances("run-2");
    assertThat(coordinator.getLocation(LocationQuery.ofAnyRun(STORE))).contains(FIRST);
  }

  @Test
  void deactivatedRunStaysSoForTheRetentionTime() {
    report(FIRST, ID);
    assertThat(coordinator.deactivateInstances("run-1")).isEqualTo(1);
    time.pass(CoordinatorSettings.DEFAULT.runRetention().toMillis());
    report(FIRST, ID);
    assertThat(coordinator.getLocation(LocationQuery.of(ID))).isEmpty();
    time.pass(1);
    report(FIRST, ID);
    assertThat(coordinator.getLocation(LocationQuery.of(ID))).contains(FIRST);
  }

  @Test
  void lostExecutorLosesItsRows() {
    report(FIRST, ID);
    report(SECOND, NEXT_RUN);
    long registration = coordinator.heartbeat(FIRST);
    time.pass(20_000);
    assertThat(coordinator.heartbeat(SECOND)).isNotEqualTo(registration);
    time.pass(10_001);
    assertThat(coordinator.listInstances(InstanceFilter.ALL))
        .extracting(StoreInstance::location)
        .containsExactly(SECOND);
    assertThat(coordinator.heartbeat(FIRST)).isNotEqualTo(registration);
  }

  @Test
  void snapshotIsRememberedWhenAnotherExecutorTakesOver() {
    report(FIRST, ID);
    assertThat(coordinator.reportSnapshotUploaded(ID, new SnapshotUpload(7, 1000))).isTrue();
    assertThat(coordinator.reportSnapshotUploaded(ID, new SnapshotUpload(7, 2000))).isFalse();
    assertThat(coordinator.reportSnapshotUploaded(ID, new SnapshotUpload(6, 3000))).isFalse();
    coordinator.removeExecutor(FIRST);
    assertThat(coordinator.countInstances(InstanceFilter.ALL)).isZero();
    report(SECOND, ID);
    assertThat(coordinator.listInstances(InstanceFilter.ALL))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.lastUpload()).contains(new SnapshotUpload(7, 1000));
              assertThat(row.lag()).isEqualTo(OptionalLong.of(0));
            });
  }

  @Test
  void storeLagsWhenItIsBehindInVersionsAndInTime() {
    report(FIRST, ID);
    coordinator.reportSnapshotUploaded(ID, new SnapshotUpload(100, time.epochMillis()));
    assertThat(coordinator.getLaggingStores("run-1", 151, false)).isEmpty();
    assertThat(coordinator.getLaggingStores("run-1", 151, true)).hasSize(1);
    time.pass(20_000);
    coordinator.heartbeat(FIRST);
    time.pass(29_000);
    for (int i = 0; i < 20; i++) {
      coordinator.heartbeat(FIRST);
      time.pass(29_000);
    }
    assertThat(coordinator.getLaggingStores("run-1", 150, false)).isEmpty();
    assertThat(coordinator.getLaggingStores("run-1", 151, false))
        .singleElement()
        .satisfies(store -> assertThat(store.versionsBehind()).isEqualTo(51));
  }

  @Test
  void storeWithoutASnapshotLagsFromVersionZero() {
    report(FIRST, ID);
    assertThat(coordinator.getLaggingStores("run-1", 50, false)).isEmpty();
    assertThat(coordinator.getLaggingStores("run-1", 51, false)).hasSize(1);
  }

  @Test
  void stoppedCoordinatorSaysSo() {
    coordinator.stopCoordinator();
    assertThatThrownBy(() -> report(FIRST, ID))
        .isInstanceOf(CoordinatorStoppedException.class)
        .hasMessageContaining("stopped");
    assertThatThrownBy(coordinator::stopCoordinator)
        .isInstanceOf(CoordinatorStoppedException.class);
  }

  @Test
  void fullRegistryRefusesAndKeepsWhatItHas() {
    StoreCoordinator small =
        new StoreCoordinator(CoordinatorSettings.DEFAULT.withMaxInstances(1), time);
    small.reportActiveInstance(FIRST, InstanceReport.now(ID, "spark"));
    InstanceReport other =
        InstanceReport.now(
            new StoreInstanceId(new StoreId("/other", "0", 0, StoreId.DEFAULT_NAME), "run-1"),
            "spark");
    assertThatThrownBy(() -> small.reportActiveInstance(FIRST, other))
        .isInstanceOf(RegistryFullException.class)
        .hasMessageContaining("1 instances");
    assertThat(small.getLocation(LocationQuery.of(ID))).contains(FIRST);
  }

  /** They need no room that they do not have. */
  @Test
  void knownInstancesAreReportedToAFullRegistryToo() {
    InstanceRegistry registry =
        new InstanceRegistry(CoordinatorSettings.DEFAULT.withMaxBytes(1 << 14), time);
    registry.report(FIRST, InstanceReport.now(ID, "spark"));
    assertThatThrownBy(
            () -> {
              for (int run = 2; ; run++) {
                registry.uploaded(
                    new StoreInstanceId(STORE, "run-" + run), new SnapshotUpload(1, 1));
              }
            })
        .isInstanceOf(RegistryFullException.class);

    assertThat(registry.report(FIRST, InstanceReport.now(ID, "spark"))).isTrue();
    assertThat(registry.uploaded(ID, new SnapshotUpload(7, 1))).isTrue();
    assertThatThrownBy(() -> registry.report(FIRST, InstanceReport.now(ID, "x".repeat(256))))
        .isInstanceOf(RegistryFullException.class);
    assertThat(registry.heartbeat(FIRST)).isEqualTo(registry.heartbeat(FIRST));
  }

  /** Whoever sends ids of its own all the time, and never the same, ends at the limit. */
  @Test
  void floodOfIdsTakesAShareOfTheMemoryAndIsForgotten() {
    long limit = 1 << 20;
    InstanceRegistry registry =
        new InstanceRegistry(CoordinatorSettings.DEFAULT.withMaxBytes(limit), time);
    int taken = 0;
    try {
      for (; ; taken++) {
        String location = "/" + "x".repeat(4000) + taken;
        StoreId store = new StoreId(location, "0", 0, StoreId.DEFAULT_NAME);
        registry.uploaded(new StoreInstanceId(store, "run-" + taken), new SnapshotUpload(1, 1));
      }
    } catch (RegistryFullException full) {
      assertThat(full).hasMessageContaining("holds 1 MB, which is its limit");
    }
    assertThat(taken).isBetween(50, 200);
    assertThat(registry.bytes()).isBetween(limit / 2, limit);

    time.pass(CoordinatorSettings.DEFAULT.runRetention().toMillis() + 1);
    registry.expire();
    assertThat(registry.bytes()).isZero();
  }

  @Test
  void whatIsGoneTakesNoMemory() {
    InstanceRegistry registry = new InstanceRegistry(CoordinatorSettings.DEFAULT, time);
    for (int i = 0; i < 10; i++) {
      StoreInstanceId id =
          new StoreInstanceId(new StoreId("/c", "0", i, StoreId.DEFAULT_NAME), "run");
      registry.report(FIRST, InstanceReport.now(id, "spark"));
      registry.report(SECOND, InstanceReport.now(id, "flink"));
    }
    registry.removeExecutor(FIRST);
    registry.removeExecutor(SECOND);
    registry.deactivate("run");
    time.pass(CoordinatorSettings.DEFAULT.runRetention().toMillis() + 1);
    registry.expire();
    assertThat(registry.bytes()).isZero();
  }

  @Test
  void pagesHaveWhatIsStillActive() {
    for (int i = 0; i < 1200; i++) {
      report(FIRST, new StoreInstanceId(new StoreId("/c", "0", i, StoreId.DEFAULT_NAME), "run"));
    }
    Iterator<List<StoreInstance>> pages = coordinator.pageInstances(InstanceFilter.ALL);
    List<StoreInstance> rows = new ArrayList<>(pages.next());
    assertThat(rows).hasSize(500);
    coordinator.removeExecutor(FIRST);

    pages.forEachRemaining(rows::addAll);
    assertThat(rows).hasSize(500);
  }

  @Test
  void idsOfWrongFormAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StoreId("/c", "", 0, "s"))
        .withMessage("operatorId must have 1 to 256 characters, not 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StoreId("/c\nd", "0", 0, "s"))
        .withMessageContaining("control characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StoreId("/c", "0", -1, "s"))
        .withMessageContaining("partitionId must not be negative");
  }
}
