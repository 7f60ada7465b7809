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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coordinator in this process. Messages are handled one after another, each as a whole; those
 * of any thread see what was done before. Each is logged in one line at DEBUG.
 */
public final class StoreCoordinator implements CoordinatorEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(StoreCoordinator.class);

  /** Few enough that other messages need not wait long for a page. */
  private static final int PAGE_ROWS = 500;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final InstanceRegistry registry;

  @GuardedBy("lock")
  private boolean isStopped;

  public StoreCoordinator(CoordinatorSettings settings) {
    this(settings, TimeSource.SYSTEM);
  }

  public StoreCoordinator(CoordinatorSettings settings, TimeSource time) {
    this.registry = new InstanceRegistry(settings, time);
  }

  @Override
  public void reportActiveInstance(StoreLocation location, InstanceReport report) {
    synchronized (lock) {
      boolean active = open().report(location, report);
      LOG.debug("ReportActiveInstance {} at {}: {}", report.id(), location, activeOrNot(active));
    }
  }

  @Override
  public ReportReply reportActiveInstance(
      StoreLocation location, InstanceReport report, List<StoreInstanceId> providerIdsToCheck) {
    synchronized (lock) {
      boolean active = open().report(location, report);
      List<StoreInstanceId> elsewhere = new ArrayList<>();
      for (StoreInstanceId id : providerIdsToCheck) {
        if (registry.location(id).filter(other -> !other.equals(location)).isPresent()) {
          elsewhere.add(id);
        }
      }
      LOG.debug(
          "ReportActiveInstance {} at {}: {}, to unload {}",
          report.id(),
          location,
          activeOrNot(active),
          elsewhere);
      return new ReportReply(active, elsewhere);
    }
  }

  @Override
  public void reportActiveInstances(StoreLocation location, List<InstanceReport> reports) {
    synchronized (lock) {
      open();
      int active = 0;
      for (InstanceReport report : reports) {
        if (registry.report(location, report)) {
          active++;
        }
      }
      LOG.debug("ReportActiveInstances {} at {}: {} active", reports.size(), location, active);
    }
  }

  private static Object orNone(Optional<StoreLocation> location) {
    return location.isPresent() ? location.get() : "none";
  }

  private static String activeOrNot(boolean active) {
    return active ? "active" : "ignored";
  }

  @Override
  public boolean verifyIfInstanceActive(StoreInstanceId id, String executorId) {
    synchronized (lock) {
      boolean active =
          open().location(id).filter(at -> at.executorId().equals(executorId)).isPresent();
      LOG.debug("VerifyIfInstanceActive {} at executor {}: {}", id, executorId, active);
      return active;
    }
  }

  @Override
  public Optional<StoreLocation> getLocation(LocationQuery query) {
    synchronized (lock) {
      open();
      Optional<StoreLocation> location = locate(query);
      LOG.debug("GetLocation {}: {}", query, orNone(location));
      return location;
    }
  }

  @Override
  public List<Optional<StoreLocation>> getLocations(List<LocationQuery> queries) {
    synchronized (lock) {
      open();
      List<Optional<StoreLocation>> locations = new ArrayList<>(queries.size());
      for (LocationQuery query : queries) {
        locations.add(locate(query));
      }
      if (LOG.isDebugEnabled()) {
        LOG.debug(
            "GetLocations {}: {}",
            queries,
            locations.stream().map(StoreCoordinator::orNone).toList());
      }
      return locations;
    }
  }

  @GuardedBy("lock")
  private Optional<StoreLocation> locate(LocationQuery query) {
    return query.runId().isPresent()
        ? registry.location(new StoreInstanceId(query.store(), query.runId().get()))
        : registry.locationOfNewestRun(query.store());
  }

  @Override
  public int deactivateInstances(String runId) {
    Checks.text("runId", runId, Checks.MAX_NAME);
    synchronized (lock) {
      int deactivated = open().deactivate(runId);
      LOG.debug("DeactivateInstances {}: {}", runId, deactivated);
      return deactivated;
    }
  }

  @Override
  public boolean reportSnapshotUploaded(StoreInstanceId id, SnapshotUpload upload) {
    synchronized (lock) {
      boolean kept = open().uploaded(id, upload);
      LOG.debug(
          "ReportSnapshotUploaded {} version {}: {}",
          id,
          upload.version(),
          kept ? "kept" : "ignored");
      return kept;
    }
  }

  @Override
  public List<LaggingStore> getLaggingStores(
      String runId, long latestVersion, boolean terminating) {
    Checks.notNegative("latestVersion", latestVersion);
    synchronized (lock) {
      List<LaggingStore> lagging = open().lagging(runId, latestVersion, terminating);
      LOG.debug("GetLaggingStores {} at version {}: {}", runId, latestVersion, lagging.size());
      return lagging;
    }
  }

  @Override
  public int withdrawInstances(StoreLocation location, List<StoreInstanceId> ids) {
    synchronized (lock) {
      open();
      int withdrawn = 0;
      for (StoreInstanceId id : ids) {
        if (registry.withdraw(location, id)) {
          withdrawn++;
        }
      }
      LOG.debug("WithdrawInstances {} at {}: {}", ids, location, withdrawn);
      return withdrawn;
    }
  }

  @Override
  public long heartbeat(StoreLocation location) {
    synchronized (lock) {
      long registration = open().heartbeat(location);
      LOG.debug("Heartbeat {}: registration {}", location, registration);
      return registration;
    }
  }

  @Override
  public boolean removeExecutor(StoreLocation location) {
    synchronized (lock) {
      boolean removed = open().removeExecutor(location);
      LOG.debug("RemoveExecutor {}: {}", location, removed);
      return removed;
    }
  }

  @Override
  public List<StoreInstance> listInstances(InstanceFilter filter) {
    synchronized (lock) {
      List<StoreInstance> rows = open().list(filter);
      LOG.debug("ListInstances {}: {}", filter, rows.size());
      return rows;
    }
  }

  @Override
  public Iterator<List<StoreInstance>> pageInstances(InstanceFilter filter) {
    List<RegisteredInstance> found;
    synchronized (lock) {
      found = open().find(filter);
      LOG.debug("ListInstances {}: {}", filter, found.size());
    }
    return new Pages(found);
  }

  private final class Pages implements Iterator<List<StoreInstance>> {
    private final List<RegisteredInstance> found;
    private int position;

    Pages(List<RegisteredInstance> found) {
      this.found = found;
    }

    @Override
    public boolean hasNext() {
      return position < found.size();
    }

    @Override
    public List<StoreInstance> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      synchronized (lock) {
        List<StoreInstance> page = InstanceRegistry.values(found, position, PAGE_ROWS);
        position += PAGE_ROWS;
        return page;
      }
    }
  }

  @Override
  public long countInstances(InstanceFilter filter) {
    synchronized (lock) {
      long count = open().count(filter);
      LOG.debug("CountInstances {}: {}", filter, count);
      return count;
    }
  }

  @Override
  public void stopCoordinator() {
    synchronized (lock) {
      open();
      isStopped = true;
      LOG.debug("StopCoordinator: stopped");
    }
  }

  /** The registry as it is now. */
  @GuardedBy("lock")
  private InstanceRegistry open() {
    if (isStopped) {
      throw new CoordinatorStoppedException();
    }
    registry.expire();
    return registry;
  }
}
