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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/** Asks StateSQL one question again and again, over one connection. */
public final class AskStateSql {
  private AskStateSql() {}

  /**
   * The arguments: the snapshot; a file with the statement; for how many seconds to ask until the
   * JVM is warm; how often to ask then; and, if the statement is prepared once, the number that is
   * its parameter. Prints for each time a line with nanoseconds and the answer.
   */
  public static void main(String[] args) throws SQLException, IOException {
    String sql = Files.readString(Path.of(args[1]));
    try (Connection connection = DriverManager.getConnection("jdbc:statesql:snapshot=" + args[0])) {
      if (args.length == 4) {
        ask(args, () -> ask(connection, sql));
        return;
      }
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        ask(args, () -> ask(statement, Long.parseLong(args[4])));
      }
    }
  }

  /** Gives the sums. */
  private interface Asking {
    String ask() throws SQLException;
  }

  private static void ask(String[] args, Asking asking) throws SQLException {
    long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
    while (System.nanoTime() < warm) {
      askOnce(asking);
    }
    for (int i = 0; i < Integer.parseInt(args[3]); i++) {
      askOnce(asking);
    }
  }

  private static void askOnce(Asking asking) throws SQLException {
    long begin = System.nanoTime();
    String sums = asking.ask();
    System.out.println(new Answer(System.nanoTime() - begin, sums).line());
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      return sums(results);
    }
  }

  private static String ask(PreparedStatement statement, long key) throws SQLException {
    statement.setLong(1, key);
    try (ResultSet results = statement.executeQuery()) {
      return sums(results);
    }
  }

  private static String sums(ResultSet results) throws SQLException {
    results.next();
    StringJoiner sums = new StringJoiner(",");
    for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
      sums.add(results.getString(i));
    }
    return sums.toString();
  }
}
