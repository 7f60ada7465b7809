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

import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.coordinator.CoordinatorException;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.SnapshotUpload;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a coordinator what an executor has loaded, without ever making a task wait or fail: what a
 * task says is noted, and a thread of the reporter's own sends it, many changes in one message.
 * Safe for use by many threads.
 *
 * <p>The truth is the map of what is loaded. The queue holds only the ids whose entry changed, and
 * what is sent is the entry as it is by then, with its age. So a message that is lost, be it that
 * the queue was full or the coordinator away, is made good by reporting the whole map with the next
 * heartbeat that succeeds. The same is done when the coordinator answers a heartbeat with another
 * registration, which means that it lost what it knew. Only where a withdrawal was lost, the
 * executor is removed first.
 */
public final class StoreReporter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreReporter.class);

  private final CoordinatorEndpoint coordinator;
  private final StoreLocation location;
  private final ReporterOptions options;
  private final Map<StoreInstanceId, Loaded> loaded = new ConcurrentHashMap<>();
  private final BlockingQueue<StoreInstanceId> changed;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicBoolean isDropLogged = new AtomicBoolean();
  private final AtomicBoolean isReportLost = new AtomicBoolean();
  private final AtomicBoolean isWithdrawalLost = new AtomicBoolean();
  private final Thread thread;
  private volatile boolean isClosed;
  private boolean isFailureLogged;
  private long registration = -1;

  /** What is known of a loaded instance. */
  private record Loaded(String engine, String vertexId, long sinceNanos, SnapshotUpload upload) {}

  /**
   * Starts to send heartbeats.
   *
   * @param coordinator is not closed by this
   * @param location the executor that the reports are about
   */
  public StoreReporter(
      CoordinatorEndpoint coordinator, StoreLocation location, ReporterOptions options) {
    this.coordinator = coordinator;
    this.location = location;
    this.options = options;
    this.changed = new ArrayBlockingQueue<>(options.queueCapacity());
    this.thread = new Thread(this::run, "coordinator-reporter");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * The instance was loaded, or a task uses it.
   *
   * @param vertexId the job vertex that runs the operator; may be null
   */
  public void active(StoreInstanceId id, String engine, String vertexId) {
    loaded.compute(
        id,
        (key, before) ->
            new Loaded(
                engine,
                vertexId,
                System.nanoTime(),
                before == null ? SnapshotUpload.NONE : before.upload()));
    note(id, isReportLost);
  }

  /** A snapshot of a loaded instance was uploaded; nothing happens if it is not loaded. */
  public void uploaded(StoreInstanceId id, SnapshotUpload upload) {
    Loaded now =
        loaded.computeIfPresent(
            id,
            (key, before) ->
                upload.version() > before.upload().version()
                    ? new Loaded(before.engine(), before.vertexId(), before.sinceNanos(), upload)
                    : before);
    if (now != null) {
      note(id, isReportLost);
    }
  }

  /** The instance was closed. */
  public void inactive(StoreInstanceId id) {
    loaded.remove(id);
    note(id, isWithdrawalLost);
  }

  /** How many changes did not fit into the queue, and waited for a heartbeat. */
  public long dropped() {
    return dropped.get();
  }

  private void note(StoreInstanceId id, AtomicBoolean lost) {
    if (!changed.offer(id)) {
      lost.set(true);
      dropped.incrementAndGet();
      if (isDropLogged.compareAndSet(false, true)) {
        LOG.warn(
            "Reports to the coordinator come faster than they are sent; more than {} wait, and"
                + " later ones go with the next heartbeat",
            options.queueCapacity());
      }
    }
  }

  private void run() {
    long nextHeartbeat = System.nanoTime();
    try {
      while (!isClosed) {
        long wait = nextHeartbeat - System.nanoTime();
        StoreInstanceId first = wait > 0 ? changed.poll(wait, TimeUnit.NANOSECONDS) : null;
        if (first != null) {
          attempt(() -> sendChanges(first));
        } else if (wait <= 0) {
          attempt(this::sendHeartbeat);
          nextHeartbeat = System.nanoTime() + options.heartbeatInterval().toNanos();
        }
      }
    } catch (InterruptedException closed) {
      LOG.debug("The reporter is closed");
    }
    // Closing may have interrupted a call, too.
    Thread.interrupted();
    attempt(() -> coordinator.removeExecutor(location));
  }

  /** Sends something; what fails is made good by a later heartbeat. */
  private void attempt(Runnable sending) {
    try {
      sending.run();
      isFailureLogged = false;
    } catch (CoordinatorException e) {
      isReportLost.set(true);
      if (isFailureLogged || isClosed) {
        LOG.debug("Reports cannot be sent: {}", e.getMessage());
      } else {
        isFailureLogged = true;
        LOG.warn("Reports cannot be sent and will be with a later heartbeat: {}", e.getMessage());
      }
    } catch (RuntimeException e) {
      isReportLost.set(true);
      LOG.error("Reports cannot be sent by a defect", e);
    }
  }

  private void sendChanges(StoreInstanceId first) {
    ReportBatch batch = new ReportBatch();
    for (StoreInstanceId id = first; id != null; id = batch.isFull() ? null : changed.poll()) {
      Loaded entry = loaded.get(id);
      if (entry == null) {
        batch.withdraw(id);
      } else {
        batch.report(report(id, entry));
      }
    }
    if (!batch.withdrawals().isEmpty()) {
      withdraw(() -> coordinator.withdrawInstances(location, batch.withdrawals()));
    }
    send(batch);
  }

  /** Sends a withdrawal; one that fails is noted, because no report would make it good. */
  private void withdraw(Runnable sending) {
    try {
      sending.run();
    } catch (RuntimeException e) {
      isWithdrawalLost.set(true);
      throw e;
    }
  }

  private InstanceReport report(StoreInstanceId id, Loaded entry) {
    long age = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - entry.sinceNanos());
    return new InstanceReport(id, entry.engine(), entry.vertexId(), age, entry.upload());
  }

  private void send(ReportBatch batch) {
    if (!batch.reports().isEmpty()) {
      coordinator.reportActiveInstances(location, batch.reports());
    }
  }

  private void sendHeartbeat() {
    if (isWithdrawalLost.getAndSet(false)) {
      withdraw(() -> coordinator.removeExecutor(location));
    }
    long known = coordinator.heartbeat(location);
    if (isReportLost.getAndSet(false) || known != registration) {
      // Whatever fails from here on is noted as lost.
      registration = known;
      sendAll();
    }
  }

  private void sendAll() {
    ReportBatch batch = new ReportBatch();
    for (Map.Entry<StoreInstanceId, Loaded> entry : loaded.entrySet()) {
      batch.report(report(entry.getKey(), entry.getValue()));
      if (batch.isFull()) {
        send(batch);
        batch = new ReportBatch();
      }
    }
    send(batch);
  }

  /**
   * Says farewell if that can be done soon. What is said to the reporter afterwards goes nowhere.
   */
  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
    try {
      thread.join(Math.max(1, options.closeTimeout().toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
