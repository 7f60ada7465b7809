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
import java.util.List;
import java.util.Optional;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.remote.Service;
import org.apache.calcite.avatica.remote.WireFormat;

/**
 * Answers the requests of one user in the words of Avatica's protocol. Of what a client says when
 * it opens a connection nothing is used here but its id: which snapshots there are, and how they
 * are opened, is the server's to say.
 */
final class ClientService implements Service {
  private final ClientCalls calls;
  private final StatementRunner runner;
  private final MetadataService metadata;
  private final Optional<String> login;
  private final RpcMetadataResponse address;

  /**
   * @param login under which the client of a connection that is opened will be known; empty if it
   *     says each time who it is
   * @param address where clients say that failures came from
   */
  ClientService(
      User user,
      Sessions sessions,
      StatementPolicy policy,
      Optional<String> login,
      RpcMetadataResponse address) {
    this.login = login;
    this.calls = new ClientCalls(user, sessions);
    this.runner = new StatementRunner(user, sessions, policy);
    this.metadata = new MetadataService(calls, runner, address);
    this.address = address;
  }

  @Override
  public ResultSetResponse apply(CatalogsRequest request) {
    return metadata.ask(request.connectionId, DatabaseMetaData::getCatalogs);
  }

  @Override
  public ResultSetResponse apply(SchemasRequest request) {
    return metadata.schemas(request);
  }

  @Override
  public ResultSetResponse apply(TablesRequest request) {
    return metadata.tables(request);
  }

  @Override
  public ResultSetResponse apply(TableTypesRequest request) {
    return metadata.ask(request.connectionId, DatabaseMetaData::getTableTypes);
  }

  @Override
  public ResultSetResponse apply(TypeInfoRequest request) {
    return metadata.ask(request.connectionId, DatabaseMetaData::getTypeInfo);
  }

  @Override
  public ResultSetResponse apply(ColumnsRequest request) {
    return metadata.columns(request);
  }

  @Override
  public DatabasePropertyResponse apply(DatabasePropertyRequest request) {
    return metadata.properties(request.connectionId);
  }

  @Override
  public OpenConnectionResponse apply(OpenConnectionRequest request) {
    return calls.call(
        () -> {
          calls.sessions().open(calls.user(), request.connectionId, login);
          return new OpenConnectionResponse(address);
        });
  }

  @Override
  public CloseConnectionResponse apply(CloseConnectionRequest request) {
    return calls.call(
        () -> {
          calls.sessions().close(calls.user(), request.connectionId);
          return new CloseConnectionResponse(address);
        });
  }

  @Override
  public ConnectionSyncResponse apply(ConnectionSyncRequest request) {
    return calls.inTurn(
        request.connectionId,
        connection ->
            new ConnectionSyncResponse(
                connection.sync(Malformed.required(request.connProps, "connProps")), address));
  }

  @Override
  public CommitResponse apply(CommitRequest request) {
    return calls.inTurn(
        request.connectionId,
        connection -> {
          connection.commit();
          return WireFormat.committed();
        });
  }

  @Override
  public RollbackResponse apply(RollbackRequest request) {
    return calls.inTurn(
        request.connectionId,
        connection -> {
          connection.rollback();
          return WireFormat.rolledBack();
        });
  }

  @Override
  public CreateStatementResponse apply(CreateStatementRequest request) {
    return calls.inTurn(
        request.connectionId,
        connection -> {
          int id = calls.sessions().nextStatementId();
          connection.add(id, null, false, () -> connection.jdbc().createStatement());
          return new CreateStatementResponse(request.connectionId, id, address);
        });
  }

  @Override
  public CloseStatementResponse apply(CloseStatementRequest request) {
    return calls.inTurn(
        request.connectionId,
        connection -> {
          connection.remove(request.statementId);
          return new CloseStatementResponse(address);
        });
  }

  @Override
  public PrepareResponse apply(PrepareRequest request) {
    return calls.toRun(
        request.connectionId,
        connection -> {
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
    Meta.StatementHandle handle = Malformed.required(request.statementHandle, "statementHandle");
    return calls.toRun(
        handle.connectionId,
        connection ->
            executed(
                handle.connectionId,
                runner.execute(
                    connection, handle.id, request.parameterValues, request.maxRowCount)));
  }

  @Override
  public ExecuteResponse apply(PrepareAndExecuteRequest request) {
    return calls.toRun(
        request.connectionId,
        connection ->
            executed(
                request.connectionId,
                runner.execute(
                    connection,
                    request.statementId,
                    Malformed.required(request.sql, "sql"),
                    request.maxRowCount,
                    request.maxRowsInFirstFrame)));
  }

  /** A client whose statement is unknown makes another and tries again. */
  private ExecuteResponse executed(String connectionId, StatementRunner.Outcome outcome) {
    return outcome == null
        ? new ExecuteResponse(null, true, address)
        : new ExecuteResponse(List.of(outcome.response(connectionId, address)), false, address);
  }

  @Override
  public FetchResponse apply(FetchRequest request) {
    return calls.toRun(
        request.connectionId,
        connection ->
            new FetchResponse(
                runner.fetch(
                    connection, request.statementId, request.offset, request.fetchMaxRowCount),
                false,
                false,
                address));
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
    return calls.toRun(
        request.connectionId,
        connection ->
            batch(
                request.connectionId,
                request.statementId,
                runner.executeBatch(
                    connection,
                    request.statementId,
                    Malformed.required(request.sqlCommands, "sqlCommands"))));
  }

  @Override
  public ExecuteBatchResponse apply(ExecuteBatchRequest request) {
    return calls.toRun(
        request.connectionId,
        connection ->
            batch(
                request.connectionId,
                request.statementId,
                runner.executeRows(connection, request.statementId, ParameterRows.of(request))));
  }

  private ExecuteBatchResponse batch(String connectionId, int statementId, long[] counts) {
    return new ExecuteBatchResponse(connectionId, statementId, counts, counts == null, address);
  }

  @Override
  public void setRpcMetadata(RpcMetadataResponse rpcMetadata) {
    throw new StateSqlException(ErrorCode.INTERNAL_ERROR, "The server's address is fixed.");
  }
}
