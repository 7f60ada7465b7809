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
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.calcite.avatica.Meta.DatabaseProperty;
import org.apache.calcite.avatica.remote.Service.ColumnsRequest;
import org.apache.calcite.avatica.remote.Service.DatabasePropertyResponse;
import org.apache.calcite.avatica.remote.Service.ResultSetResponse;
import org.apache.calcite.avatica.remote.Service.RpcMetadataResponse;
import org.apache.calcite.avatica.remote.Service.SchemasRequest;
import org.apache.calcite.avatica.remote.Service.TablesRequest;

/** Answers what a client asks about names and about the database. */
final class MetadataService {
  private final ClientCalls calls;
  private final StatementRunner runner;
  private final RpcMetadataResponse address;

  MetadataService(ClientCalls calls, StatementRunner runner, RpcMetadataResponse address) {
    this.calls = calls;
    this.runner = runner;
    this.address = address;
  }

  /** Answers a question that has rows for an answer. */
  ResultSetResponse ask(String connectionId, StatementRunner.MetadataQuery query) {
    return calls.toRun(
        connectionId,
        connection -> runner.metadata(connection, query).response(connectionId, address));
  }

  ResultSetResponse schemas(SchemasRequest request) {
    return ask(
        request.connectionId, about -> about.getSchemas(request.catalog, request.schemaPattern));
  }

  ResultSetResponse tables(TablesRequest request) {
    String[] types = request.typeList == null ? null : request.typeList.toArray(new String[0]);
    return ask(
        request.connectionId,
        about ->
            about.getTables(
                request.catalog, request.schemaPattern, request.tableNamePattern, types));
  }

  ResultSetResponse columns(ColumnsRequest request) {
    return ask(
        request.connectionId,
        about ->
            about.getColumns(
                request.catalog,
                request.schemaPattern,
                request.tableNamePattern,
                request.columnNamePattern));
  }

  /** All that a client may want to know beside names; it asks once. */
  DatabasePropertyResponse properties(String connectionId) {
    return calls.inTurn(
        connectionId,
        connection -> {
          DatabaseMetaData about = connection.jdbc().getMetaData();
          Map<DatabaseProperty, Object> values = new EnumMap<>(DatabaseProperty.class);
          for (DatabaseProperty property : DatabaseProperty.values()) {
            values.put(property, value(property, about));
          }
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
}
