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

import java.sql.Connection;
import java.sql.SQLException;
import org.apache.calcite.avatica.ConnectionPropertiesImpl;
import org.apache.calcite.avatica.Meta.ConnectionProperties;

/** The properties of a connection that a client may set: auto-commit, catalog and schema. */
final class ConnectionSettings {
  private ConnectionSettings() {}

  /**
   * Takes over what a client asks for and tells what holds now. A client sends all that it knows
   * each time, so with another catalog it also sends the schema of the one before.
   *
   * @param asked each property may be null
   */
  static ConnectionProperties apply(ConnectionProperties asked, Connection connection)
      throws SQLException {
    Boolean autoCommit = asked.isAutoCommit();
    if (autoCommit != null && autoCommit != connection.getAutoCommit()) {
      connection.setAutoCommit(autoCommit);
    }
    String schemaBefore = connection.getSchema();
    String catalog = asked.getCatalog();
    boolean moves = catalog != null && !catalog.equals(connection.getCatalog());
    if (moves) {
      connection.setCatalog(catalog);
    }
    String schema = asked.getSchema();
    if (schema != null && !(moves && schema.equals(schemaBefore))) {
      connection.setSchema(schema);
    }
    return new ConnectionPropertiesImpl(
            connection.getAutoCommit(),
            connection.isReadOnly(),
            connection.getTransactionIsolation(),
            connection.getCatalog(),
            connection.getSchema())
        .setDirty(false);
  }
}
