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

import io.statesql.jdbc.ConnectionOptions;
import io.statesql.jdbc.StateSqlDriver;
import java.io.Closeable;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.TimeZone;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.AvaticaSpecificDatabaseMetaData;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.UnregisteredDriver;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.Lex;

/** Makes the JDBC objects of {@link StateSqlDriver}. */
public final class StateSqlJdbcFactory extends CalciteFactory {
  private final CalciteJdbc41Factory calcite = new CalciteJdbc41Factory();

  public StateSqlJdbcFactory() {
    super(4, 1);
  }

  /**
   * Makes a connection.
   *
   * @param catalog the current one
   * @param warnings what {@link java.sql.Connection#getWarnings} says at first
   * @param resources what the connection closes when it is closed
   */
  public AvaticaConnection newConnection(
      StateSqlDriver driver,
      String url,
      ConnectionOptions options,
      CalciteSchema rootSchema,
      JavaTypeFactory typeFactory,
      String catalog,
      List<String> warnings,
      List<Closeable> resources) {
    StateSqlConnection connection =
        new StateSqlConnection(
            driver,
            this,
            url,
            calciteProperties(),
            rootSchema,
            typeFactory,
            options,
            catalog,
            resources);
    warnings.forEach(connection::addWarning);
    return connection;
  }

  /** Makes the part of a connection that answers its requests. */
  public static Meta createMeta(AvaticaConnection connection) {
    return new StateSqlMeta((StateSqlConnection) connection);
  }

  /** What a user may not set: the name rules and the language belong to StateSQL. */
  private static Properties calciteProperties() {
    var properties = new Properties();
    set(properties, CalciteConnectionProperty.LEX, Lex.MYSQL_ANSI.name());
    set(
        properties,
        CalciteConnectionProperty.PARSER_FACTORY,
        "io.statesql.sql.parser.StateSqlParserImpl#FACTORY");
    set(properties, CalciteConnectionProperty.MATERIALIZATIONS_ENABLED, "false");
    return properties;
  }

  private static void set(Properties properties, CalciteConnectionProperty property, String value) {
    properties.setProperty(property.camelName(), value);
  }

  @Override
  public AvaticaConnection newConnection(
      UnregisteredDriver driver,
      AvaticaFactory factory,
      String url,
      Properties info,
      CalciteSchema rootSchema,
      JavaTypeFactory typeFactory) {
    throw new UnsupportedOperationException("a connection needs its catalogs");
  }

  @Override
  public AvaticaStatement newStatement(
      AvaticaConnection connection,
      Meta.StatementHandle handle,
      int resultSetType,
      int resultSetConcurrency,
      int resultSetHoldability)
      throws SQLException {
    StateSqlConnection ours = (StateSqlConnection) connection;
    return ours.limited(
        () ->
            new StateSqlStatement(
                ours, handle, resultSetType, resultSetConcurrency, resultSetHoldability));
  }

  @Override
  public AvaticaPreparedStatement newPreparedStatement(
      AvaticaConnection connection,
      Meta.StatementHandle handle,
      Meta.Signature signature,
      int resultSetType,
      int resultSetConcurrency,
      int resultSetHoldability)
      throws SQLException {
    StateSqlConnection ours = (StateSqlConnection) connection;
    return ours.limited(
        () ->
            calcite.newPreparedStatement(
                connection,
                handle,
                signature,
                resultSetType,
                resultSetConcurrency,
                resultSetHoldability));
  }

  @Override
  public CalciteResultSet newResultSet(
      AvaticaStatement statement,
      QueryState state,
      Meta.Signature signature,
      TimeZone timeZone,
      Meta.Frame firstFrame)
      throws SQLException {
    return new StateSqlResultSet(
        statement,
        (CalcitePrepare.CalciteSignature<?>) signature,
        newResultSetMetaData(statement, signature),
        timeZone,
        firstFrame);
  }

  @Override
  public AvaticaSpecificDatabaseMetaData newDatabaseMetaData(AvaticaConnection connection) {
    return new StateSqlDatabaseMetaData((StateSqlConnection) connection);
  }

  @Override
  public ResultSetMetaData newResultSetMetaData(
      AvaticaStatement statement, Meta.Signature signature) throws SQLException {
    return calcite.newResultSetMetaData(statement, signature);
  }
}
