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

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Serves the sample in a process of its own. */
final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final URI url;

  private ServerProcess(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts one.
   *
   * @param heap an option of Java
   * @param users who may read, with their names twice as passwords; none if everybody may
   */
  static ServerProcess start(String heap, String... users) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-cp",
                System.getProperty("java.class.path"),
                ServerProcess.class.getName()));
    command.addAll(List.of(users));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String url = process.inputReader().readLine();
    if (url == null) {
      throw new IOException("The server did not start");
    }
    return new ServerProcess(process, URI.create(url));
  }

  /** The process itself: prints its URL and ends when its standard input does. */
  public static void main(String[] users) throws Exception {
    Map<String, Object> settings = new HashMap<>();
    if (users.length > 0) {
      List<Map<String, String>> accounts = new ArrayList<>();
      for (String user : users) {
        accounts.add(
            Map.of(
                "name",
                user,
                "password",
                PasswordHash.of(user + user).toString(),
                "role",
                "reader"));
      }
      settings.put("users", accounts);
    }
    try (StateSqlServer server = StateSqlServer.start(RunningServer.config(settings))) {
      System.out.println(server.url());
      System.in.transferTo(System.out);
    }
  }

  URI url() {
    return url;
  }

  String jdbcUrl() {
    return "jdbc:avatica:remote:serialization=protobuf;url=" + url;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl());
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
