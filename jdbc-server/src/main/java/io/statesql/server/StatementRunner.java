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

import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.remote.Service.ResultSetResponse;
import org.apache.calcite.avatica.remote.Service.RpcMetadataResponse;
import org.apache.calcite.avatica.remote.TypedValue;
import org.jspecify.annotations.Nullable;

/** Runs the statements of a user: checks them, counts them, logs what they change. */
final class StatementRunner {
  private final User user;
  private final Sessions sessions;
  private final StatementPolicy policy;

  StatementRunner(User user, Sessions sessions, StatementPolicy policy) {
    this.user = user;
    this.sessions = sessions;
    this.policy = policy;
  }

  /**
   * What came of a statement: rows, or how many were changed.
   *
   * @param signature null if there are no rows
   * @param frame the first rows; null if there are none
   * @param updateCount -1 if there are rows
   */
  record Outcome(
      int statementId,
      Meta.@Nullable Signature signature,
      Meta.@Nullable Frame frame,
      long updateCount) {
    ResultSetResponse response(String connectionId, RpcMetadataResponse address) {
      return new ResultSetResponse(
          connectionId, statementId, true, signature, frame, updateCount, address);
    }
  }

  /** A question about names. */
  @FunctionalInterface
  interface MetadataQuery {
    ResultSet ask(DatabaseMetaData metaData) throws SQLException;
  }

  /** Answers a question about names. Its statement stays only while there are rows left. */
  Outcome metadata(ClientConnection connection, MetadataQuery query) throws SQLException {
    return connection.use(
        () -> {
          RunningStatements.Permit permit = sessions.running().start(user);
          int id = sessions.nextStatementId();
          boolean isKept = false;
          try {
            AtomicReference<ResultSet> result = new AtomicReference<>();
            ClientStatement statement =
                connection.add(
                    id,
                    null,
                    false,
                    () -> {
                      result.set(query.ask(connection.jdbc().getMetaData()));
                      return result.get().getStatement();
                    });
            Outcome outcome = statement.run(permit, () -> rows(statement, result.get(), "", 0));
            isKept = statement.hasResult();
            return outcome;
          } finally {
            if (!isKept) {
              permit.close();
              connection.remove(id);
            }
          }
        });
  }

  /**
   * Prepares a statement.
   *
   * @param maxRows of its results; 0 and below for all
   */
  ClientStatement prepare(ClientConnection connection, String sql, long maxRows)
      throws SQLException {
    boolean changes = policy.check(user, sql);
    return connection.use(
        () ->
            connection.add(
                sessions.nextStatementId(),
                sql,
                changes,
                () -> {
                  PreparedStatement prepared = connection.jdbc().prepareStatement(sql);
                  setMaxRows(prepared, maxRows);
                  return prepared;
                }));
  }

  private static void setMaxRows(Statement statement, long maxRows) throws SQLException {
    statement.setLargeMaxRows(Math.max(0, maxRows));
  }

  /**
   * Runs a statement.
   *
   * @param maxRows of its result; 0 and below for all
   * @param firstRows how many of them to give at once
   * @return null if the statement is not known
   */
  @Nullable Outcome execute(
      ClientConnection connection, int statementId, String sql, long maxRows, int firstRows)
      throws SQLException {
    boolean changes = policy.check(user, sql);
    return connection.use(
        () -> {
          ClientStatement statement = connection.statement(statementId);
          if (statement == null) {
            return null;
          }
          setMaxRows(statement.jdbc(), maxRows);
          return run(
              connection, statement, sql, changes, firstRows, () -> statement.jdbc().execute(sql));
        });
  }

  /**
   * Runs a prepared statement.
   *
   * @return null if the statement is not known
   */
  @Nullable Outcome execute(
      ClientConnection connection, int statementId, List<TypedValue> values, int firstRows)
      throws SQLException {
    return connection.use(
        () -> {
          ClientStatement statement = connection.statement(statementId);
          if (statement == null) {
            return null;
          }
          PreparedStatement prepared = statement.prepared();
          bind(prepared, ParameterRows.of(values));
          return run(
              connection,
              statement,
              statement.sql(),
              statement.changes(),
              firstRows,
              prepared::execute);
        });
  }

  private static void bind(PreparedStatement prepared, List<Object> values) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      prepared.setObject(i + 1, values.get(i));
    }
  }

  private Outcome run(
      ClientConnection connection,
      ClientStatement statement,
      String sql,
      boolean changes,
      int firstRows,
      SqlAction<Boolean> execution)
      throws SQLException {
    return audited(
        connection,
        sql,
        changes,
        () ->
            statement.run(
                sessions.running().start(user),
                () ->
                    execution.run()
                        ? rows(statement, statement.jdbc().getResultSet(), sql, firstRows)
                        : new Outcome(
                            statement.id(), null, null, statement.jdbc().getLargeUpdateCount())),
        Outcome::updateCount);
  }

  private Outcome rows(ClientStatement statement, ResultSet result, String sql, int firstRows)
      throws SQLException {
    Meta.Signature signature = ResultColumns.signature(result.getMetaData(), sql);
    return new Outcome(
        statement.id(), signature, statement.open(result, firstRows, sessions.limits()), -1);
  }

  /** More rows of a result. */
  Meta.Frame fetch(ClientConnection connection, int statementId, long offset, int wanted)
      throws SQLException {
    return connection.use(
        () -> {
          ClientStatement statement = connection.statement(statementId);
          if (statement == null) {
            throw ClientStatement.gone();
          }
          return statement.fetch(offset, wanted);
        });
  }

  /**
   * Runs several statements.
   *
   * @return how many rows each changed; null if the statement is not known
   */
  long @Nullable [] executeBatch(
      ClientConnection connection, int statementId, List<String> statements) throws SQLException {
    boolean changes = false;
    for (String sql : statements) {
      changes |= policy.check(user, sql);
    }
    String all = String.join("; ", statements);
    return batch(
        connection,
        statementId,
        all,
        changes,
        statement -> {
          for (String sql : statements) {
            statement.jdbc().addBatch(sql);
          }
        });
  }

  /**
   * Runs a prepared statement several times.
   *
   * @return how many rows each changed; null if the statement is not known
   */
  long @Nullable [] executeRows(
      ClientConnection connection, int statementId, List<List<Object>> rows) throws SQLException {
    ClientStatement known = connection.statement(statementId);
    return batch(
        connection,
        statementId,
        known == null ? "" : known.sql(),
        known != null && known.changes(),
        statement -> {
          PreparedStatement prepared = statement.prepared();
          for (List<Object> row : rows) {
            bind(prepared, row);
            prepared.addBatch();
          }
        });
  }

  /** Adds to a batch. */
  @FunctionalInterface
  private interface BatchFiller {
    void fill(ClientStatement statement) throws SQLException;
  }

  private long @Nullable [] batch(
      ClientConnection connection, int statementId, String sql, boolean changes, BatchFiller filler)
      throws SQLException {
    return connection.use(
        () -> {
          ClientStatement statement = connection.statement(statementId);
          if (statement == null) {
            return null;
          }
          return audited(
              connection,
              sql,
              changes,
              () ->
                  statement.run(
                      sessions.running().start(user),
                      () -> {
                        statement.jdbc().clearBatch();
                        filler.fill(statement);
                        return statement.jdbc().executeLargeBatch();
                      }),
              counts -> Arrays.stream(counts).sum());
        });
  }

  private <T> T audited(
      ClientConnection connection,
      String sql,
      boolean changes,
      SqlAction<T> action,
      ToLongFunction<T> rows)
      throws SQLException {
    if (!changes) {
      return action.run();
    }
    try {
      T result = action.run();
      AuditLog.changed(user, connection.id(), sql, rows.applyAsLong(result));
      return result;
    } catch (SQLException e) {
      AuditLog.failed(user, connection.id(), sql, e.getSQLState());
      throw e;
    }
  }
}
