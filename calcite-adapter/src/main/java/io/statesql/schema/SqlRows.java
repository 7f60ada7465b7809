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
package io.statesql.schema;

import io.statesql.Cancellation;
import io.statesql.format.model.RowCursor;
import io.statesql.type.SqlType;
import java.util.List;
import java.util.function.Predicate;

/** Rows whose values are those of {@link SqlValues}. */
final class SqlRows implements RowCursor {
  private final RowCursor decoded;
  private final SqlType[] types;

  private SqlRows(RowCursor decoded, SqlType[] types) {
    this.decoded = decoded;
    this.types = types;
  }

  /**
   * The same rows for Calcite.
   *
   * @param types of their columns
   */
  static RowCursor of(RowCursor decoded, List<SqlType> types) {
    SqlType[] converted = converted(types);
    return converted == null ? decoded : new SqlRows(decoded, converted);
  }

  /** A test of decoded values that a test of Calcite's makes. */
  static Predicate<Object[]> test(Predicate<Object[]> test, List<SqlType> types) {
    SqlType[] converted = converted(types);
    return converted == null ? test : row -> test.test(converted(row.clone(), converted));
  }

  /** The types of columns whose values differ, null for others; null if there is none. */
  private static SqlType[] converted(List<SqlType> types) {
    if (types.stream().noneMatch(SqlValues::differ)) {
      return null;
    }
    return types.stream().map(type -> SqlValues.differ(type) ? type : null).toArray(SqlType[]::new);
  }

  private static Object[] converted(Object[] row, SqlType[] types) {
    for (int i = 0; i < types.length; i++) {
      if (types[i] != null) {
        row[i] = SqlValues.of(types[i], row[i]);
      }
    }
    return row;
  }

  @Override
  public boolean next() {
    return decoded.next();
  }

  @Override
  public Object[] row() {
    return converted(decoded.row(), types);
  }

  @Override
  public List<Object[]> takeReady() {
    return decoded.takeReady().stream().map(row -> converted(row.clone(), types)).toList();
  }

  @Override
  public long tableRows() {
    return decoded.tableRows();
  }

  @Override
  public long passAll(Cancellation cancellation) {
    return decoded.passAll(cancellation);
  }

  @Override
  public void close() {
    decoded.close();
  }
}
