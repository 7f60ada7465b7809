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
package io.statesql.coordinator.http;

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.client.ClientOptions;
import io.statesql.coordinator.client.CoordinatorClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A coordinator that serves on a free port, and ways to talk to it. */
final class RunningCoordinator implements AutoCloseable {
  static final String TOKEN = "token-of-the-reporters";
  static final String ADMIN_TOKEN = "token-of-the-administrators";

  final StoreCoordinator coordinator = new StoreCoordinator(CoordinatorSettings.DEFAULT);
  private final CoordinatorServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  RunningCoordinator(AccessTokens tokens, long exchangeTimeoutMillis) throws IOException {
    server =
        new CoordinatorServer(
            coordinator,
            ServerOptions.LOOPBACK.withPort(0).withTokens(tokens),
            exchangeTimeoutMillis);
    server.start();
  }

  String url() {
    return server.url();
  }

  CoordinatorClient client() {
    return new CoordinatorClient(ClientOptions.of(url()));
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url() + path));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> post(String message, String body) throws IOException, InterruptedException {
    return send(
        request("/coordinator/v1/" + message)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  /** A connection on which the test speaks HTTP itself. */
  Socket connect() throws IOException {
    URI uri = URI.create(url());
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    socket.setSoTimeout(300_000);
    return socket;
  }

  /** Sends a text as it is and returns everything that comes back. */
  String exchange(String text) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
