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
package org.apache.calcite.jdbc;

import io.statesql.sql.SqlErrors;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** What JDBC asks about the database: a catalog is a snapshot, a schema an operator. */
final class StateSqlDatabaseMetaData extends AvaticaDatabaseMetaData {
  StateSqlDatabaseMetaData(StateSqlConnection connection) {
    super(connection);
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public boolean supportsTransactions() {
    return true;
  }

  @Override
  public boolean supportsResultSetHoldability(int holdability) {
    return holdability == getResultSetHoldability();
  }

  // A result is read once and forwards: what is changed meanwhile does not show in it.

  @Override
  public boolean ownUpdatesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean ownDeletesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean ownInsertsAreVisible(int type) {
    return false;
  }

  @Override
  public boolean othersUpdatesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean othersDeletesAreVisible(int type) {
    return false;
  }

  @Override
  public boolean othersInsertsAreVisible(int type) {
    return false;
  }

  @Override
  public boolean updatesAreDetected(int type) {
    return false;
  }

  @Override
  public boolean deletesAreDetected(int type) {
    return false;
  }

  @Override
  public boolean insertsAreDetected(int type) {
    return false;
  }

  @Override
  public ResultSet getCatalogs() throws SQLException {
    return SqlErrors.<ResultSet, SQLException>translating(super::getCatalogs);
  }

  @Override
  public ResultSet getSchemas(String catalog, String schemaPattern) throws SQLException {
    return SqlErrors.<ResultSet, SQLException>translating(
        () -> super.getSchemas(catalog, schemaPattern));
  }

  @Override
  public ResultSet getTables(
      String catalog, String schemaPattern, String tableNamePattern, String[] types)
      throws SQLException {
    return SqlErrors.<ResultSet, SQLException>translating(
        () -> super.getTables(catalog, schemaPattern, tableNamePattern, types));
  }

  @Override
  public ResultSet getPrimaryKeys(String catalog, String schema, String table) throws SQLException {
    return SqlErrors.<ResultSet, SQLException>translating(
        () -> super.getPrimaryKeys(catalog, schema, table));
  }

  @Override
  public ResultSet getColumns(
      String catalog, String schemaPattern, String tableNamePattern, String columnNamePattern)
      throws SQLException {
    return SqlErrors.<ResultSet, SQLException>translating(
        () -> super.getColumns(catalog, schemaPattern, tableNamePattern, columnNamePattern));
  }
}
