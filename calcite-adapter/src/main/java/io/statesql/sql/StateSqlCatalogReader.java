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
package io.statesql.sql;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.validate.SqlNameMatchers;

/**
 * Resolves names along the search path: the current schema, the catalog's {@code sys}, the current
 * catalog (for {@code schema.table}), the root (for {@code catalog.schema.table}).
 *
 * <p>The first place on the path where a name fits wins, and an exact match wins within one place:
 * a table of the current schema hides a system table whose name differs from it by case alone,
 * which {@code sys.} still reaches.
 */
public final class StateSqlCatalogReader extends CalciteCatalogReader {
  /** The schema of the system tables in every catalog. */
  public static final String SYSTEM_SCHEMA = "sys";

  private StateSqlCatalogReader(
      CalciteSchema rootSchema,
      List<List<String>> schemaPaths,
      RelDataTypeFactory typeFactory,
      CalciteConnectionConfig config) {
    super(rootSchema, SqlNameMatchers.withCaseSensitive(false), schemaPaths, typeFactory, config);
  }

  /**
   * Makes a reader.
   *
   * @param defaultPath the current catalog and, if there is one, the current schema
   */
  public static StateSqlCatalogReader of(
      CalciteSchema rootSchema,
      List<String> defaultPath,
      RelDataTypeFactory typeFactory,
      CalciteConnectionConfig config) {
    return new StateSqlCatalogReader(rootSchema, searchPath(defaultPath), typeFactory, config);
  }

  private static List<List<String>> searchPath(List<String> defaultPath) {
    var paths = new ArrayList<List<String>>();
    if (!defaultPath.isEmpty()) {
      String catalog = defaultPath.get(0);
      paths.add(ImmutableList.copyOf(defaultPath));
      paths.add(ImmutableList.of(catalog, SYSTEM_SCHEMA));
      paths.add(ImmutableList.of(catalog));
    }
    paths.add(ImmutableList.of());
    return paths;
  }

  @Override
  public StateSqlCatalogReader withSchemaPath(List<String> schemaPath) {
    return of(rootSchema, schemaPath, typeFactory, config);
  }
}
