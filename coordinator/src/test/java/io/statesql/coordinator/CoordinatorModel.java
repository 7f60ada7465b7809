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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What a coordinator must do, in the plainest words: maps, and loops over all of them. */
final class CoordinatorModel {
  private static final class Row {
    StoreLocation location;
    String engine;
    long first = Long.MAX_VALUE;
    long last;
    long since;
    SnapshotUpload upload = SnapshotUpload.NONE;
  }

  private static final class Run {
    final int ordinal;
    long first = Long.MAX_VALUE;
    long latestVersion;
    boolean deactivated;
    long idleSince;

    Run(int ordinal, long idleSince) {
      this.ordinal = ordinal;
      this.idleSince = idleSince;
    }
  }

  private final CoordinatorSettings settings;
  private final TimeSource time;
  private final Map<StoreInstanceId, Row> rows = new LinkedHashMap<>();
  private final Map<String, Run> runs = new HashMap<>();
  private final Map<StoreLocation, Long> lastSeen = new HashMap<>();
  private int nextRun;

  CoordinatorModel(CoordinatorSettings settings, TimeSource time) {
    this.settings = settings;
    this.time = time;
  }

  private long now() {
    return time.monotonicMillis();
  }

  void expire() {
    Set<StoreLocation> lost = new HashSet<>();
    lastSeen.forEach(
        (location, seen) -> {
          if (now() - seen > settings.executorExpiry().toMillis()) {
            lost.add(location);
          }
        });
    lost.forEach(this::removeExecutor);
    List<String> forgotten = new ArrayList<>();
    runs.forEach(
        (id, run) -> {
          boolean idle = activeOf(id).isEmpty();
          if (idle && now() - run.idleSince > settings.runRetention().toMillis()) {
            forgotten.add(id);
          }
        });
    for (String run : forgotten) {
      runs.remove(run);
      rows.keySet().removeIf(id -> id.runId().equals(run));
    }
  }

  private List<StoreInstanceId> activeOf(String runId) {
    return rows.keySet().stream()
        .filter(id -> id.runId().equals(runId) && rows.get(id).location != null)
        .toList();
  }

  private Run run(String id) {
    return runs.computeIfAbsent(id, absent -> new Run(nextRun++, now()));
  }

  boolean report(StoreLocation location, InstanceReport report) {
    lastSeen.put(location, now());
    Run run = run(report.id().runId());
    if (run.deactivated) {
      return false;
    }
    Row row = rows.computeIfAbsent(report.id(), absent -> new Row());
    upload(row, run, report.lastUpload());
    long since = now() - report.ageMillis();
    boolean elsewhere = row.location != null && !row.location.equals(location);
    if (elsewhere && since < row.since) {
      return false;
    }
    row.since = location.equals(row.location) ? Math.max(row.since, since) : since;
    row.location = location;
    row.engine = report.engine();
    row.last = time.epochMillis();
    row.first = Math.min(row.first, time.epochMillis() - report.ageMillis());
    run.first = Math.min(run.first, since);
    return true;
  }

  private static boolean upload(Row row, Run run, SnapshotUpload upload) {
    if (upload.version() <= row.upload.version()) {
      return false;
    }
    row.upload = upload;
    run.latestVersion = Math.max(run.latestVersion, upload.version());
    return true;
  }

  boolean uploaded(StoreInstanceId id, SnapshotUpload upload) {
    Run run = run(id.runId());
    return !run.deactivated
        && upload.version() > 0
        && upload(rows.computeIfAbsent(id, absent -> new Row()), run, upload);
  }

  Optional<StoreLocation> location(LocationQuery query) {
    return rows.keySet().stream()
        .filter(id -> id.store().equals(query.store()) && rows.get(id).location != null)
        .filter(id -> query.runId().isEmpty() || query.runId().get().equals(id.runId()))
        .max(
            Comparator.<StoreInstanceId>comparingLong(id -> runs.get(id.runId()).first)
                .thenComparingLong(id -> runs.get(id.runId()).ordinal))
        .map(id -> rows.get(id).location);
  }

  int deactivate(String runId) {
    int active = activeOf(runId).size();
    rows.keySet().removeIf(id -> id.runId().equals(runId));
    Run run = run(runId);
    run.deactivated = true;
    run.idleSince = now();
    return active;
  }

  private void leave(StoreInstanceId id) {
    Row row = rows.get(id);
    row.location = null;
    if (row.upload.equals(SnapshotUpload.NONE)) {
      rows.remove(id);
    }
    if (activeOf(id.runId()).isEmpty()) {
      runs.get(id.runId()).idleSince = now();
    }
  }

  boolean withdraw(StoreLocation location, StoreInstanceId id) {
    Row row = rows.get(id);
    if (row == null || !location.equals(row.location)) {
      return false;
    }
    leave(id);
    return true;
  }

  void heartbeat(StoreLocation location) {
    lastSeen.put(location, now());
  }

  boolean removeExecutor(StoreLocation location) {
    for (StoreInstanceId id : List.copyOf(rows.keySet())) {
      withdraw(location, id);
    }
    return lastSeen.remove(location) != null;
  }

  List<LaggingStore> lagging(String runId, long latestVersion, boolean terminating) {
    Run run = runs.get(runId);
    if (run == null || run.deactivated) {
      return List.of();
    }
    run.latestVersion = Math.max(run.latestVersion, latestVersion);
    LagThresholds limits = settings.lagThresholds();
    return activeOf(runId).stream()
        .map(id -> new LaggingStore(id, rows.get(id).upload, 0))
        .filter(store -> latestVersion - store.lastUpload().version() > limits.versions())
        .filter(
            store ->
                terminating
                    || time.epochMillis() - store.lastUpload().timeMillis()
                        > limits.time().toMillis())
        .map(
            store ->
                new LaggingStore(
                    store.id(), store.lastUpload(), latestVersion - store.lastUpload().version()))
        .toList();
  }

  Set<StoreInstance> list(InstanceFilter filter) {
    Set<StoreInstance> found = new HashSet<>();
    rows.forEach(
        (id, row) -> {
          boolean wanted =
              filter.runIds().map(s -> s.contains(id.runId())).orElse(true)
                  && filter.operatorIds().map(s -> s.contains(id.store().operatorId())).orElse(true)
                  && filter
                      .partitionIds()
                      .map(s -> s.contains(id.store().partitionId()))
                      .orElse(true);
          if (row.location != null && wanted) {
            found.add(value(id, row));
          }
        });
    return found;
  }

  private StoreInstance value(StoreInstanceId id, Row row) {
    long latest = runs.get(id.runId()).latestVersion;
    return new StoreInstance(
        row.engine,
        id,
        Optional.empty(),
        row.location,
        row.first,
        row.last,
        row.upload.version() == 0 ? Optional.empty() : Optional.of(row.upload),
        latest == 0 ? OptionalLong.empty() : OptionalLong.of(latest - row.upload.version()));
  }
}
