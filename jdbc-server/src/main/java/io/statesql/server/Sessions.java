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
package io.statesql.server;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of all clients. Safe for use by many threads. */
final class Sessions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);
  private static final int LONGEST_ID = 200;
  private static final long LOOK_MILLIS = 20;

  private final Mounts mounts;
  private final Limits limits;
  private final LongSupplier nanoTime;
  private final RunningStatements running;
  private final Map<String, ClientConnection> connections = new ConcurrentHashMap<>();
  private final Map<String, ClientConnection> connectionsByLogin = new ConcurrentHashMap<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger statementIds = new AtomicInteger();
  private final ScheduledExecutorService sweeper;
  private final MemoryGuard memoryGuard = new MemoryGuard(this::endLargest);

  /** When the last statement that was ended for its memory had ended. */
  private volatile long memoryFreedMillis;

  private volatile boolean isStopping;

  /**
   * @param nanoTime as {@link System#nanoTime}: by it connections and statements are idle
   */
  Sessions(Mounts mounts, Limits limits, LongSupplier nanoTime) {
    this.mounts = mounts;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.running = new RunningStatements(limits.runningPerUser());
    this.sweeper =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "session-expiry");
              thread.setDaemon(true);
              return thread;
            });
    long idle = Math.min(limits.connectionIdleSeconds(), limits.statementIdleSeconds());
    long period = Math.max(250, Math.min(30_000, TimeUnit.SECONDS.toMillis(idle) / 4));
    // Each run logs its failures.
    var unused =
        sweeper.scheduleWithFixedDelay(this::expire, period, period, TimeUnit.MILLISECONDS);
  }

  Limits limits() {
    return limits;
  }

  RunningStatements running() {
    return running;
  }

  int nextStatementId() {
    return statementIds.incrementAndGet();
  }

  /** How many connections are open. */
  int size() {
    return connections.size();
  }

  /**
   * Opens a connection.
   *
   * @param id the client's choice
   * @param login under which its client is known as long as it is open; empty if it says each time
   *     who it is
   * @throws StateSqlException if it cannot be had
   */
  void open(User user, String id, Optional<String> login) throws SQLException {
    checkRunning();
    Malformed.required(id, "connectionId");
    if (id.isEmpty() || id.length() > LONGEST_ID) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "A connection needs an id of 1 to " + LONGEST_ID + " characters.");
    }
    if (opened.incrementAndGet() > limits.connections()) {
      opened.decrementAndGet();
      throw new StateSqlException(
          ErrorCode.TOO_MANY,
          "This server has " + limits.connections() + " connections, and allows no more.");
    }
    boolean isKept = false;
    try {
      ClientConnection connection = new ClientConnection(id, user, login, mounts, limits, nanoTime);
      login.ifPresent(digest -> connectionsByLogin.put(digest, connection));
      isKept = connections.putIfAbsent(id, connection) == null;
      if (!isKept) {
        connection.close();
        throw new StateSqlException(
            ErrorCode.INVALID_ARGUMENT, "There is a connection with this id already.");
      }
    } finally {
      if (!isKept) {
        opened.decrementAndGet();
        login.ifPresent(connectionsByLogin::remove);
      }
    }
    LOG.debug("Connection {} of user '{}' is open", id, user.name());
    if (isStopping) {
      close(user, id);
      checkRunning();
    }
  }

  /** Who opened the connection that has a login, if it is open. */
  Optional<User> owner(String login) {
    return Optional.ofNullable(connectionsByLogin.get(login)).map(ClientConnection::owner);
  }

  private void checkRunning() {
    if (isStopping) {
      throw new StateSqlException(ErrorCode.SHUTTING_DOWN, "The server is about to end.");
    }
  }

  /**
   * A connection of a user. One of somebody else is as unknown as one that is not there.
   *
   * @throws StateSqlException if it is not known
   */
  ClientConnection get(User user, String id) {
    ClientConnection connection = connections.get(Malformed.required(id, "connectionId"));
    if (connection == null || !connection.owner().equals(user)) {
      throw ClientConnection.unknown(id);
    }
    return connection;
  }

  /** The same, for something that would run for a while. */
  ClientConnection getToRun(User user, String id) {
    checkRunning();
    return get(user, id);
  }

  /** Closes a connection if it is known; what runs on it ends. */
  void close(User user, String id) throws SQLException {
    ClientConnection connection = connections.get(Malformed.required(id, "connectionId"));
    if (connection != null && connection.owner().equals(user)) {
      close(connection);
    }
  }

  private void close(ClientConnection connection) throws SQLException {
    if (connections.remove(connection.id(), connection)) {
      opened.decrementAndGet();
      connection.login().ifPresent(connectionsByLogin::remove);
      connection.close();
      LOG.debug("Connection {} is closed", connection.id());
    }
  }

  /**
   * Ends the statement that took most memory, so that it fails alone. What is told of a collection
   * before the last such statement ended may come after that, when the memory is free already.
   */
  private void endLargest(long collectedMillis) {
    if (collectedMillis <= memoryFreedMillis) {
      return;
    }
    connections.values().stream()
        .flatMap(connection -> connection.statements().stream())
        .max(Comparator.comparingLong(ClientStatement::allocatedBytes))
        .filter(largest -> largest.allocatedBytes() > 0)
        .ifPresent(
            largest -> {
              try {
                LOG.warn("The memory is full, so a statement is ended: {}", largest.id());
                largest.endForMemory(() -> memoryFreedMillis = MemoryGuard.uptimeMillis());
              } catch (SQLException | RuntimeException e) {
                LOG.warn("The statement {} could not be ended", largest.id(), e);
              }
            });
  }

  private void expire() {
    long now = nanoTime.getAsLong();
    long connectionNanos = TimeUnit.SECONDS.toNanos(limits.connectionIdleSeconds());
    long statementNanos = TimeUnit.SECONDS.toNanos(limits.statementIdleSeconds());
    for (ClientConnection connection : List.copyOf(connections.values())) {
      try {
        if (connection.expire(now, connectionNanos, statementNanos)) {
          LOG.info("Connection {} was idle too long, and is closed", connection.id());
          close(connection);
        }
      } catch (SQLException | RuntimeException e) {
        LOG.warn("Connection {} could not be closed in order", connection.id(), e);
      }
    }
  }

  /** Waits a while for statements that run, and ends those that go on. */
  @Override
  public void close() {
    isStopping = true;
    sweeper.shutdownNow();
    memoryGuard.close();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limits.stopSeconds());
    try {
      while (connections.values().stream().anyMatch(ClientConnection::isRunning)
          && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (ClientConnection connection : List.copyOf(connections.values())) {
      try {
        close(connection);
      } catch (SQLException | RuntimeException e) {
        LOG.warn("Connection {} could not be closed in order", connection.id(), e);
      }
    }
  }
}
