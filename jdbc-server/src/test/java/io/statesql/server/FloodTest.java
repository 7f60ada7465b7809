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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with 512 MB outlives whatever many clients do, and goes on serving others. */
@Tag("proof")
@Timeout(600)
class FloodTest {
  private static final String HEAP = "-Xmx512m";
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int SENDERS = 8;

  private static <T> HttpResponse<T> message(
      URI server, String name, String body, HttpResponse.BodyHandler<T> handler) {
    try {
      return HTTP.send(
          HttpRequest.newBuilder(server.resolve("/coordinator/v1/" + name))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          handler);
    } catch (IOException e) {
      throw new AssertionError("The server gave no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static String count(Connection connection) throws SQLException {
    return RunningServer.rows(connection, "SELECT COUNT(*) FROM customers.keyed_state")
        .get(0)
        .get(0);
  }

  @Test
  void uploadsOfInstancesThatNobodyKnowsLeaveRoomForStatements() throws Exception {
    try (ServerProcess server = ServerProcess.start(HEAP);
        Connection connection = server.connect()) {
      ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
      try {
        List<Future<?>> shares = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
          int number = sender;
          shares.add(
              senders.submit(
                  () -> {
                    upload(server.url(), number);
                    return null;
                  }));
        }
        for (Future<?> share : shares) {
          share.get();
        }
      } finally {
        senders.shutdownNow();
      }
      assertThat(count(connection)).isEqualTo("12");
      assertThat(
              RunningServer.rows(
                  connection,
                  "SELECT operator_id, COUNT(*) FROM sys.state_files GROUP BY operator_id"))
          .isNotEmpty();
    }
  }

  private static void upload(URI server, int sender) throws IOException {
    try (KeepAliveClient client = new KeepAliveClient(server)) {
      for (int i = sender; i < 150_000; i += SENDERS) {
        String message =
            """
            {"id": {"checkpointLocation": "/%1$s", "operatorId": "%1$s", "partitionId": 0,
            "storeName": "%1$s", "runId": "%1$s"}, "version": 1, "timeMillis": 1}
            """
                .formatted(i + "-".repeat(200));
        assertThat(
                client.send(
                    "POST",
                    "/coordinator/v1/ReportSnapshotUploaded",
                    "application/json",
                    message.getBytes(StandardCharsets.UTF_8)))
            .containsPattern("^HTTP/1.1 (200|507) ");
      }
    }
  }

  @Test
  void tenClientsListAHundredThousandInstancesAtOnceBesideAStatement() throws Exception {
    ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();
    try (ServerProcess server = ServerProcess.start(HEAP);
        Connection connection = server.connect()) {
      for (int batch = 0; batch < 200; batch++) {
        report(server.url(), 500 * batch, 500);
      }
      Future<?> unused =
          heart.scheduleWithFixedDelay(() -> beat(server.url()), 0, 1, TimeUnit.SECONDS);
      ExecutorService readers = Executors.newFixedThreadPool(10);
      try {
        List<CompletableFuture<Long>> lists =
            IntStream.range(0, 10)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> list(server.url()), readers))
                .toList();
        assertThat(count(connection)).isEqualTo("12");
        for (CompletableFuture<Long> list : lists) {
          assertThat(list.get()).isEqualTo(100_000);
        }
      } finally {
        readers.shutdownNow();
      }
      assertThat(RunningServer.rows(connection, "SELECT COUNT(*) FROM store_locations"))
          .containsExactly(List.of("100000"));
    } finally {
      heart.shutdownNow();
    }
  }

  /** The executor lives, however slow the machine is. */
  private static void beat(URI server) {
    message(
        server,
        "Heartbeat",
        "{\"host\": \"node\", \"executorId\": \"1\"}",
        HttpResponse.BodyHandlers.discarding());
  }

  private static void report(URI server, int first, int count) {
    String reports =
        IntStream.range(first, first + count)
            .mapToObj(
                partition ->
                    """
                    {"id": {"checkpointLocation": "/orders", "operatorId": "0", "partitionId": %d,
                    "runId": "run"}}"""
                        .formatted(partition))
            .collect(Collectors.joining(",", "[", "]"));
    int status =
        message(
                server,
                "ReportActiveInstances",
                "{\"host\": \"node\", \"executorId\": \"1\", \"reports\": " + reports + "}",
                HttpResponse.BodyHandlers.discarding())
            .statusCode();
    assertThat(status).isEqualTo(202);
  }

  /** How many instances a list has, which is read to its end. */
  private static long list(URI server) {
    HttpResponse<InputStream> reply =
        message(
            server,
            "ListInstances",
            "{\"runIds\": [\"run\"]}",
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(reply.statusCode()).isEqualTo(200);
    // An instance is an object that holds its id, another one; all stand in one object more.
    long objects = 0;
    int last = 0;
    try (InputStream body = reply.body()) {
      byte[] part = new byte[1 << 16];
      for (int length = body.read(part); length >= 0; length = body.read(part)) {
        for (int i = 0; i < length; i++) {
          objects += part[i] == '{' ? 1 : 0;
          last = part[i];
        }
      }
    } catch (IOException e) {
      throw new AssertionError("The list broke off", e);
    }
    assertThat(last).isEqualTo('}');
    return objects / 2;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/state/orders/orders-per-customer/1/order-count",
        "/coordinator/v1/Heartbeat"
      })
  void threeHundredClientsThatSendAByteNowAndThenKeepNobodyWaiting(String path) throws Exception {
    ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
    List<Socket> slow = new ArrayList<>();
    try (ServerProcess server = ServerProcess.start(HEAP)) {
      for (int i = 0; i < 300; i++) {
        Socket socket = new Socket(server.url().getHost(), server.url().getPort());
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                ((path.startsWith("/state") ? "PUT " : "POST ")
                        + path
                        + " HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
                    .getBytes(StandardCharsets.US_ASCII));
      }
      Future<?> unused =
          drip.scheduleWithFixedDelay(
              () -> slow.forEach(FloodTest::sendByte), 3, 3, TimeUnit.SECONDS);
      for (int i = 0; i < 20; i++) {
        try (Connection connection = server.connect()) {
          assertThat(count(connection)).isEqualTo("12");
        }
      }
    } finally {
      drip.shutdownNow();
      drip.awaitTermination(1, TimeUnit.MINUTES);
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private static void sendByte(Socket socket) {
    try {
      socket.getOutputStream().write(' ');
    } catch (IOException e) {
      // The server has given this one up.
      return;
    }
  }

  /** Whoever guesses does so from elsewhere. */
  @Test
  @EnabledOnOs(OS.LINUX) // on which a machine has many addresses of its own
  void sixtyWrongPasswordsAtOnceKeepNoUserFromLoggingIn() throws Exception {
    ExecutorService guessers = Executors.newFixedThreadPool(60);
    try (ServerProcess server = ServerProcess.start(HEAP, "rita", "ada")) {
      Connection known = DriverManager.getConnection(server.jdbcUrl(), "rita", "ritarita");
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String password = "guess-" + i;
        answers.add(guessers.submit(() -> guess(server.url(), password)));
      }
      assertThat(count(known)).isEqualTo("12");
      try (Connection again = DriverManager.getConnection(server.jdbcUrl(), "rita", "ritarita");
          Connection first = DriverManager.getConnection(server.jdbcUrl(), "ada", "adaada")) {
        assertThat(count(again)).isEqualTo("12");
        assertThat(count(first)).isEqualTo("12");
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get()).containsAnyOf("is wrong", "Too many logins");
      }
      known.close();
    } finally {
      guessers.shutdownNow();
    }
  }

  private static String guess(URI server, String password) throws IOException {
    String credentials =
        Base64.getEncoder().encodeToString(("ada:" + password).getBytes(StandardCharsets.UTF_8));
    try (Socket socket =
        new Socket(
            InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
            server.getPort(),
            InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
            0)) {
      socket
          .getOutputStream()
          .write(
              ("GET /state/orders/orders-per-customer/1/order-count HTTP/1.1\r\nHost: localhost\r\n"
                      + "Connection: close\r\nAuthorization: Basic "
                      + credentials
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(answer);
      return answer.toString(StandardCharsets.UTF_8);
    }
  }
}
