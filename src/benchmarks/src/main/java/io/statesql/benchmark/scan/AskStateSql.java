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
    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + args[0])) {
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
