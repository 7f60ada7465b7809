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
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.ddl.SqlDropSchema;

/** {@code DROP SCHEMA}, which removes an operator. */
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

  <T> CalciteSignature<T> signature(CalciteSchema root) {
    return ActionSignature.of(sql, root, context -> run(context, root));
  }

  private void run(DataContext context, CalciteSchema root) {
    CalciteSchema parent = root;
    CalciteSchema schema = root;
    for (String name : path) {
      parent = schema;
      schema = parent.getSubSchema(name, false);
      if (schema == null) {
        if (statement.ifExists) {
          return;
        }
        throw parent == root
            ? NameScope.unknownCatalog(root, name)
            : NameScope.unknownSchema(parent, name);
      }
    }
    if (!(schema.schema instanceof DroppableSchema operator)) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "The schema %s is no operator and cannot be dropped."
              .formatted(NearestNames.quote(path.get(path.size() - 1))));
    }
    operator.drop(StatementChanges.of(context, sql));
  }
}
