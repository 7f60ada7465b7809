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

import io.statesql.sql.parser.StateSqlParserImpl;
import io.statesql.sql.statement.SqlShow;
import io.statesql.sql.statement.SqlUse;
import java.sql.SQLException;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;

/** What a statement would do, by its syntax alone. */
public enum StatementKind {
  /** SELECT, VALUES, WITH, TABLE, SHOW, DESCRIBE, and EXPLAIN of anything. */
  QUERY,
  /** USE, which moves the connection and changes nothing else. */
  USE,
  /** INSERT, UPSERT, UPDATE, DELETE. */
  CHANGE,
  /** DROP SCHEMA, which removes an operator. */
  DROP_OPERATOR,
  /** Anything else that the grammar knows. */
  OTHER;

  private static final SqlParser.Config PARSER =
      SqlParser.config().withLex(Lex.MYSQL_ANSI).withParserFactory(StateSqlParserImpl.FACTORY);

  /**
   * Reads a statement, and does nothing with it.
   *
   * @throws SQLException if it is no statement; the one that running it would give
   */
  public static StatementKind of(String sql) throws SQLException {
    return SqlErrors.<StatementKind, SQLException>translating(
        () -> {
          try {
            return of(SqlParser.create(SqlText.forParser(sql), PARSER).parseStmt());
          } catch (SqlParseException e) {
            throw SqlErrors.translate(e);
          }
        });
  }

  private static StatementKind of(SqlNode statement) {
    SqlKind kind = statement.getKind();
    if (kind == SqlKind.EXPLAIN || kind.belongsTo(SqlKind.QUERY) || statement instanceof SqlShow) {
      return QUERY;
    }
    if (statement instanceof SqlUse) {
      return USE;
    }
    return switch (kind) {
      case DESCRIBE_TABLE, DESCRIBE_SCHEMA -> QUERY;
      case INSERT, UPDATE, DELETE -> CHANGE;
      case DROP_SCHEMA -> DROP_OPERATOR;
      default -> OTHER;
    };
  }
}
