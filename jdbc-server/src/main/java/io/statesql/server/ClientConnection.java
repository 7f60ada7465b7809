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
import io.statesql.coordinator.http.Reply;
import io.statesql.edit.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.calcite.avatica.Meta.ConnectionProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a client: an embedded connection and its open statements. Its requests take
 * turns, all but {@link #close}, which ends those that run.
 */
final class ClientConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

  private final String id;
  private final User owner;
  private final Optional<String> login;
  private final Mounts mounts;
  private final Limits limits;
  private final LongSupplier nanoTime;
  private final ReentrantLock turn = new ReentrantLock();
  private final Map<Integer, ClientStatement> statements = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile long lastUse;
  private volatile boolean isClosed;
  private volatile Connection jdbc;
  private Mounts.Present shown;

  /** Begun without auto-commit, and neither committed nor rolled back. */
  private boolean isInTransaction;

  private Optional<Transaction.Commit> lastCommit = Optional.empty();

  /**
   * @param login under which its client is known, if it does not say each time who it is
   * @param nanoTime as {@link System#nanoTime}
   */
  ClientConnection(
      String id,
      User owner,
      Optional<String> login,
      Mounts mounts,
      Limits limits,
      LongSupplier nanoTime)
      throws SQLException {
    this.id = id;
    this.owner = owner;
    this.login = login;
    this.mounts = mounts;
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.lastUse = nanoTime.getAsLong();
    this.shown = mounts.present();
    this.jdbc = mounts.open();
  }

  String id() {
    return id;
  }

  User owner() {
    return owner;
  }

  Optional<String> login() {
    return login;
  }

  /** Does something in the connection's turn. */
  <T> T use(SqlAction<T> action) throws SQLException {
    calls.incrementAndGet();
    turn.lock();
    try {
      checkOpen();
      try {
        return action.run();
      } finally {
        noteCommit();
      }
    } finally {
      turn.unlock();
      lastUse = nanoTime.getAsLong();
      calls.decrementAndGet();
    }
  }

  private void checkOpen() {
    if (isClosed) {
      throw unknown(id);
    }
  }

  /** What a client is told whose connection is not, or no longer, known. */
  static StateSqlException unknown(String id) {
    return lost("the connection " + Reply.printable(id));
  }

  /** The same where the client is not known either, without which connection it was. */
  static StateSqlException unknown() {
    return lost("this connection");
  }

  private static StateSqlException lost(String connection) {
    return new StateSqlException(
        ErrorCode.UNKNOWN_CONNECTION,
        "The server does not know "
            + connection
            + ": it was closed, was idle too long, belongs to an earlier run of the server, or to"
            + " another server to which a proxy sent its first request. Connect again; a proxy has"
            + " to send all requests of a client to one server.");
  }

  boolean isRunning() {
    return calls.get() > 0;
  }

  /** The embedded connection, in whose turn this is called. */
  Connection jdbc() {
    return jdbc;
  }

  /** Takes over the settings that a client asks for, and tells those that hold now. */
  ConnectionProperties sync(ConnectionProperties asked) throws SQLException {
    ConnectionProperties now = ConnectionSettings.apply(asked, jdbc);
    isInTransaction &= !now.isAutoCommit();
    return now;
  }

  void commit() throws SQLException {
    jdbc.commit();
    isInTransaction = false;
  }

  void rollback() throws SQLException {
    jdbc.rollback();
    isInTransaction = false;
  }

  private void noteCommit() throws SQLException {
    if (isClosed) {
      return;
    }
    Optional<Transaction.Commit> newest = jdbc.unwrap(Transaction.class).lastCommit();
    if (!newest.equals(lastCommit)) {
      lastCommit = newest;
      AuditLog.committed(owner, id, newest.orElseThrow());
    }
  }

  /** A statement, or null if it is not known. */
  @Nullable ClientStatement statement(int statementId) {
    return statements.get(statementId);
  }

  /**
   * Adds a statement.
   *
   * @param make makes it on a connection that shows the newest snapshots
   */
  ClientStatement add(int statementId, String sql, boolean changes, SqlAction<Statement> make)
      throws SQLException {
    if (statements.size() >= limits.statementsPerConnection()) {
      throw new StateSqlException(
          ErrorCode.TOO_MANY,
          "A connection may have "
              + limits.statementsPerConnection()
              + " open statements; close those that are not needed.");
    }
    follow();
    Statement made = make.run();
    ClientStatement statement = new ClientStatement(statementId, made, sql, changes, nanoTime);
    statements.put(statementId, statement);
    return statement;
  }

  Collection<ClientStatement> statements() {
    return statements.values();
  }

  /** Closes a statement if it is known. */
  void remove(int statementId) throws SQLException {
    ClientStatement statement = statements.remove(statementId);
    if (statement != null) {
      statement.close();
    }
  }

  /**
   * Turns to newer snapshots, and to what others committed, while no statement and no transaction
   * hangs on the present ones; one begins without auto-commit.
   */
  void follow() throws SQLException {
    if (!statements.isEmpty() || isInTransaction) {
      return;
    }
    isInTransaction = !jdbc.getAutoCommit();
    Mounts.Present present = mounts.present();
    if (present.equals(shown)) {
      return;
    }
    Connection next = mounts.open();
    try {
      next.setAutoCommit(jdbc.getAutoCommit());
      next.setReadOnly(jdbc.isReadOnly());
      next.setCatalog(jdbc.getCatalog());
      next.setSchema(jdbc.getSchema());
    } catch (SQLException e) {
      LOG.info("A connection stays with its snapshots, for the newest lack its schema", e);
      next.close();
      shown = present;
      return;
    }
    Connection before = jdbc;
    jdbc = next;
    lastCommit = Optional.empty();
    shown = present;
    before.close();
    if (isClosed) {
      next.close();
      checkOpen();
    }
  }

  /**
   * Closes what nobody has used for long.
   *
   * @param now by the clock of the connection
   * @return whether that is the whole connection
   */
  boolean expire(long now, long connectionNanos, long statementNanos) throws SQLException {
    if (isRunning()) {
      return false;
    }
    if (now - lastUse > connectionNanos) {
      return true;
    }
    // A request that comes now is not made to wait for this, nor this for it.
    if (turn.tryLock()) {
      try {
        for (ClientStatement statement : List.copyOf(statements.values())) {
          if (now - statement.lastUse() > statementNanos) {
            remove(statement.id());
          }
        }
      } finally {
        turn.unlock();
      }
    }
    return false;
  }

  /** Ends what runs, rolls back and closes everything. */
  void close() throws SQLException {
    isClosed = true;
    try {
      jdbc.close();
    } finally {
      statements.values().forEach(ClientStatement::release);
    }
  }
}
