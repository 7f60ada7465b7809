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

import io.statesql.ErrorCode;
import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Explains which part of a name is unknown, and names what is near it. */
final class UnknownName {
  /** Calcite 1.41's messages for unknown names; its exceptions do not tell the cause otherwise. */
  private static final Pattern OBJECT =
      Pattern.compile("(?:Object|Table) '.*' not found.*", Pattern.DOTALL);

  private static final Pattern COLUMN =
      Pattern.compile(
          "Column '(.*?)' not found in (any table|table '.*')(; did you mean .*)?", Pattern.DOTALL);

  private static final int MAX_PLACES = 3;

  private final StateSqlCatalogReader reader;
  private final Collection<SqlValidatorNamespace> namespaces;

  /**
   * Makes an explanation.
   *
   * @param namespaces what the statement selects from, as far as the validator knows by now
   */
  UnknownName(StateSqlCatalogReader reader, Collection<SqlValidatorNamespace> namespaces) {
    this.reader = reader;
    this.namespaces = namespaces;
  }

  /**
   * Explains an error of the validator.
   *
   * @return null when the error has another cause than an unknown name
   */
  StateSqlException explain(SqlIdentifier identifier, String message) {
    if (OBJECT.matcher(message).matches()) {
      return unknownTable(identifier.names);
    }
    Matcher column = COLUMN.matcher(message);
    return column.matches() ? unknownColumn(column.group(1), isQuotedWord(identifier)) : null;
  }

  private static boolean isQuotedWord(SqlIdentifier identifier) {
    return identifier.isSimple() && identifier.isComponentQuoted(0);
  }

  private StateSqlException unknownTable(List<String> names) {
    String table = names.get(names.size() - 1);
    List<String> schemaName = names.subList(0, names.size() - 1);
    List<CalciteSchema> schemas = schemas(schemaName);
    if (schemas.isEmpty()) {
      return unknownSchema(schemaName);
    }
    List<CalciteSchema> called = schemas(names);
    if (!called.isEmpty()) {
      return notATable(names, called.get(0));
    }
    Set<String> tables = new LinkedHashSet<>();
    schemas.forEach(schema -> tables.addAll(schema.getTableNames(LikePattern.any())));
    if (schemaName.isEmpty() && columns().contains(table)) {
      return new StateSqlException(
          ErrorCode.UNKNOWN_TABLE,
          "unknown table %1$s; a field of the column %1$s needs the table or its alias in front, as in t.%1$s.field."
              .formatted(NearestNames.quote(table)));
    }
    String where =
        schemaName.isEmpty()
            ? ""
            : " in schema " + NearestNames.quote(schemaName.get(schemaName.size() - 1));
    if (tables.isEmpty()) {
      where += ", which has no tables, for no state is stored of it";
    }
    String parts = schemaName.isEmpty() ? asParts(table) : null;
    if (parts != null) {
      return new StateSqlException(
          ErrorCode.UNKNOWN_TABLE,
          "unknown table %s; each part of a name has quotes of its own: did you mean %s?"
              .formatted(NearestNames.quote(table), parts));
    }
    if (schemaName.isEmpty() && NearestNames.nearest(table, tables).isEmpty()) {
      List<String> elsewhere = tablesOfOperators(table);
      if (!elsewhere.isEmpty()) {
        return new StateSqlException(
            ErrorCode.UNKNOWN_TABLE,
            "unknown table %s; a table of an operator needs its schema: did you mean %s?"
                .formatted(NearestNames.quote(table), String.join(" or ", elsewhere)));
      }
      return new StateSqlException(
          ErrorCode.UNKNOWN_TABLE,
          "unknown table %1$s; a table of an operator needs its schema, as in \"my-uid\".%1$s."
              .formatted(NearestNames.quote(table)));
    }
    return error(ErrorCode.UNKNOWN_TABLE, "unknown table %s%s", table, where, tables);
  }

  /** A name that was quoted as a whole, part by part; null if its first part is no schema. */
  private @Nullable String asParts(String name) {
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      String schema = name.substring(0, dot);
      if (!schema.isEmpty() && !schemas(List.of(schema)).isEmpty()) {
        return NearestNames.quote(schema) + "." + NearestNames.quote(name.substring(dot + 1));
      }
    }
    return null;
  }

  /** Tables of that name in the operators of the current catalog: at most three, in full. */
  private List<String> tablesOfOperators(String table) {
    List<String> found = new ArrayList<>();
    for (List<String> path : reader.getSchemaPaths()) {
      CalciteSchema catalog =
          path.size() == 1
              ? SqlValidatorUtil.getSchema(reader.getRootSchema(), path, reader.nameMatcher())
              : null;
      if (catalog == null) {
        continue;
      }
      for (CalciteSchema schema : catalog.getSubSchemaMap().values()) {
        schema.getTableNames(LikePattern.any()).stream()
            .filter(table::equalsIgnoreCase)
            .map(name -> NearestNames.quote(schema.getName()) + "." + NearestNames.quote(name))
            .forEach(found::add);
        if (found.size() >= MAX_PLACES) {
          return found.subList(0, MAX_PLACES);
        }
      }
    }
    return found;
  }

  /** Explains that a catalog or schema was named where a table should be. */
  private static StateSqlException notATable(List<String> names, CalciteSchema called) {
    String name = names.stream().map(NearestNames::quote).collect(Collectors.joining("."));
    boolean isCatalog = called.path(null).size() == 1;
    String message =
        isCatalog
            ? "%1$s is a snapshot and not a table; its tables are named as in %1$s.sys.operators."
            : called.getName().equals(StateSqlCatalogReader.SYSTEM_SCHEMA)
                ? "%1$s is a schema and not a table; its tables are named as in %1$s.operators."
                : "%1$s is a schema and not a table; its tables are named as in %1$s.keyed_state,"
                    + " and sys.states lists them.";
    return new StateSqlException(ErrorCode.UNKNOWN_TABLE, message.formatted(name));
  }

  private StateSqlException unknownSchema(List<String> names) {
    String schema = names.get(names.size() - 1);
    List<String> catalogName = names.subList(0, names.size() - 1);
    List<CalciteSchema> catalogs = schemas(catalogName);
    if (catalogs.isEmpty()) {
      return error(
          ErrorCode.UNKNOWN_CATALOG,
          "unknown catalog %s%s",
          catalogName.get(0),
          "",
          subSchemas(reader.getRootSchema()));
    }
    Set<String> known = new LinkedHashSet<>();
    catalogs.forEach(catalog -> known.addAll(subSchemas(catalog)));
    String where =
        catalogName.isEmpty()
            ? ""
            : " in catalog " + NearestNames.quote(catalogName.get(catalogName.size() - 1));
    return error(ErrorCode.UNKNOWN_SCHEMA, "unknown schema %s%s", schema, where, known);
  }

  /**
   * @param quoted whether the statement has just this word in double quotes, as other databases
   *     take text
   */
  private StateSqlException unknownColumn(String column, boolean quoted) {
    Set<String> columns = columns();
    if (columns.contains(column)) {
      return new StateSqlException(
          ErrorCode.UNKNOWN_COLUMN,
          "unknown column %s in this part of the statement, for what it selects from has no such column."
              .formatted(NearestNames.quote(column)));
    }
    if (quoted && NearestNames.nearest(column, columns).isEmpty()) {
      return new StateSqlException(
          ErrorCode.UNKNOWN_COLUMN,
          "unknown column %s; text needs single quotes: '%s'."
              .formatted(NearestNames.quote(column), column.replace("'", "''")));
    }
    return error(ErrorCode.UNKNOWN_COLUMN, "unknown column %s%s", column, "", columns);
  }

  /** The columns of all tables that the statement selects from. */
  private Set<String> columns() {
    Set<String> columns = new LinkedHashSet<>();
    for (SqlValidatorNamespace namespace : namespaces) {
      RelDataType type = namespace.getTable() == null ? null : namespace.getTable().getRowType();
      if (type != null) {
        columns.addAll(type.getFieldNames());
      }
    }
    return columns;
  }

  /** Explains that a statement assigns a column that its table does not have. */
  static StateSqlException ofAssigned(String column, Collection<String> columns) {
    return error(ErrorCode.UNKNOWN_COLUMN, "unknown column %s%s", column, "", columns);
  }

  private static StateSqlException error(
      ErrorCode code, String format, String name, String where, Collection<String> known) {
    return new StateSqlException(
        code,
        format.formatted(NearestNames.quote(name), where) + NearestNames.suggestion(name, known));
  }

  /** The schemas that a name means, along the search path. */
  private List<CalciteSchema> schemas(List<String> name) {
    var found = new ArrayList<CalciteSchema>();
    for (List<String> path : reader.getSchemaPaths()) {
      var full = new ArrayList<>(path);
      full.addAll(name);
      CalciteSchema schema =
          SqlValidatorUtil.getSchema(reader.getRootSchema(), full, reader.nameMatcher());
      if (schema != null) {
        found.add(schema);
      }
    }
    return found;
  }

  private static Set<String> subSchemas(CalciteSchema schema) {
    return schema.getSubSchemaMap().keySet();
  }
}
