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
package io.statesql.jdbc;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.sql.SqlErrors;
import io.statesql.sql.StateSqlTypeFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.ConnectStringParser;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.jdbc.StateSqlJdbcFactory;

/**
 * The driver of {@code jdbc:statesql:snapshot=PATH}. Its properties are those of {@link
 * ConnectionOptions}; the first catalog is the current one. Thread safe; a connection serves one
 * thread at a time.
 */
public final class StateSqlDriver extends Driver {
  /** How the URLs of this driver begin. */
  public static final String URL_PREFIX = "jdbc:statesql:";

  static {
    try {
      DriverManager.registerDriver(new StateSqlDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Supplier<CatalogSource> source;

  /**
   * The driver that {@link DriverManager} knows; it takes the {@link CatalogSource} that is
   * registered as a service.
   */
  public StateSqlDriver() {
    this(StateSqlDriver::registeredSource);
  }

  /** A driver with a source of its own, unknown to {@link DriverManager}. */
  public StateSqlDriver(CatalogSource source) {
    this(() -> source);
    Objects.requireNonNull(source, "source");
  }

  /**
   * The same, whose planner is less patient or more.
   *
   * @param mostAttempts as {@link PlanningLimit} counts them
   */
  StateSqlDriver(CatalogSource source, long mostAttempts) {
    super(() -> new StateSqlPrepare(mostAttempts));
    this.source = () -> source;
  }

  private StateSqlDriver(Supplier<CatalogSource> source) {
    super(StateSqlPrepare::new);
    this.source = source;
  }

  private static CatalogSource registeredSource() {
    return ServiceLoader.load(CatalogSource.class, StateSqlDriver.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new StateSqlException(
                    ErrorCode.INTERNAL_ERROR,
                    "This build of StateSQL has no part that opens snapshots."));
  }

  @Override
  public Driver withPrepareFactory(Supplier<CalcitePrepare> prepareFactory) {
    throw new UnsupportedOperationException(
        "the name rules and types belong to this driver's own prepare");
  }

  @Override
  protected String getConnectStringPrefix() {
    return URL_PREFIX;
  }

  @Override
  protected AvaticaFactory createFactory() {
    return new StateSqlJdbcFactory();
  }

  @Override
  protected DriverVersion createDriverVersion() {
    return Version.current();
  }

  @Override
  public Meta createMeta(AvaticaConnection connection) {
    return StateSqlJdbcFactory.createMeta(connection);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return ConnectionOptions.PROPERTY_NAMES.stream()
        .map(name -> new DriverPropertyInfo(name, info.getProperty(name)))
        .toArray(DriverPropertyInfo[]::new);
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    try {
      ConnectionOptions options =
          ConnectionOptions.of(ConnectStringParser.parse(url.substring(URL_PREFIX.length()), info));
      List<MountedCatalog> catalogs = source.get().open(options);
      if (catalogs.isEmpty()) {
        throw new StateSqlException(
            ErrorCode.INVALID_ARGUMENT,
            "The connection names no snapshot; write " + URL_PREFIX + "snapshot=PATH.");
      }
      CalciteSchema root =
          CalciteSchema.createRootSchema(false, false, "", new RootSchema(catalogs));
      List<String> warnings =
          catalogs.stream().flatMap(catalog -> catalog.warnings().stream()).toList();
      AvaticaConnection connection =
          ((StateSqlJdbcFactory) factory)
              .newConnection(
                  this,
                  url,
                  options,
                  root,
                  new StateSqlTypeFactory(),
                  catalogs.get(0).name(),
                  warnings,
                  catalogs.stream().map(MountedCatalog::resources).toList());
      handler.onConnectionInit(connection);
      return connection;
    } catch (RuntimeException e) {
      throw SqlErrors.translate(e);
    }
  }
}
