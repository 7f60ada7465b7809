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
package io.statesql.server;

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.jdbc.CatalogSource;
import io.statesql.jdbc.SnapshotSource;
import io.statesql.schema.MountMoves;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;

/** A server on a free port, and what clients do with it. */
final class RunningServer implements AutoCloseable {
  /** The sample that ships with the project. */
  static final Path ORDERS =
      Path.of("..", "sql-examples", "snapshots", "orders").toAbsolutePath().normalize();

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final StateSqlServer server;
  private final AtomicLong skippedNanos;

  private RunningServer(StateSqlServer server, AtomicLong skippedNanos) {
    this.server = server;
    this.skippedNanos = skippedNanos;
  }

  /** Serves the sample. */
  static RunningServer start() {
    return start(Map.of());
  }

  /** Serves the sample unless other snapshots are named, with more configuration. */
  static RunningServer start(Map<String, Object> config) {
    StoreCoordinator coordinator = new StoreCoordinator(CoordinatorSettings.DEFAULT);
    MountMoves moves = new MountMoves();
    return start(coordinator, new SnapshotSource(coordinator, moves), moves, config);
  }

  /** Serves what a source opens. */
  static RunningServer start(CatalogSource source, Map<String, Object> config) {
    return start(
        new StoreCoordinator(CoordinatorSettings.DEFAULT), source, new MountMoves(), config);
  }

  private static RunningServer start(
      StoreCoordinator coordinator,
      CatalogSource source,
      MountMoves moves,
      Map<String, Object> config) {
    long start = System.nanoTime();
    AtomicLong skippedNanos = new AtomicLong();
    try {
      return new RunningServer(
          StateSqlServer.start(
              config(config), coordinator, source, moves, () -> start + skippedNanos.get()),
          skippedNanos);
    } catch (IOException | SQLException e) {
      throw new AssertionError(e);
    }
  }

  static ServerConfig config(Map<String, Object> config) throws IOException {
    Map<String, Object> all = new HashMap<>();
    all.put("port", 0);
    all.put("snapshots", List.of(ORDERS.toString()));
    all.putAll(config);
    return ServerConfig.read(null, all);
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

  /** Connects as a user. */
  Connection connect(String user, String password) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("authentication", "BASIC");
    properties.setProperty("avatica_user", user);
    properties.setProperty("avatica_password", password);
    return DriverManager.getConnection(jdbcUrl("protobuf"), properties);
  }

  /** Sends a message to the path of Avatica's; headers are names and values in turn. */
  HttpResponse<String> send(String message, String... headers)
      throws IOException, InterruptedException {
    return send("POST", "/", message.getBytes(StandardCharsets.UTF_8), headers);
  }

  HttpResponse<String> send(String method, String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    return HTTP.send(request(method, path, body, headers), HttpResponse.BodyHandlers.ofString());
  }

  /** Gets what is at a path. */
  HttpResponse<byte[]> getBytes(String path, String... headers)
      throws IOException, InterruptedException {
    return HTTP.send(
        request("GET", path, new byte[0], headers), HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpRequest request(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(
                method,
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    return headers.length == 0 ? request.build() : request.headers(headers).build();
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

  /** Lets time pass for the server, whose clock stands still otherwise. */
  void skip(Duration time) {
    skippedNanos.addAndGet(time.toNanos());
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
