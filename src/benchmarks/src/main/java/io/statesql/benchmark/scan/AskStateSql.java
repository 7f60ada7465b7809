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
package io.statesql.benchmark.scan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;

/** Asks StateSQL one question again and again, over one connection. */
public final class AskStateSql {
  private AskStateSql() {}

  /**
   * The arguments: the snapshot; a file with the statement; how often to ask. Prints for each time
   * a line with nanoseconds and the answer.
   */
  public static void main(String[] args) throws SQLException, IOException {
    String sql = Files.readString(Path.of(args[1]));
    try (Connection connection = DriverManager.getConnection("jdbc:statesql:snapshot=" + args[0])) {
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        long begin = System.nanoTime();
        String sums = ask(connection, sql);
        System.out.println(new Answer(System.nanoTime() - begin, sums).line());
      }
    }
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      results.next();
      StringJoiner sums = new StringJoiner(",");
      for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
        sums.add(results.getString(i));
      }
      return sums.toString();
    }
  }
}
