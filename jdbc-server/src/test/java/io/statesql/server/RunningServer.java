package io.statesql.server;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A server on a free port, and what clients do with it. */
final class RunningServer implements AutoCloseable {
  /** The sample that ships with the project. */
  static final Path ORDERS =
      Path.of("..", "sql-examples", "snapshots", "orders").toAbsolutePath().normalize();

  private final StateSqlServer server;

  private RunningServer(StateSqlServer server) {
    this.server = server;
  }

  /** Serves the sample. */
  static RunningServer start() {
    return start(Map.of());
  }

  /** Serves the sample unless other snapshots are named, with more configuration. */
  static RunningServer start(Map<String, Object> config) {
    Map<String, Object> all = new HashMap<>();
    all.put("port", 0);
    all.put("snapshots", List.of(ORDERS.toString()));
    all.putAll(config);
    try {
      return new RunningServer(StateSqlServer.start(ServerConfig.read(null, all)));
    } catch (IOException | SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** What a client's URL says about one of the serializations. */
  String jdbcUrl(String serialization) {
    return "jdbc:avatica:remote:url=" + server.url() + ";serialization=" + serialization;
  }

  Connection connect() throws SQLException {
    return connect("protobuf");
  }

  Connection connect(String serialization) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(serialization));
  }

  /** The rows of a statement, each cell as text. */
  static List<List<String>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return rows(result);
    }
  }

  /** The rows of a result, each cell as text. */
  static List<List<String>> rows(ResultSet result) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        row.add(result.getString(i));
      }
      rows.add(row);
    }
    return rows;
  }

  StateSqlServer server() {
    return server;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
