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
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.Meta.DatabaseProperty;
import org.apache.calcite.avatica.remote.Service;
import org.apache.calcite.avatica.remote.WireFormat;

/**
 * Answers the requests of one user in the words of Avatica's protocol. Of what a client says when
 * it opens a connection nothing is used but its id: which snapshots there are, and how they are
 * opened, is the server's to say.
 */
final class ClientService implements Service {
  private final User user;
  private final Sessions sessions;
  private final StatementRunner runner;
  private final RpcMetadataResponse address;

  /**
   * @param address where clients say that failures came from
   */
  ClientService(User user, Sessions sessions, StatementPolicy policy, RpcMetadataResponse address) {
    this.user = user;
    this.sessions = sessions;
    this.runner = new StatementRunner(user, sessions, policy);
    this.address = address;
  }

  private static <T> T call(SqlAction<T> action) {
    try {
      return action.run();
    } catch (SQLException e) {
      throw new RequestFailedException(e);
    }
  }

  private ResultSetResponse metadata(String connectionId, StatementRunner.MetadataQuery query) {
    return call(
        () -> {
          ClientConnection connection = sessions.getToRun(user, connectionId);
          return response(connectionId, runner.metadata(connection, query));
        });
  }

  private ResultSetResponse response(String connectionId, StatementRunner.Outcome outcome) {
    return new ResultSetResponse(
        connectionId,
        outcome.statementId(),
        true,
        outcome.signature(),
        outcome.frame(),
        outcome.updateCount(),
        address);
  }

  @Override
  public ResultSetResponse apply(CatalogsRequest request) {
    return metadata(request.connectionId, DatabaseMetaData::getCatalogs);
  }

  @Override
  public ResultSetResponse apply(SchemasRequest request) {
    return metadata(
        request.connectionId, about -> about.getSchemas(request.catalog, request.schemaPattern));
  }

  @Override
  public ResultSetResponse apply(TablesRequest request) {
    String[] types = request.typeList == null ? null : request.typeList.toArray(new String[0]);
    return metadata(
        request.connectionId,
        about ->
            about.getTables(
                request.catalog, request.schemaPattern, request.tableNamePattern, types));
  }

  @Override
  public ResultSetResponse apply(TableTypesRequest request) {
    return metadata(request.connectionId, DatabaseMetaData::getTableTypes);
  }

  @Override
  public ResultSetResponse apply(TypeInfoRequest request) {
    return metadata(request.connectionId, DatabaseMetaData::getTypeInfo);
  }

  @Override
  public ResultSetResponse apply(ColumnsRequest request) {
    return metadata(
        request.connectionId,
        about ->
            about.getColumns(
                request.catalog,
                request.schemaPattern,
                request.tableNamePattern,
                request.columnNamePattern));
  }

  @Override
  public DatabasePropertyResponse apply(DatabasePropertyRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.get(user, request.connectionId);
          Map<DatabaseProperty, Object> values = new EnumMap<>(DatabaseProperty.class);
          connection.use(
              () -> {
                DatabaseMetaData about = connection.jdbc().getMetaData();
                for (DatabaseProperty property : DatabaseProperty.values()) {
                  values.put(property, value(property, about));
                }
                return null;
              });
          return new DatabasePropertyResponse(values, address);
        });
  }

  private static Object value(DatabaseProperty property, DatabaseMetaData about)
      throws SQLException {
    if (!property.isJdbc) {
      return property.defaultValue;
    }
    try {
      return property.method.invoke(about);
    } catch (ReflectiveOperationException e) {
      throw new SQLException("A property of the database cannot be read: " + property, e);
    }
  }

  @Override
  public OpenConnectionResponse apply(OpenConnectionRequest request) {
    return call(
        () -> {
          sessions.open(user, request.connectionId);
          return new OpenConnectionResponse(address);
        });
  }

  @Override
  public CloseConnectionResponse apply(CloseConnectionRequest request) {
    return call(
        () -> {
          sessions.close(user, request.connectionId);
          return new CloseConnectionResponse(address);
        });
  }

  @Override
  public ConnectionSyncResponse apply(ConnectionSyncRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.get(user, request.connectionId);
          return new ConnectionSyncResponse(
              connection.use(
                  () ->
                      ConnectionSettings.apply(
                          Malformed.required(request.connProps, "connProps"), connection.jdbc())),
              address);
        });
  }

  @Override
  public CommitResponse apply(CommitRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.get(user, request.connectionId);
          connection.use(
              () -> {
                connection.commit();
                return null;
              });
          AuditLog.committed(user, request.connectionId);
          return WireFormat.committed();
        });
  }

  @Override
  public RollbackResponse apply(RollbackRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.get(user, request.connectionId);
          connection.use(
              () -> {
                connection.rollback();
                return null;
              });
          return WireFormat.rolledBack();
        });
  }

  @Override
  public CreateStatementResponse apply(CreateStatementRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.get(user, request.connectionId);
          int id = sessions.nextStatementId();
          connection.use(
              () -> connection.add(id, null, false, () -> connection.jdbc().createStatement()));
          return new CreateStatementResponse(request.connectionId, id, address);
        });
  }

  @Override
  public CloseStatementResponse apply(CloseStatementRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.get(user, request.connectionId);
          connection.use(
              () -> {
                connection.remove(request.statementId);
                return null;
              });
          return new CloseStatementResponse(address);
        });
  }

  @Override
  public PrepareResponse apply(PrepareRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.getToRun(user, request.connectionId);
          ClientStatement statement =
              runner.prepare(
                  connection, Malformed.required(request.sql, "sql"), request.maxRowCount);
          return new PrepareResponse(
              new Meta.StatementHandle(request.connectionId, statement.id(), signature(statement)),
              address);
        });
  }

  private static Meta.Signature signature(ClientStatement statement) throws SQLException {
    PreparedStatement prepared = statement.prepared();
    return ResultColumns.signature(
        prepared.getMetaData(),
        statement.sql(),
        prepared.getParameterMetaData(),
        prepared.unwrap(AvaticaPreparedStatement.class).getStatementType());
  }

  @Override
  public ExecuteResponse apply(ExecuteRequest request) {
    return call(
        () -> {
          Meta.StatementHandle handle =
              Malformed.required(request.statementHandle, "statementHandle");
          String connectionId = handle.connectionId;
          ClientConnection connection = sessions.getToRun(user, connectionId);
          return executed(
              connectionId,
              runner.execute(connection, handle.id, request.parameterValues, request.maxRowCount));
        });
  }

  @Override
  public ExecuteResponse apply(PrepareAndExecuteRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.getToRun(user, request.connectionId);
          return executed(
              request.connectionId,
              runner.execute(
                  connection,
                  request.statementId,
                  Malformed.required(request.sql, "sql"),
                  request.maxRowCount,
                  request.maxRowsInFirstFrame));
        });
  }

  /** A client whose statement is unknown makes another and tries again. */
  private ExecuteResponse executed(String connectionId, StatementRunner.Outcome outcome) {
    return outcome == null
        ? new ExecuteResponse(null, true, address)
        : new ExecuteResponse(List.of(response(connectionId, outcome)), false, address);
  }

  @Override
  public FetchResponse apply(FetchRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.getToRun(user, request.connectionId);
          Meta.Frame frame =
              runner.fetch(
                  connection, request.statementId, request.offset, request.fetchMaxRowCount);
          return new FetchResponse(frame, false, false, address);
        });
  }

  /**
   * Refused: it would run a statement again and skip the rows that the client has, which may be of
   * an older snapshot.
   */
  @Override
  public SyncResultsResponse apply(SyncResultsRequest request) {
    throw ClientStatement.gone();
  }

  @Override
  public ExecuteBatchResponse apply(PrepareAndExecuteBatchRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.getToRun(user, request.connectionId);
          return batch(
              request.connectionId,
              request.statementId,
              runner.executeBatch(
                  connection,
                  request.statementId,
                  Malformed.required(request.sqlCommands, "sqlCommands")));
        });
  }

  @Override
  public ExecuteBatchResponse apply(ExecuteBatchRequest request) {
    return call(
        () -> {
          ClientConnection connection = sessions.getToRun(user, request.connectionId);
          return batch(
              request.connectionId,
              request.statementId,
              runner.executeRows(connection, request.statementId, ParameterRows.of(request)));
        });
  }

  private ExecuteBatchResponse batch(String connectionId, int statementId, long[] counts) {
    return new ExecuteBatchResponse(connectionId, statementId, counts, counts == null, address);
  }

  @Override
  public void setRpcMetadata(RpcMetadataResponse metadata) {
    throw new StateSqlException(ErrorCode.INTERNAL_ERROR, "The server's address is fixed.");
  }
}
