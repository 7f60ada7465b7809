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

import io.statesql.schema.DescribedTable;
import io.statesql.schema.DescribedTable.ColumnDescription;
import io.statesql.sql.statement.SqlShow;
import io.statesql.sql.statement.SqlUse;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What {@code SHOW} and {@code DESCRIBE} list: the names that a connection sees, in the order of
 * their letters, and columns in the order of the table.
 */
final class NameListing {
  private final CalciteSchema root;
  private final List<String> path;

  /**
   * @param path the current catalog and, if there is one, the current schema
   */
  NameListing(CalciteSchema root, List<String> path) {
    this.root = root;
    this.path = path;
  }

  /** {@code SHOW} of anything but columns. */
  ListedRows show(SqlShow statement) {
    Predicate<String> isAsked = JdbcPattern.of(statement.pattern())::matches;
    SqlIdentifier place = statement.place();
    return switch (statement.subject()) {
      case CATALOGS -> catalogs(isAsked);
      case SCHEMAS -> schemas(scope(place, SqlUse.Level.CATALOG), isAsked);
      case TABLES -> tables(scope(place, SqlUse.Level.ANY), isAsked);
      case COLUMNS -> throw new IllegalArgumentException("columns are those of a table");
    };
  }

  /** {@code SHOW TABLES FROM} a scope. */
  ListedRows tablesOf(SqlIdentifier name) {
    return tables(scope(name, SqlUse.Level.ANY), table -> true);
  }

  private NameScope scope(@Nullable SqlIdentifier name, SqlUse.Level level) {
    if (name != null) {
      return NameScope.of(root, path.get(0), level, name);
    }
    boolean hasSchema = path.size() > 1 && level != SqlUse.Level.CATALOG;
    return new NameScope(path.get(0), hasSchema ? path.get(1) : null);
  }

  private ListedRows catalogs(Predicate<String> isAsked) {
    return new ListedRows(
        List.of("catalog_name"),
        List.of(String.class),
        () -> names(root).filter(isAsked).map(name -> new Object[] {name}));
  }

  private ListedRows schemas(NameScope scope, Predicate<String> isAsked) {
    return new ListedRows(
        List.of("schema_name"),
        List.of(String.class),
        () ->
            names(root.getSubSchema(scope.catalog(), true))
                .filter(isAsked)
                .map(name -> new Object[] {name}));
  }

  private static Stream<String> names(CalciteSchema parent) {
    return parent.getSubSchemaMap().keySet().stream().sorted();
  }

  private ListedRows tables(NameScope scope, Predicate<String> isAsked) {
    return new ListedRows(
        List.of("schema_name", "table_name", "remarks"),
        List.of(String.class, String.class, String.class),
        () -> scope.schemas(root).stream().flatMap(schema -> tables(schema, isAsked)));
  }

  private static Stream<Object[]> tables(CalciteSchema schema, Predicate<String> isAsked) {
    return schema.getTableNames(LikePattern.any()).stream()
        .sorted()
        .filter(isAsked)
        .map(
            name -> {
              Table table = schema.getTable(name, true).getTable();
              String remarks = table instanceof DescribedTable known ? known.remarks() : null;
              return new Object[] {schema.getName(), name, remarks};
            });
  }

  /** The columns of a table whose names fit a pattern; null for all. */
  static ListedRows columns(SqlValidatorTable table, @Nullable String pattern) {
    Predicate<String> isAsked = JdbcPattern.of(pattern)::matches;
    return new ListedRows(
        List.of("column_name", "data_type", "is_nullable", "is_key", "remarks"),
        List.of(String.class, String.class, Boolean.class, Boolean.class, String.class),
        () -> {
          DescribedTable described = table.unwrap(DescribedTable.class);
          List<ColumnDescription> descriptions =
              described == null ? List.of() : described.columnDescriptions();
          return table.getRowType().getFieldList().stream()
              .filter(field -> isAsked.test(field.getName()))
              .map(field -> column(field, descriptions));
        });
  }

  private static Object[] column(RelDataTypeField field, List<ColumnDescription> descriptions) {
    int index = field.getIndex();
    ColumnDescription known = index < descriptions.size() ? descriptions.get(index) : null;
    return new Object[] {
      field.getName(),
      known == null ? field.getType().toString() : known.type(),
      field.getType().isNullable(),
      known == null ? null : known.isKey(),
      known == null ? null : known.remarks()
    };
  }
}
