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
package io.statesql.coordinator.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.coordinator.InstanceFilter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoordinatorClientTest {
  private static CoordinatorClient client(int port) {
    return client(port, Duration.ofMinutes(1));
  }

  private static CoordinatorClient client(int port, Duration timeout) {
    return new CoordinatorClient(ClientOptions.of("http://localhost:" + port).withTimeout(timeout));
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void unreachableCoordinatorIsNamed() throws Exception {
    int port;
    try (ServerSocket free = listen()) {
      port = free.getLocalPort();
    }
    assertThatThrownBy(() -> client(port).countInstances(InstanceFilter.ALL))
        .isInstanceOf(CoordinatorUnavailableException.class)
        .hasMessage(
            "The coordinator at http://localhost:"
                + port
                + " cannot be reached (nothing listens there).");
  }

  @Test
  void silentCoordinatorIsGivenUp() throws Exception {
    try (ServerSocket silent = listen()) {
      CoordinatorClient impatient = client(silent.getLocalPort(), Duration.ofMillis(300));
      assertThatThrownBy(() -> impatient.countInstances(InstanceFilter.ALL))
          .isInstanceOf(CoordinatorUnavailableException.class)
          .hasMessageContaining("no answer within 300 ms");
    }
  }

  @Test
  void queryIsTriedAgainAndSoSucceeds() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket server = listen()) {
      Thread answering =
          new Thread(
              () -> {
                try {
                  server.accept().close();
                  connections.incrementAndGet();
                  try (Socket second = server.accept()) {
                    connections.incrementAndGet();
                    second.getInputStream().readNBytes(10);
                    String body = "{\"count\":7,\"fieldOfALaterVersion\":1}";
                    String head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length();
                    second
                        .getOutputStream()
                        .write((head + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII));
                  }
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      answering.start();
      assertThat(client(server.getLocalPort()).countInstances(InstanceFilter.ALL)).isEqualTo(7);
      answering.join(60_000);
      assertThat(connections).hasValue(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost:8766",
        "ftp://h:1",
        "http://",
        "http://h:1/x",
        "http://u@h:1",
        "a b"
      })
  void whatIsNoUrlOfACoordinatorIsRefused(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientOptions.of(url))
        .withMessageContaining("http://HOST:PORT");
  }

  @Test
  void optionsDoNotShowTheToken() {
    assertThat(ClientOptions.of("http://h:1").withToken("a-secret-token"))
        .hasToString("http://h:1");
  }
}
