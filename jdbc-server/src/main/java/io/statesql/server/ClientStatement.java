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
import io.statesql.sql.SqlErrors;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.LongSupplier;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.jspecify.annotations.Nullable;

/** A statement of a client, with the result that it is reading. Used in its connection's turn. */
final class ClientStatement {
  /** What a client is told whose statement fills the memory. */
  static final String TOO_LARGE =
      "The statement needs more memory than the server has; ask for less.";

  private final int id;
  private final Statement statement;
  private final @Nullable String sql;
  private final boolean changes;
  private final LongSupplier nanoTime;
  private volatile long lastUse;
  private @Nullable ResultRows rows;
  private volatile RunningStatements.@Nullable Permit permit;
  private final AllocatedBytes allocated = new AllocatedBytes();

  /** Ended to free memory, which the client has yet to be told; called then. Null if it is not. */
  private volatile @Nullable Runnable whenEnded;

  /**
   * @param sql of a prepared statement, else null
   * @param changes whether a prepared statement changes something
   * @param nanoTime as {@link System#nanoTime}
   */
  ClientStatement(
      int id, Statement statement, @Nullable String sql, boolean changes, LongSupplier nanoTime) {
    this.id = id;
    this.statement = statement;
    this.sql = sql;
    this.changes = changes;
    this.nanoTime = nanoTime;
    this.lastUse = nanoTime.getAsLong();
  }

  int id() {
    return id;
  }

  Statement jdbc() {
    return statement;
  }

  boolean changes() {
    return changes;
  }

  /**
   * The statement as a prepared one.
   *
   * @throws StateSqlException if it was not prepared
   */
  PreparedStatement prepared() {
    if (statement instanceof PreparedStatement prepared) {
      return prepared;
    }
    throw new StateSqlException(
        ErrorCode.INVALID_STATEMENT, "The statement was not prepared, and cannot be executed.");
  }

  /** The text of a prepared statement. */
  String sql() {
    return sql == null ? "" : sql;
  }

  long lastUse() {
    return lastUse;
  }

  /** Ends what the statement ran before, and runs something that may hold a result. */
  <T> T run(RunningStatements.Permit newPermit, SqlAction<T> action) throws SQLException {
    lastUse = nanoTime.getAsLong();
    boolean succeeded = false;
    try {
      finish();
      permit = newPermit;
      T result = counted(action);
      succeeded = true;
      return result;
    } finally {
      lastUse = nanoTime.getAsLong();
      if (!succeeded) {
        newPermit.close();
      } else if (rows == null) {
        finish();
      }
    }
  }

  /** The first rows of a result, which stays open if there are more. */
  Meta.Frame open(ResultSet result, int wanted, Limits limits) throws SQLException {
    rows = new ResultRows(result, limits.frameRows(), limits.frameBytes());
    return next(wanted);
  }

  /**
   * More rows.
   *
   * @param offset how many the client has; others than that are gone
   */
  Meta.Frame fetch(long offset, int wanted) throws SQLException {
    lastUse = nanoTime.getAsLong();
    if (rows == null || rows.position() != offset) {
      throw gone();
    }
    return counted(() -> next(wanted));
  }

  /** Does something for which the statement may be ended. */
  private <T> T counted(SqlAction<T> action) throws SQLException {
    allocated.start();
    try {
      return action.run();
    } catch (SQLException e) {
      if (whenEnded != null && isCanceled(e)) {
        // Not as the cause, which would be what the client is told.
        StateSqlException tooLarge = new StateSqlException(ErrorCode.OUT_OF_MEMORY, TOO_LARGE);
        tooLarge.addSuppressed(e);
        throw tooLarge;
      }
      throw e;
    } finally {
      allocated.stop();
      Runnable told = whenEnded;
      whenEnded = null;
      if (told != null) {
        told.run();
      }
    }
  }

  private static boolean isCanceled(SQLException failure) {
    return ErrorCode.CANCELED.sqlState().equals(SqlErrors.translate(failure).getSQLState());
  }

  /** How much was allocated for the statement, as far as it still runs or has an open result. */
  long allocatedBytes() {
    RunningStatements.Permit held = permit;
    return held == null || held.isClosed() ? 0 : allocated.total();
  }

  /**
   * Ends what the statement runs, to free its memory. Called outside of its connection's turn.
   *
   * @param freed called when it has ended
   */
  void endForMemory(Runnable freed) throws SQLException {
    whenEnded = freed;
    try {
      statement
          .getConnection()
          .unwrap(AvaticaConnection.class)
          .getCancelFlag(statement.unwrap(AvaticaStatement.class).handle)
          .set(true);
    } catch (NoSuchStatementException closed) {
      // Meanwhile, so its memory is free.
    }
  }

  private Meta.Frame next(int wanted) throws SQLException {
    boolean succeeded = false;
    try {
      Meta.Frame frame = rows.next(wanted);
      succeeded = !frame.done;
      return frame;
    } finally {
      if (!succeeded) {
        finish();
      }
      lastUse = nanoTime.getAsLong();
    }
  }

  boolean hasResult() {
    return rows != null;
  }

  /** What a client is told that asks for rows which are no longer there. */
  static StateSqlException gone() {
    return new StateSqlException(
        ErrorCode.UNKNOWN_STATEMENT,
        "The result is no longer there: it was closed, was idle too long, or belongs to an earlier"
            + " run of the server or to another one behind a proxy. Run the statement again.");
  }

  private void finish() throws SQLException {
    try {
      if (rows != null) {
        rows.close();
      }
    } finally {
      rows = null;
      release();
    }
  }

  /** The statement does not count as running any more. */
  void release() {
    RunningStatements.Permit held = permit;
    if (held != null) {
      held.close();
    }
  }

  void close() throws SQLException {
    try {
      finish();
    } finally {
      statement.close();
    }
  }
}
