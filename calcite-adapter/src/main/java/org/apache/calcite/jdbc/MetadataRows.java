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

import io.statesql.schema.DescribedTable;
import io.statesql.schema.DescribedTable.ColumnDescription;
import java.sql.DatabaseMetaData;
import java.util.List;
import org.apache.calcite.avatica.MetaImpl.MetaColumn;
import org.apache.calcite.avatica.MetaImpl.MetaTable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.schema.Table;

/**
 * Rows of JDBC's metadata that say more than Avatica's. Their fields are found by the names of the
 * columns, and these classes are public for it.
 */
public final class MetadataRows {
  private MetadataRows() {}

  private static List<ColumnDescription> columnsOf(Table table) {
    return table instanceof DescribedTable described ? described.columnDescriptions() : List.of();
  }

  /** A table, with what it holds and where its columns are. */
  @SuppressWarnings("HidingField") // Avatica's remarks are always null
  public static final class TableRow extends MetaTable {
    public final String remarks;
    final Table table;

    TableRow(Table table, String catalog, String schema, String name) {
      super(catalog, schema, name, table.getJdbcTableType().jdbcName);
      this.table = table;
      this.remarks = table instanceof DescribedTable described ? described.remarks() : "";
    }

    /** The columns that tell its rows apart, in the order of the table. */
    List<KeyRow> key() {
      List<ColumnDescription> key =
          columnsOf(table).stream().filter(ColumnDescription::isKey).toList();
      return key.stream()
          .map(column -> new KeyRow(this, column.name(), (short) (key.indexOf(column) + 1)))
          .toList();
    }
  }

  /** A column, with what it holds. */
  @SuppressWarnings("HidingField") // Avatica's remarks are always null
  public static final class ColumnRow extends MetaColumn {
    public final String remarks;

    ColumnRow(
        TableRow table,
        String name,
        int position,
        RelDataType type,
        int jdbcType,
        String typeName) {
      super(
          table.tableCat,
          table.tableSchem,
          table.tableName,
          name,
          jdbcType,
          typeName,
          type.getPrecision(),
          type.getSqlTypeName().allowsScale() ? type.getScale() : null,
          10,
          type.isNullable() ? DatabaseMetaData.columnNullable : DatabaseMetaData.columnNoNulls,
          type.getPrecision(),
          position + 1,
          type.isNullable() ? "YES" : "NO",
          "NO",
          "NO");
      List<ColumnDescription> described = columnsOf(table.table);
      this.remarks = position < described.size() ? described.get(position).remarks() : "";
    }
  }

  /** A column of a primary key. */
  public static final class KeyRow {
    public final String tableCat;
    public final String tableSchem;
    public final String tableName;
    public final String columnName;
    public final short keySeq;
    public final String pkName = null;

    KeyRow(TableRow table, String columnName, short keySeq) {
      this.tableCat = table.tableCat;
      this.tableSchem = table.tableSchem;
      this.tableName = table.tableName;
      this.columnName = columnName;
      this.keySeq = keySeq;
    }
  }
}
