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
package io.statesql.sql.statement;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code USE [CATALOG | SCHEMA] place}. */
public final class SqlUse extends SqlCall {
  private static final SqlOperator OPERATOR = new SqlSpecialOperator("USE", SqlKind.OTHER);

  private final Level level;
  private final SqlIdentifier place;

  /** What a name is said to be. */
  public enum Level {
    /** A schema of the current catalog, else a catalog, or both with a dot between. */
    ANY,
    /** A catalog. */
    CATALOG,
    /** A schema, with its catalog or without. */
    SCHEMA
  }

  /** Made by the parser. */
  public SqlUse(SqlParserPos pos, Level level, SqlIdentifier place) {
    super(pos);
    this.level = level;
    this.place = place;
  }

  /** What the name is said to be. */
  public Level level() {
    return level;
  }

  /** The name. */
  public SqlIdentifier place() {
    return place;
  }

  @Override
  public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of(place);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(level == Level.ANY ? "USE" : "USE " + level.name());
    place.unparse(writer, 0, 0);
  }
}
