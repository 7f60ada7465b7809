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

import io.statesql.sql.statement.SqlShow;
import io.statesql.sql.statement.SqlUse;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.sql.SqlDescribeSchema;
import org.apache.calcite.sql.SqlDescribeTable;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.ddl.SqlDropSchema;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Statements that have no plan: what they do is known from the names in them. */
final class DirectStatements {
  private static final Set<String> FIRST_WORDS = Set.of("DROP", "SHOW", "DESCRIBE", "DESC", "USE");

  private final StatementContext context;
  private final Function<SqlIdentifier, SqlValidatorTable> tables;

  /**
   * @param tables gives the table of a name in the statement, or throws what is wrong with it
   */
  DirectStatements(StatementContext context, Function<SqlIdentifier, SqlValidatorTable> tables) {
    this.context = context;
    this.tables = tables;
  }

  /**
   * Whether a statement may be one of these.
   *
   * @param firstWord its first word, in upper case
   */
  static boolean canBeginWith(String firstWord) {
    return FIRST_WORDS.contains(firstWord);
  }

  /** The statement, ready to run; null if it is none of these. */
  <T> @Nullable CalciteSignature<T> prepare(String sql, SqlNode statement) {
    CalciteSchema root = context.getRootSchema();
    List<String> path = context.getDefaultSchemaPath();
    if (statement instanceof SqlDropSchema drop) {
      return new DropSchema(sql, drop, path).signature(root);
    }
    if (statement instanceof SqlUse use) {
      NameScope scope = NameScope.of(root, path.get(0), use.level(), use.place());
      return ActionSignature.of(sql, root, unused -> context.use(scope.catalog(), scope.schema()));
    }
    ListedRows listed = listed(statement, new NameListing(root, path));
    return listed == null ? null : listed.signature(sql, root);
  }

  private @Nullable ListedRows listed(SqlNode statement, NameListing names) {
    if (statement instanceof SqlShow show) {
      return show.subject() == SqlShow.Subject.COLUMNS
          ? NameListing.columns(tables.apply(show.place()), show.pattern())
          : names.show(show);
    }
    if (statement instanceof SqlDescribeTable describe) {
      SqlIdentifier column = describe.getColumn();
      return NameListing.columns(
          tables.apply(describe.getTable()), column == null ? null : column.getSimple());
    }
    return statement instanceof SqlDescribeSchema describe
        ? names.tablesOf(describe.getSchema())
        : null;
  }
}
