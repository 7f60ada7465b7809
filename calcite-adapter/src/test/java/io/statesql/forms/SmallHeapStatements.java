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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

/** Runs statements on a snapshot of {@link ManyKeys}; to be run in a small heap. */
public final class SmallHeapStatements {
  static final String COMMIT = "COMMIT";

  /** How often a statement with a parameter runs. */
  static final int REPEATED = 3_000;

  private SmallHeapStatements() {}

  /**
   * Prints the first value of each query and the count of each change.
   *
   * @param args the snapshot, where commits go, and statements in which {@code %s} stands for the
   *     operator, and {@code ?}, if there is one, for each number below {@link #REPEATED}
   */
  public static void main(String[] args) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:statesql:snapshot=state=" + args[0] + ";commitTo=" + args[1]);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      String operator = '"' + first(statement, "SELECT schema_name FROM operators") + "\".";
      for (String sql : Arrays.asList(args).subList(2, args.length)) {
        if (sql.equals(COMMIT)) {
          connection.commit();
        } else if (sql.startsWith("SELECT")) {
          System.out.println(first(statement, sql.formatted(operator)));
        } else if (sql.contains("?")) {
          System.out.println(repeat(connection, sql.formatted(operator)));
        } else {
          System.out.println(statement.executeLargeUpdate(sql.formatted(operator)));
        }
      }
    }
  }

  private static long repeat(Connection connection, String sql) throws SQLException {
    long count = 0;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < REPEATED; i++) {
        statement.setInt(1, i);
        count += statement.executeLargeUpdate();
      }
    }
    return count;
  }

  private static String first(Statement statement, String query) throws SQLException {
    try (ResultSet results = statement.executeQuery(query)) {
      results.next();
      return results.getString(1);
    }
  }
}
