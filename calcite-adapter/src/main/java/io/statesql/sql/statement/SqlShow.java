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
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;
import org.checkerframework.checker.nullness.qual.Nullable;

/** {@code SHOW CATALOGS | SCHEMAS | TABLES | COLUMNS [FROM place] [LIKE 'pattern']}. */
public final class SqlShow extends SqlCall {
  private static final SqlOperator OPERATOR = new SqlSpecialOperator("SHOW", SqlKind.OTHER);

  private final Subject subject;
  private final @Nullable SqlIdentifier place;
  private final @Nullable SqlNode pattern;

  /** What is listed. */
  public enum Subject {
    /** The mounted snapshots. */
    CATALOGS,
    /** The operators of a snapshot, and {@code sys}. */
    SCHEMAS,
    /** The tables of an operator, or of all. */
    TABLES,
    /** The columns of a table. */
    COLUMNS
  }

  /**
   * Made by the parser.
   *
   * @param place the catalog, the schema or the table that was named; always there for columns
   * @param pattern a literal of text
   */
  public SqlShow(
      SqlParserPos pos, Subject subject, @Nullable SqlIdentifier place, @Nullable SqlNode pattern) {
    super(pos);
    this.subject = subject;
    this.place = place;
    this.pattern = pattern;
  }

  /** What is listed. */
  public Subject subject() {
    return subject;
  }

  /** The catalog, the schema or the table that was named. */
  public @Nullable SqlIdentifier place() {
    return place;
  }

  /** The pattern of names, as LIKE has it with the escape {@code \}; null for all names. */
  public @Nullable String pattern() {
    return pattern == null ? null : ((SqlCharStringLiteral) pattern).getValueAs(String.class);
  }

  @Override
  public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(place, pattern);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("SHOW " + subject.name().toUpperCase(Locale.ROOT));
    if (place != null) {
      writer.keyword("FROM");
      place.unparse(writer, 0, 0);
    }
    if (pattern != null) {
      writer.keyword("LIKE");
      pattern.unparse(writer, 0, 0);
    }
  }
}
