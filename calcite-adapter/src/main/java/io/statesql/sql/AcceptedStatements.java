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
import io.statesql.StateSqlException;
import java.util.Locale;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Lets through the kinds of statements that StateSQL runs, before anything runs them. */
public final class AcceptedStatements {
  private AcceptedStatements() {}

  /**
   * Refuses every statement that is not a query, a change of rows, or the explanation of one.
   *
   * @throws StateSqlException with {@link ErrorCode#UNSUPPORTED_STATEMENT}
   */
  public static void check(SqlNode statement) {
    SqlNode explained =
        statement instanceof SqlExplain explain ? explain.getExplicandum() : statement;
    SqlKind kind = explained.getKind();
    if (kind == SqlKind.MERGE) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "MERGE is not accepted, because its rows would be wrong where the key needs a conversion;"
              + " use UPSERT, or UPDATE and INSERT.");
    }
    boolean accepted =
        kind.belongsTo(SqlKind.QUERY)
            || kind == SqlKind.INSERT
            || kind == SqlKind.UPDATE
            || kind == SqlKind.DELETE;
    if (!accepted) {
      throw new StateSqlException(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "StateSQL runs SELECT, VALUES, WITH, EXPLAIN PLAN FOR, SHOW, DESCRIBE, USE, INSERT, UPSERT, UPDATE, DELETE and DROP SCHEMA, not %s."
              .formatted(kind.name().replace('_', ' ').toUpperCase(Locale.ROOT)));
    }
  }
}
