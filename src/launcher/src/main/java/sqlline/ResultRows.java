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
package sqlline;

import java.sql.SQLException;

/** A result's rows as texts, with the SQL types that they had. */
final class ResultRows extends BufferedRows {
  private final CellReader cells;

  ResultRows(SqlLine shell, CellReader cells) throws SQLException {
    super(shell, cells.asTexts());
    this.cells = cells;
  }

  /**
   * SQL type of a column of the result.
   *
   * @param column from 0
   * @return a constant of {@link java.sql.Types}
   */
  int sqlType(int column) {
    return cells.sqlType(column + 1);
  }
}
