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

import io.statesql.Cancellation;
import io.statesql.edit.Transaction;
import io.statesql.jdbc.JdbcPattern;
import io.statesql.jdbc.RootSchema;
import io.statesql.sql.StateSqlTypeSystem;
import java.lang.reflect.Field;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.calcite.avatica.AvaticaUtils;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.remote.TypedValue;
import org.apache.calcite.jdbc.MetadataRows.ColumnRow;
import org.apache.calcite.jdbc.MetadataRows.KeyRow;
import org.apache.calcite.jdbc.MetadataRows.TableRow;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Answers JDBC's questions about three levels of names: catalogs are snapshots, schemas operators.
 * Where a program names no catalog, the snapshots of a root other than its newest are left out, for
 * to list what is in them they would all be opened. Patterns are JDBC's: {@code %}, {@code _} and
 * the escape {@code \}. Rows are ordered as {@link DatabaseMetaData} says.
 */
final class StateSqlMeta extends CalciteMetaImpl {
  private static final Set<SqlTypeName> TYPES =
      Set.of(
          SqlTypeName.BOOLEAN,
          SqlTypeName.TINYINT,
          SqlTypeName.SMALLINT,
          SqlTypeName.INTEGER,
          SqlTypeName.BIGINT,
          SqlTypeName.DECIMAL,
          SqlTypeName.REAL,
          SqlTypeName.DOUBLE,
          SqlTypeName.DATE,
          SqlTypeName.TIME,
          SqlTypeName.TIMESTAMP,
          SqlTypeName.VARCHAR,
          SqlTypeName.VARBINARY,
          SqlTypeName.ARRAY,
          SqlTypeName.MAP,
          SqlTypeName.ROW);

  private static final List<String> PRIMARY_KEY_COLUMNS =
      List.of("TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "COLUMN_NAME", "KEY_SEQ", "PK_NAME");

  StateSqlMeta(StateSqlConnection connection) {
    super(connection, CalciteMetaTableFactoryImpl.INSTANCE, CalciteMetaColumnFactoryImpl.INSTANCE);
    connProps.setAutoCommit(true).setReadOnly(false);
    connProps.setDirty(false);
  }

  private Stream<CalciteSchema> catalogsNamed(String catalog) {
    return getConnection().rootSchema.getSubSchemaMap().values().stream()
        .filter(candidate -> catalog == null || candidate.getName().equals(catalog));
  }

  private Stream<SchemaOfCatalog> schemasNamed(String catalog, Pat pattern) {
    JdbcPattern matcher = JdbcPattern.of(pattern.s);
    return catalogsNamed(catalog)
        .filter(parent -> catalog != null || RootSchema.isListedWhole(parent.getName()))
        .flatMap(
            parent ->
                parent.getSubSchemaMap().values().stream()
                    .filter(schema -> matcher.matches(schema.getName()))
                    .map(schema -> new SchemaOfCatalog(parent.getName(), schema)));
  }

  private Stream<TableRow> tablesNamed(String catalog, Pat schemaPattern, Pat tablePattern) {
    JdbcPattern matcher = JdbcPattern.of(tablePattern.s);
    return schemasNamed(catalog, schemaPattern)
        .flatMap(
            schema ->
                schema.schema.getTableNames(LikePattern.any()).stream()
                    .sorted()
                    .filter(matcher::matches)
                    .map(schema::table));
  }

  @Override
  Enumerable<MetaCatalog> catalogs() {
    return Linq4j.asEnumerable(
        catalogsNamed(null).map(catalog -> new MetaCatalog(catalog.getName())).toList());
  }

  @Override
  Enumerable<MetaTableType> tableTypes() {
    return Linq4j.asEnumerable(
        Stream.of(Schema.TableType.SYSTEM_TABLE, Schema.TableType.TABLE)
            .map(type -> new MetaTableType(type.jdbcName))
            .toList());
  }

  @Override
  public MetaResultSet getSchemas(ConnectionHandle ch, String catalog, Pat schemaPattern) {
    return result(
        schemasNamed(catalog, schemaPattern).map(SchemaOfCatalog::toMeta).toList(),
        MetaSchema.class,
        SCHEMA_COLUMNS);
  }

  @Override
  public MetaResultSet getTables(
      ConnectionHandle ch,
      String catalog,
      Pat schemaPattern,
      Pat tableNamePattern,
      List<String> typeList) {
    return result(
        tablesNamed(catalog, schemaPattern, tableNamePattern)
            .filter(table -> typeList == null || typeList.contains(table.tableType))
            .toList(),
        TableRow.class,
        TABLE_COLUMNS);
  }

  @Override
  public MetaResultSet getColumns(
      ConnectionHandle ch,
      String catalog,
      Pat schemaPattern,
      Pat tableNamePattern,
      Pat columnNamePattern) {
    JdbcPattern matcher = JdbcPattern.of(columnNamePattern.s);
    return result(
        tablesNamed(catalog, schemaPattern, tableNamePattern)
            .flatMap(this::columnsOf)
            .filter(column -> matcher.matches(column.columnName))
            .toList(),
        ColumnRow.class,
        COLUMN_COLUMNS);
  }

  @Override
  public MetaResultSet getFunctions(
      ConnectionHandle ch, String catalog, Pat schemaPattern, Pat functionNamePattern) {
    return result(List.<MetaFunction>of(), MetaFunction.class, FUNCTION_COLUMNS);
  }

  @Override
  protected Enumerable<MetaTypeInfo> allTypeInfo() {
    return super.allTypeInfo()
        .where(type -> TYPES.stream().anyMatch(known -> known.getName().equals(type.typeName)))
        .orderBy(type -> type.dataType);
  }

  private Stream<ColumnRow> columnsOf(TableRow table) {
    RelDataType rowType = table.table.getRowType(getConnection().getTypeFactory());
    return rowType.getFieldList().stream().map(field -> column(table, field));
  }

  private ColumnRow column(TableRow table, RelDataTypeField field) {
    RelDataType type = field.getType();
    boolean isText = ((StateSqlConnection) connection).composites().isText(type);
    SqlTypeName typeName = isText ? SqlTypeName.VARCHAR : type.getSqlTypeName();
    boolean isNamedByKind = isText || StateSqlTypeSystem.isUnboundedDecimal(type);
    return new ColumnRow(
        table,
        field.getName(),
        field.getIndex(),
        type,
        typeName.getJdbcOrdinal(),
        isNamedByKind ? typeName.getName() : type.toString());
  }

  @Override
  public MetaResultSet getPrimaryKeys(
      ConnectionHandle ch, String catalog, String schema, String table) {
    return result(
        tablesNamed(catalog, exactly(schema), exactly(table))
            .flatMap(found -> found.key().stream())
            .sorted(Comparator.comparing(key -> key.columnName))
            .toList(),
        KeyRow.class,
        PRIMARY_KEY_COLUMNS);
  }

  private static Pat exactly(String name) {
    return Pat.of(name == null ? null : name.replaceAll("[\\\\%_]", "\\\\$0"));
  }

  @Override
  public void commit(ConnectionHandle ch) {
    transaction().commit();
  }

  @Override
  public void rollback(ConnectionHandle ch) {
    transaction().rollback();
  }

  @Override
  public ConnectionProperties connectionSync(ConnectionHandle ch, ConnectionProperties changes) {
    if (changes.isReadOnly() != null) {
      transaction().setReadOnly(changes.isReadOnly());
    }
    if (changes.isAutoCommit() != null) {
      transaction().setAutoCommit(changes.isAutoCommit());
    }
    return super.connectionSync(ch, changes);
  }

  /**
   * Runs nothing yet, be it a query or a change: Avatica calls this while it holds the statement's
   * monitor, which {@link java.sql.Statement#cancel} needs, and reads the rows, or the number of
   * those that were changed, when it has let go of it.
   */
  @Override
  public ExecuteResult execute(StatementHandle h, List<TypedValue> parameters, int firstRows)
      throws NoSuchStatementException {
    Signature signature = getConnection().server.getStatement(h).getSignature();
    return new ExecuteResult(
        List.of(
            MetaResultSet.create(
                h.connectionId, h.id, false, signature, new Frame(0, false, List.of()))));
  }

  @Override
  public ExecuteBatchResult executeBatch(StatementHandle h, List<List<TypedValue>> parameters)
      throws NoSuchStatementException {
    return inBatch(
        h,
        () -> {
          long[] counts = new long[parameters.size()];
          for (int i = 0; i < counts.length; i++) {
            counts[i] = super.execute(h, parameters.get(i), -1).resultSets.get(0).updateCount;
          }
          return new ExecuteBatchResult(counts);
        });
  }

  @Override
  public ExecuteBatchResult prepareAndExecuteBatch(StatementHandle h, List<String> statements)
      throws NoSuchStatementException {
    return inBatch(h, () -> super.prepareAndExecuteBatch(h, statements));
  }

  private ExecuteBatchResult inBatch(StatementHandle h, Batch batch)
      throws NoSuchStatementException {
    Supplier<Cancellation> ofCommit = ((StateSqlConnection) connection).cancellation(h);
    transaction().beginBatch();
    boolean succeeded = false;
    ExecuteBatchResult result;
    try {
      result = batch.execute();
      succeeded = true;
    } finally {
      transaction().endBatch(succeeded, ofCommit.get());
    }
    return result;
  }

  /** Statements of which, with auto-commit, all are committed or none. */
  private interface Batch {
    ExecuteBatchResult execute() throws NoSuchStatementException;
  }

  private Transaction transaction() {
    return ((StateSqlConnection) connection).transaction();
  }

  private <E> MetaResultSet result(
      List<E> rows, Class<? super E> rowClass, List<String> columnNames) {
    var columns = new ArrayList<ColumnMetaData>();
    var fields = new ArrayList<Field>();
    var fieldNames = new ArrayList<String>();
    for (String name : columnNames) {
      String fieldName = AvaticaUtils.toCamelCase(name);
      try {
        Field field = rowClass.getField(fieldName);
        columns.add(columnMetaData(name, fields.size(), field.getType(), false));
        fields.add(field);
        fieldNames.add(fieldName);
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException("no field for column " + name, e);
      }
    }
    return createResultSet(
        Map.of(),
        columns,
        CursorFactory.record(rowClass, fields, fieldNames),
        new Frame(0, true, List.<Object>copyOf(rows)));
  }

  /** A schema with the name of its catalog. */
  private record SchemaOfCatalog(String catalog, CalciteSchema schema) {
    MetaSchema toMeta() {
      return new MetaSchema(catalog, schema.getName());
    }

    TableRow table(String name) {
      return new TableRow(schema.getTable(name, true).getTable(), catalog, schema.getName(), name);
    }
  }
}
