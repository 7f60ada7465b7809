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
package io.statesql.forms;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks a snapshot of {@link ManyKeys} about all that it holds; to be run in a small heap. */
public final class SmallHeapQueries {
  private SmallHeapQueries() {}

  public static void main(String[] args) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:statesql:snapshot=state=" + args[0]);
        Statement statement = connection.createStatement()) {
      String operator = '"' + first(statement, "SELECT schema_name FROM operators") + "\".";
      for (String query :
          new String[] {
            "SELECT count(*) FROM %skeyed_state",
            "SELECT sum(total) FROM %skeyed_state WHERE CARDINALITY(names) = 2",
            "SELECT count(*) FROM %snames WHERE char_length(list_value) > 1000",
            "SELECT sum(map_value) FROM %scounts",
            "SELECT max(char_length(state_value)) FROM %sthird"
          }) {
        System.out.println(first(statement, query.formatted(operator)));
      }
    }
  }

  private static String first(Statement statement, String query) throws SQLException {
    try (ResultSet results = statement.executeQuery(query)) {
      results.next();
      return results.getString(1);
    }
  }
}
