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

import io.statesql.sql.StateSqlTypeSystem;
import java.sql.ParameterMetaData;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.SqlType;

/** Tells a client in Avatica's words what the columns and parameters of a statement are. */
final class ResultColumns {
  private ResultColumns() {}

  /** What a client has to know before it reads rows, each of which is a list of values. */
  static Meta.Signature signature(ResultSetMetaData result, String sql) throws SQLException {
    return signature(result, sql, List.of(), Meta.StatementType.SELECT);
  }

  /**
   * The same for a prepared statement.
   *
   * @param result null if the statement has no result
   */
  static Meta.Signature signature(
      ResultSetMetaData result, String sql, ParameterMetaData parameters, Meta.StatementType type)
      throws SQLException {
    return signature(result, sql, parameters(parameters), type);
  }

  private static Meta.Signature signature(
      ResultSetMetaData result,
      String sql,
      List<AvaticaParameter> parameters,
      Meta.StatementType type)
      throws SQLException {
    return new Meta.Signature(
        columns(result), sql, parameters, null, Meta.CursorFactory.LIST, type);
  }

  private static List<ColumnMetaData> columns(ResultSetMetaData of) throws SQLException {
    List<ColumnMetaData> columns = new ArrayList<>();
    for (int i = 1; of != null && i <= of.getColumnCount(); i++) {
      int type = of.getColumnType(i);
      columns.add(
          new ColumnMetaData(
              i - 1,
              of.isAutoIncrement(i),
              of.isCaseSensitive(i),
              of.isSearchable(i),
              of.isCurrency(i),
              of.isNullable(i),
              of.isSigned(i),
              of.getColumnDisplaySize(i),
              of.getColumnLabel(i),
              of.getColumnName(i),
              of.getSchemaName(i),
              precision(of, i),
              scale(of, i),
              of.getTableName(i),
              of.getCatalogName(i),
              ColumnMetaData.scalar(
                  type,
                  of.getColumnTypeName(i),
                  ColumnMetaData.Rep.of(SqlType.valueOf(type).internal)),
              of.isReadOnly(i),
              of.isWritable(i),
              of.isDefinitelyWritable(i),
              of.getColumnClassName(i)));
    }
    return columns;
  }

  /**
   * Clients show as many digits of a second as a timestamp declares; one that is computed may
   * declare none, and has milliseconds as all have.
   */
  private static int precision(ResultSetMetaData of, int column) throws SQLException {
    return of.getColumnType(column) == Types.TIMESTAMP
        ? StateSqlTypeSystem.DATETIME_PRECISION
        : of.getPrecision(column);
  }

  /** Clients pad decimals to their scale, except for 0; an unbounded one is as long as it is. */
  private static int scale(ResultSetMetaData of, int column) throws SQLException {
    int scale = of.getScale(column);
    return scale == StateSqlTypeSystem.MAX_DECIMAL_SCALE ? 0 : scale;
  }

  private static List<AvaticaParameter> parameters(ParameterMetaData of) throws SQLException {
    List<AvaticaParameter> parameters = new ArrayList<>();
    for (int i = 1; i <= of.getParameterCount(); i++) {
      parameters.add(
          new AvaticaParameter(
              of.isSigned(i),
              of.getPrecision(i),
              of.getScale(i),
              of.getParameterType(i),
              of.getParameterTypeName(i),
              of.getParameterClassName(i),
              "?" + i));
    }
    return parameters;
  }
}
