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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server in a process of its own, which can be killed. */
final class KillableServer implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final String url;

  private KillableServer(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Serves the sample to those who change it. */
  static KillableServer start(Path commits) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            KillableServer.class.getName(),
            commits.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String url =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    if (url == null) {
      throw new IOException("The server did not start");
    }
    return new KillableServer(process, url);
  }

  /** The process itself. */
  public static void main(String[] args) throws Exception {
    ServerConfig config = RunningServer.config(Map.of("writable", true, "commitTo", args[0]));
    try (StateSqlServer server = StateSqlServer.start(config)) {
      System.out.println(server.url());
      server.join();
    }
  }

  HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return HTTP.send(
        headers.length == 0 ? request.build() : request.headers(headers).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
