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
import java.util.Locale;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Decides which kinds of statements are accepted. */
final class QueryStatements {
  private QueryStatements() {}

  /**
   * Refuses every statement that is not a query or the explanation of one.
   *
   * @throws StateSqlException with {@link ErrorCode#UNSUPPORTED_STATEMENT}
   */
  static void check(SqlNode statement) {
    SqlNode query = statement instanceof SqlExplain explain ? explain.getExplicandum() : statement;
    SqlKind kind = query.getKind();
    if (!kind.belongsTo(SqlKind.QUERY)) {
      String name = kind.name().replace('_', ' ').toUpperCase(Locale.ROOT);
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "This version of StateSQL reads only: use SELECT, VALUES, WITH or EXPLAIN PLAN FOR, not %s."
              .formatted(name));
    }
  }
}
