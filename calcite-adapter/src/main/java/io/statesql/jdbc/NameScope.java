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
import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import io.statesql.sql.Positions;
import io.statesql.sql.StateSqlCatalogReader;
import io.statesql.sql.statement.SqlUse;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.sql.SqlIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A catalog or a schema, in which names are looked up.
 *
 * @param schema null for the catalog as a whole
 */
record NameScope(String catalog, @Nullable String schema) {

  /**
   * The scope that a statement names. A single name that is said to be neither is a schema of the
   * current catalog if there is such a one, else a catalog.
   *
   * @param currentCatalog where a schema is looked up that is named alone
   * @throws RuntimeException which tells the position, for a name that means nothing
   */
  static NameScope of(
      CalciteSchema root, String currentCatalog, SqlUse.Level level, SqlIdentifier name) {
    try {
      return find(root, currentCatalog, level, name.names);
    } catch (StateSqlException e) {
      throw Positions.at(name.getParserPosition(), e);
    }
  }

  private static NameScope find(
      CalciteSchema root, String currentCatalog, SqlUse.Level level, List<String> names) {
    int most = level == SqlUse.Level.CATALOG ? 1 : 2;
    if (names.size() > most) {
      throw new StateSqlException(
          ErrorCode.INVALID_STATEMENT,
          "%s is no name of a %s; a name with dots or other marks in it needs double quotes."
              .formatted(
                  names.stream().map(NearestNames::quote).collect(Collectors.joining(".")),
                  most == 1 ? "catalog" : "schema"));
    }
    if (names.size() == 2) {
      CalciteSchema catalog = catalog(root, names.get(0));
      return new NameScope(catalog.getName(), schema(catalog, names.get(1)).getName());
    }
    String name = names.get(0);
    if (level == SqlUse.Level.CATALOG) {
      return new NameScope(catalog(root, name).getName(), null);
    }
    CalciteSchema current = catalog(root, currentCatalog);
    if (level == SqlUse.Level.ANY && current.getSubSchema(name, false) == null) {
      CalciteSchema catalog = root.getSubSchema(name, false);
      if (catalog != null) {
        return new NameScope(catalog.getName(), null);
      }
    }
    return new NameScope(current.getName(), schema(current, name).getName());
  }

  /** The schemas of this scope, those of operators alone where it is a catalog. */
  List<CalciteSchema> schemas(CalciteSchema root) {
    CalciteSchema parent = catalog(root, catalog);
    if (schema != null) {
      return List.of(schema(parent, schema));
    }
    return parent.getSubSchemaMap().values().stream()
        .filter(candidate -> !candidate.getName().equals(StateSqlCatalogReader.SYSTEM_SCHEMA))
        .toList();
  }

  private static CalciteSchema catalog(CalciteSchema root, String name) {
    CalciteSchema found = root.getSubSchema(name, false);
    if (found == null) {
      throw unknownCatalog(root, name);
    }
    return found;
  }

  /** Says that there is no such catalog, and what is near it. */
  static StateSqlException unknownCatalog(CalciteSchema root, String name) {
    return unknown(root, name, ErrorCode.UNKNOWN_CATALOG, "Unknown catalog ");
  }

  private static CalciteSchema schema(CalciteSchema catalog, String name) {
    CalciteSchema found = catalog.getSubSchema(name, false);
    if (found == null) {
      throw unknownSchema(catalog, name);
    }
    return found;
  }

  /** Says that a catalog has no such schema, and what is near it. */
  static StateSqlException unknownSchema(CalciteSchema catalog, String name) {
    return unknown(catalog, name, ErrorCode.UNKNOWN_SCHEMA, "Unknown schema ");
  }

  private static StateSqlException unknown(
      CalciteSchema parent, String name, ErrorCode code, String what) {
    return new StateSqlException(
        code,
        what
            + NearestNames.quote(name)
            + NearestNames.suggestion(name, parent.getSubSchemaMap().keySet()));
  }
}
