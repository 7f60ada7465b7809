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

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A connection serves request after request, also when some are refused before their bodies were
 * read: each has one reply, and the connection ends only after a reply that says so.
 */
@Timeout(300)
class KeepAliveTest {
  private static final int CLIENTS = 4;
  private static final int ROUNDS = 20;

  /** A request, and the status of its reply. */
  private record Exchange(
      String method, String path, String contentType, String body, String status) {}

  private static final String JSON = "application/json";
  private static final String HEARTBEAT = "{\"host\": \"node\", \"executorId\": \"1\"}";

  private static final List<Exchange> EXCHANGES =
      List.of(
          new Exchange("POST", "/coordinator/v1/Heartbeat", JSON, HEARTBEAT, "200"),
          new Exchange("POST", "/coordinator/v1/Unknown", JSON, HEARTBEAT, "404"),
          new Exchange("POST", "/coordinator/v1/Unknown", JSON, " ".repeat(100_000), "404"),
          new Exchange("POST", "/coordinator/v1/Heartbeat", "text/plain", HEARTBEAT, "415"),
          new Exchange("PUT", "/coordinator/v1/Heartbeat", JSON, HEARTBEAT, "405"),
          new Exchange("POST", "/coordinator/v1/Heartbeat", JSON, "no JSON", "400"),
          new Exchange("POST", "/nowhere", JSON, HEARTBEAT, "404"),
          new Exchange("POST", "/", "text/plain", HEARTBEAT, "415"),
          new Exchange("POST", "/", JSON, "no message", "400"),
          new Exchange("GET", "/state/orders/orders-per-customer/1/order-count", JSON, "", "200"),
          new Exchange("PUT", "/state/orders/orders-per-customer/1/order-count", JSON, "1", "403"));

  @Test
  void eachRequestHasOneReplyAlsoAfterRefusalsThatDidNotReadTheBody() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try (RunningServer server = RunningServer.start()) {
      URI url = URI.create(server.server().url());
      List<Future<?>> all = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        int number = client;
        all.add(
            clients.submit(
                () -> {
                  exchange(url, number);
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      clients.shutdownNow();
    }
  }

  /** All of them in turn, each client with another step, so that each comes after many others. */
  private static void exchange(URI server, int number) throws Exception {
    try (KeepAliveClient client = new KeepAliveClient(server)) {
      for (int i = 0; i < ROUNDS * EXCHANGES.size(); i++) {
        Exchange exchange = EXCHANGES.get(i * (number + 1) % EXCHANGES.size());
        String reply =
            client.send(
                exchange.method(),
                exchange.path(),
                exchange.contentType(),
                exchange.body().getBytes(StandardCharsets.UTF_8));
        assertThat(reply).as("%s", exchange).startsWith("HTTP/1.1 " + exchange.status());
      }
    }
  }
}
