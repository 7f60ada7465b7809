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

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The instances, the runs they belong to and the executors that have them.
 *
 * <p>One map leads from a store to its instance in some run; those of other runs hang on it as a
 * list, which is short because old runs are deactivated or lose their executors. What is needed
 * rarely (all instances of a run, of a lost executor, of a filter) walks the map, so that no
 * further index takes memory for each instance. {@link RegistryMemory} bounds what all of it takes.
 *
 * <p>An instance whose executor is gone stays, inactive, while a snapshot of it is known: the lag
 * of the store does not start anew when another executor takes it over.
 *
 * <p>Not thread-safe: {@link StoreCoordinator} lets one message in at a time.
 */
final class InstanceRegistry {
  /** Registrations of a restarted coordinator differ from those before. */
  private static final int REGISTRATIONS_OF_ONE_START = 1 << 20;

  private final CoordinatorSettings settings;
  private final TimeSource time;
  private final RegistryMemory memory;
  private final Map<StoreId, RegisteredInstance> instances = new HashMap<>();
  private final Map<String, RegisteredRun> runs = new HashMap<>();

  /** Runs without active instances, longest idle first. */
  private final Map<String, RegisteredRun> idleRuns = new LinkedHashMap<>();

  /** The one not heard of for longest comes first. */
  private final Map<StoreLocation, RegisteredExecutor> executors =
      new LinkedHashMap<>(16, 0.75f, true);

  private int instanceCount;
  private int activeCount;
  private long nextRun;
  private long nextRegistration;

  InstanceRegistry(CoordinatorSettings settings, TimeSource time) {
    this.settings = settings;
    this.time = time;
    this.memory = new RegistryMemory(settings.maxBytes());
    // JSON's numbers are exact up to 2^53.
    this.nextRegistration =
        (long) new SecureRandom().nextInt(Integer.MAX_VALUE) * REGISTRATIONS_OF_ONE_START;
  }

  /** Drops executors that were not heard of, and runs that need not be remembered any more. */
  void expire() {
    long now = time.monotonicMillis();
    boolean isRowLost = false;
    Iterator<RegisteredExecutor> oldest = executors.values().iterator();
    while (oldest.hasNext()) {
      RegisteredExecutor executor = oldest.next();
      if (now - executor.lastSeen <= settings.executorExpiry().toMillis()) {
        break;
      }
      executor.isLost = true;
      isRowLost |= executor.activeCount > 0;
      oldest.remove();
      forget(executor);
    }
    if (isRowLost) {
      matching(instance -> instance.isActive() && instance.executor.isLost)
          .forEach(this::leaveExecutor);
    }
    forgetRuns(now);
  }

  private void forgetRuns(long now) {
    boolean isRowLeft = false;
    Iterator<RegisteredRun> longest = idleRuns.values().iterator();
    while (longest.hasNext()) {
      RegisteredRun run = longest.next();
      if (now - run.idleSince <= settings.runRetention().toMillis()) {
        break;
      }
      longest.remove();
      runs.remove(run.id);
      memory.removeEntry();
      memory.release(run.id);
      isRowLeft |= run.latestVersion > 0;
    }
    if (isRowLeft) {
      matching(instance -> runs.get(instance.run.id) != instance.run).forEach(this::unlink);
    }
  }

  /**
   * Registers an instance or moves it.
   *
   * @return whether it is now active at the location
   */
  boolean report(StoreLocation location, InstanceReport report) {
    memory.requireRoomForTexts(report.engine(), report.vertexId());
    RegisteredExecutor executor = heard(location);
    RegisteredRun run = run(report.id().runId());
    if (run.isDeactivated) {
      return false;
    }
    RegisteredInstance instance = instance(report.id().store(), run);
    long since = time.monotonicMillis() - report.ageMillis();
    instance.accept(report.lastUpload());
    if (instance.isActive() && instance.executor != executor && since < instance.activeSince) {
      return false;
    }
    if (instance.executor == executor) {
      instance.activeSince = Math.max(instance.activeSince, since);
    } else {
      if (instance.isActive()) {
        instance.executor.activeCount--;
      } else {
        activeCount++;
        run.activeCount++;
        idleRuns.remove(run.id);
      }
      instance.executor = executor;
      executor.activeCount++;
      instance.activeSince = since;
    }
    instance.engine = replace(instance.engine, report.engine());
    instance.vertexId = replace(instance.vertexId, report.vertexId());
    long now = time.epochMillis();
    instance.lastReportMillis = now;
    instance.firstReportMillis = Math.min(instance.firstReportMillis, now - report.ageMillis());
    run.firstReport = Math.min(run.firstReport, since);
    return true;
  }

  private String replace(String before, String text) {
    String held = text == null ? null : memory.hold(text);
    memory.release(before);
    return held;
  }

  Optional<StoreLocation> location(StoreInstanceId id) {
    return Optional.ofNullable(active(id)).map(instance -> instance.executor.location);
  }

  /** Where the store is active in the run whose first report is newest. */
  Optional<StoreLocation> locationOfNewestRun(StoreId store) {
    RegisteredInstance newest = null;
    for (RegisteredInstance i = instances.get(store); i != null; i = i.next) {
      if (i.isActive() && (newest == null || i.run.isNewerThan(newest.run))) {
        newest = i;
      }
    }
    return Optional.ofNullable(newest).map(instance -> instance.executor.location);
  }

  /** Removes all of a run, and remembers that it was. Returns how many were active. */
  int deactivate(String runId) {
    RegisteredRun run = run(runId);
    int active = run.activeCount;
    if (active > 0 || run.latestVersion > 0) {
      for (RegisteredInstance instance : matching(instance -> instance.run == run)) {
        if (instance.isActive()) {
          deactivate(instance);
        }
        unlink(instance);
      }
    }
    run.isDeactivated = true;
    run.latestVersion = 0;
    idle(run);
    return active;
  }

  boolean uploaded(StoreInstanceId id, SnapshotUpload upload) {
    RegisteredRun run = run(id.runId());
    return upload.version() > 0 && !run.isDeactivated && instance(id.store(), run).accept(upload);
  }

  List<LaggingStore> lagging(String runId, long latestVersion, boolean terminating) {
    RegisteredRun run = runs.get(runId);
    if (run == null || run.isDeactivated) {
      return List.of();
    }
    run.latestVersion = Math.max(run.latestVersion, latestVersion);
    long now = time.epochMillis();
    List<LaggingStore> lagging = new ArrayList<>();
    forEachActive(
        instance -> {
          SnapshotUpload upload = instance.lastUpload();
          if (instance.run == run
              && settings.lagThresholds().isLagging(upload, latestVersion, now, terminating)) {
            lagging.add(new LaggingStore(instance.id(), upload, latestVersion - upload.version()));
          }
        });
    lagging.sort(
        Comparator.<LaggingStore>comparingLong(store -> store.lastUpload().version())
            .thenComparingLong(store -> store.lastUpload().timeMillis()));
    return lagging;
  }

  /** Whether the instance was active at the location, and is not any more. */
  boolean withdraw(StoreLocation location, StoreInstanceId id) {
    RegisteredInstance instance = active(id);
    if (instance == null || !instance.executor.location.equals(location)) {
      return false;
    }
    leaveExecutor(instance);
    return true;
  }

  /** Notes that an executor lives, and returns the number of its registration. */
  long heartbeat(StoreLocation location) {
    return heard(location).registration;
  }

  boolean removeExecutor(StoreLocation location) {
    RegisteredExecutor executor = executors.remove(location);
    if (executor == null) {
      return false;
    }
    if (executor.activeCount > 0) {
      matching(instance -> instance.executor == executor).forEach(this::leaveExecutor);
    }
    forget(executor);
    return true;
  }

  private void forget(RegisteredExecutor executor) {
    memory.removeEntry();
    memory.release(executor.location.host());
    memory.release(executor.location.executorId());
  }

  List<StoreInstance> list(InstanceFilter filter) {
    return values(find(filter), 0, Integer.MAX_VALUE);
  }

  /** The instances of a filter that are active now. */
  List<RegisteredInstance> find(InstanceFilter filter) {
    List<RegisteredInstance> found = new ArrayList<>();
    forEachMatch(filter, found::add);
    return found;
  }

  /** Some of those that were found, as they are now, without those that are active no more. */
  static List<StoreInstance> values(List<RegisteredInstance> found, int from, int count) {
    List<StoreInstance> values = new ArrayList<>();
    for (int i = from; i < found.size() && i - from < count; i++) {
      if (found.get(i).isActive()) {
        values.add(found.get(i).toValue());
      }
    }
    return values;
  }

  long count(InstanceFilter filter) {
    if (filter.equals(InstanceFilter.ALL)) {
      return activeCount;
    }
    long[] count = {0};
    forEachMatch(filter, instance -> count[0]++);
    return count[0];
  }

  private void forEachMatch(InstanceFilter filter, Consumer<RegisteredInstance> action) {
    forEachActive(
        instance -> {
          if (filter.acceptsStore(instance.store) && filter.acceptsRun(instance.run.id)) {
            action.accept(instance);
          }
        });
  }

  private void forEachActive(Consumer<RegisteredInstance> action) {
    for (RegisteredInstance first : instances.values()) {
      for (RegisteredInstance i = first; i != null; i = i.next) {
        if (i.isActive()) {
          action.accept(i);
        }
      }
    }
  }

  private RegisteredInstance active(StoreInstanceId id) {
    RegisteredInstance found = find(id.store(), id.runId());
    return found != null && found.isActive() ? found : null;
  }

  private RegisteredInstance find(StoreId store, String runId) {
    RegisteredInstance instance = instances.get(store);
    while (instance != null && !instance.run.id.equals(runId)) {
      instance = instance.next;
    }
    return instance;
  }

  private RegisteredInstance instance(StoreId store, RegisteredRun run) {
    RegisteredInstance found = find(store, run.id);
    if (found != null) {
      return found;
    }
    if (instanceCount >= settings.maxInstances()) {
      throw new RegistryFullException("instances", settings.maxInstances());
    }
    memory.requireRoomForEntry(store.checkpointLocation(), store.operatorId(), store.storeName());
    memory.addEntry();
    StoreId shared =
        new StoreId(
            memory.hold(store.checkpointLocation()),
            memory.hold(store.operatorId()),
            store.partitionId(),
            memory.hold(store.storeName()));
    RegisteredInstance first = instances.get(store);
    RegisteredInstance made = new RegisteredInstance(first == null ? shared : first.store, run);
    made.next = first;
    instances.put(made.store, made);
    instanceCount++;
    return made;
  }

  private RegisteredRun run(String id) {
    RegisteredRun known = runs.get(id);
    if (known != null) {
      return known;
    }
    if (runs.size() >= settings.maxInstances()) {
      throw new RegistryFullException("runs", settings.maxInstances());
    }
    memory.requireRoomForEntry(id);
    memory.addEntry();
    RegisteredRun run = new RegisteredRun(memory.hold(id), nextRun++);
    runs.put(run.id, run);
    idle(run);
    return run;
  }

  private RegisteredExecutor heard(StoreLocation location) {
    RegisteredExecutor executor = executors.get(location);
    if (executor == null) {
      if (executors.size() >= settings.maxInstances()) {
        throw new RegistryFullException("executors", settings.maxInstances());
      }
      memory.requireRoomForEntry(location.host(), location.executorId());
      memory.addEntry();
      StoreLocation held =
          new StoreLocation(memory.hold(location.host()), memory.hold(location.executorId()));
      executor = new RegisteredExecutor(held, nextRegistration++);
      executors.put(held, executor);
    }
    executor.lastSeen = time.monotonicMillis();
    return executor;
  }

  private void idle(RegisteredRun run) {
    run.idleSince = time.monotonicMillis();
    idleRuns.remove(run.id);
    idleRuns.put(run.id, run);
  }

  /** Takes an active instance from its executor; what was uploaded of it stays known. */
  private void leaveExecutor(RegisteredInstance instance) {
    deactivate(instance);
    if (instance.snapshotVersion == 0) {
      unlink(instance);
    }
  }

  private void deactivate(RegisteredInstance instance) {
    instance.executor.activeCount--;
    instance.executor = null;
    activeCount--;
    if (--instance.run.activeCount == 0) {
      idle(instance.run);
    }
  }

  private void unlink(RegisteredInstance instance) {
    RegisteredInstance first = instances.get(instance.store);
    if (first == instance) {
      if (instance.next == null) {
        instances.remove(instance.store);
      } else {
        instances.put(instance.store, instance.next);
      }
    } else {
      RegisteredInstance before = first;
      while (before.next != instance) {
        before = before.next;
      }
      before.next = instance.next;
    }
    instance.next = null;
    instanceCount--;
    memory.removeEntry();
    memory.release(instance.store.checkpointLocation());
    memory.release(instance.store.operatorId());
    memory.release(instance.store.storeName());
    instance.engine = replace(instance.engine, null);
    instance.vertexId = replace(instance.vertexId, null);
  }

  /** How much memory all of it takes, roughly. */
  long bytes() {
    return memory.bytes();
  }

  /** Collected first, because what is done with them changes the map. */
  private List<RegisteredInstance> matching(Predicate<RegisteredInstance> condition) {
    List<RegisteredInstance> found = new ArrayList<>();
    for (RegisteredInstance first : instances.values()) {
      for (RegisteredInstance i = first; i != null; i = i.next) {
        if (condition.test(i)) {
          found.add(i);
        }
      }
    }
    return found;
  }
}
