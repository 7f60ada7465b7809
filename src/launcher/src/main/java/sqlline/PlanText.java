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

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/** The result of an EXPLAIN as its lines: a table of one cell would hide their indentation. */
final class PlanText {
  private static final String COLUMN = "PLAN";

  private PlanText() {}

  /** Whether a result is that of an EXPLAIN. */
  static boolean isPlan(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    return columns.getColumnCount() == 1 && columns.getColumnLabel(1).equals(COLUMN);
  }

  /**
   * Prints all rows.
   *
   * @return how many they were
   */
  static int print(SqlLine shell, ResultSet rows) throws SQLException {
    int count = 0;
    while (rows.next()) {
      String plan = rows.getString(1);
      if (plan != null) {
        plan.lines().map(ControlCharacters::escape).forEach(shell::output);
      }
      count++;
    }
    return count;
  }
}
