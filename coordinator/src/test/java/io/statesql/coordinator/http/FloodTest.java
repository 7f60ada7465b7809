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

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.statesql.coordinator.InstanceFilter;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.RegistryFullException;
import io.statesql.coordinator.SnapshotUpload;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.client.CoordinatorClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A coordinator with 256 MB outlives whatever many clients do, and goes on serving others. */
@Tag("proof")
@Timeout(600)
class FloodTest {
  private static final StoreLocation NODE = new StoreLocation("node-1", "1");
  private static final int SENDERS = 8;

  private CoordinatorProcess process;
  private CoordinatorClient client;

  @BeforeEach
  void start() throws IOException {
    process = CoordinatorProcess.start("-Xmx256m");
    client = process.client();
  }

  @AfterEach
  void stop() throws Exception {
    process.close();
  }

  private static StoreInstanceId id(String name) {
    return new StoreInstanceId(
        new StoreId("/checkpoints/" + name, "operator-" + name, 0, "store-" + name), "run-" + name);
  }

  /** Whether an upload of an instance that nobody else names was kept. */
  private boolean upload(String name) {
    try {
      return client.reportSnapshotUploaded(id(name), new SnapshotUpload(1, 1));
    } catch (RegistryFullException full) {
      return false;
    }
  }

  private void assertServesOthers() {
    StoreInstanceId known = id("known");
    assertThat(client.verifyIfInstanceActive(known, NODE.executorId())).isTrue();
    client.reportActiveInstance(NODE, InstanceReport.now(known, "flink"));
    assertThat(client.reportSnapshotUploaded(known, new SnapshotUpload(System.nanoTime(), 1)))
        .isTrue();
    assertThat(client.listInstances(InstanceFilter.ALL)).isNotEmpty();
  }

  @Test
  void uploadsOfInstancesThatNobodyKnowsAreRefusedAtALimit() throws Exception {
    client.reportActiveInstance(NODE, InstanceReport.now(id("known"), "flink"));
    ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
    int kept = 0;
    try {
      List<Future<Long>> shares = new ArrayList<>();
      for (int sender = 0; sender < SENDERS; sender++) {
        int number = sender;
        shares.add(
            senders.submit(
                () ->
                    IntStream.range(0, 150_000)
                        .filter(i -> i % SENDERS == number)
                        .filter(i -> upload(i + "-".repeat(100)))
                        .count()));
      }
      for (Future<Long> share : shares) {
        kept += share.get().intValue();
      }
    } finally {
      senders.shutdownNow();
    }
    assertThat(kept).isBetween(10_000, 149_999);
    assertServesOthers();
  }

  @Test
  void tenClientsListAHundredThousandInstancesAtOnce() throws Exception {
    client.reportActiveInstance(NODE, InstanceReport.now(id("known"), "flink"));
    for (int batch = 0; batch < 200; batch++) {
      int first = 500 * batch;
      client.reportActiveInstances(
          NODE,
          IntStream.range(first, first + 500)
              .mapToObj(
                  partition ->
                      InstanceReport.now(
                          new StoreInstanceId(
                              new StoreId("/checkpoints/orders", "operator", partition, "default"),
                              "run"),
                          "flink"))
              .toList());
    }
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest list =
        HttpRequest.newBuilder(process.url().resolve("/coordinator/v1/ListInstances"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"runIds\":[\"run\"]}"))
            .build();
    List<CompletableFuture<HttpResponse<InputStream>>> replies =
        IntStream.range(0, 10)
            .mapToObj(i -> http.sendAsync(list, HttpResponse.BodyHandlers.ofInputStream()))
            .toList();
    List<CompletableFuture<Integer>> counts =
        replies.stream().map(reply -> reply.thenApplyAsync(FloodTest::instances)).toList();
    for (CompletableFuture<Integer> count : counts) {
      assertThat(count.get()).isEqualTo(100_000);
    }
    assertServesOthers();
  }

  private static int instances(HttpResponse<InputStream> reply) {
    assertThat(reply.statusCode()).isEqualTo(200);
    int count = 0;
    try (JsonParser json = new JsonFactory().createParser(reply.body())) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        count += token == JsonToken.FIELD_NAME && json.currentName().equals("executorId") ? 1 : 0;
      }
      return count;
    } catch (IOException e) {
      throw new AssertionError("The list broke off", e);
    }
  }

  @Test
  void threeHundredClientsThatSendAByteNowAndThenKeepNobodyWaiting() throws Exception {
    client.reportActiveInstance(NODE, InstanceReport.now(id("known"), "flink"));
    ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        Socket socket = new Socket(process.url().getHost(), process.url().getPort());
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                ("POST /coordinator/v1/Heartbeat HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
                    .getBytes(StandardCharsets.US_ASCII));
      }
      Future<?> unused =
          drip.scheduleWithFixedDelay(
              () -> slow.forEach(FloodTest::sendByte), 3, 3, TimeUnit.SECONDS);
      for (int i = 0; i < 100; i++) {
        assertServesOthers();
      }
    } finally {
      drip.shutdownNow();
      drip.awaitTermination(1, TimeUnit.MINUTES);
      for (Socket socket : slow) {
        socket.close();
      }
    }
    assertServesOthers();
  }

  private static void sendByte(Socket socket) {
    try {
      socket.getOutputStream().write(' ');
    } catch (IOException e) {
      // The coordinator has given this one up.
      return;
    }
  }
}
