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
import io.statesql.plan.DroppableSchema;
import io.statesql.plan.StatementChanges;
import java.util.List;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.ddl.SqlDropSchema;

/**
 * {@code DROP SCHEMA}. Calcite would run it while it is prepared; this runs it when it is executed,
 * as a statement that changes no rows.
 */
final class DropSchema {
  private final String sql;
  private final SqlDropSchema statement;
  private final List<String> path;

  /**
   * @param defaultPath begins with the current catalog
   */
  DropSchema(String sql, SqlDropSchema statement, List<String> defaultPath) {
    this.sql = sql;
    this.statement = statement;
    SqlIdentifier name = (SqlIdentifier) statement.getOperandList().get(1);
    this.path =
        name.names.size() == 1 ? List.of(defaultPath.get(0), name.names.get(0)) : name.names;
  }

  @SuppressWarnings("unchecked") // the number of rows is what a caller of DML asks for
  <T> CalciteSignature<T> signature(CalciteSchema root) {
    return (CalciteSignature<T>)
        new CalciteSignature<Object>(
            sql,
            List.of(),
            Map.of(),
            null,
            List.of(MetaImpl.columnMetaData("ROWCOUNT", 0, Long.class, false)),
            Meta.CursorFactory.OBJECT,
            root,
            List.of(),
            -1,
            context -> run(context, root),
            Meta.StatementType.IS_DML);
  }

  private Enumerable<Object> run(DataContext context, CalciteSchema root) {
    CalciteSchema schema = root;
    CalciteSchema parent = root;
    for (String name : path) {
      parent = schema == null ? parent : schema;
      schema = schema == null ? null : schema.getSubSchema(name, false);
    }
    if (schema != null && schema.schema instanceof DroppableSchema operator) {
      operator.drop(StatementChanges.of(context, sql));
    } else if (schema != null || !statement.ifExists) {
      String name = NearestNames.quote(path.get(path.size() - 1));
      throw new StateSqlException(
          schema == null ? ErrorCode.UNKNOWN_SCHEMA : ErrorCode.UNSUPPORTED_STATEMENT,
          schema == null
              ? "Unknown schema "
                  + name
                  + NearestNames.suggestion(
                      path.get(path.size() - 1), parent.getSubSchemaMap().keySet())
              : "The schema " + name + " is no operator and cannot be dropped.");
    }
    return Linq4j.singletonEnumerable(0L);
  }
}
