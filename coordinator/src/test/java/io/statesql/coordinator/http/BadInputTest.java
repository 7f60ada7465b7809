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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.InstanceFilter;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.LocationQuery;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.client.CoordinatorClient;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever comes, it is answered with a reason, nothing is lost, and others are served. */
class BadInputTest {
  private static final StoreLocation LOCATION = new StoreLocation("host", "1");
  private static final StoreInstanceId ID =
      new StoreInstanceId(new StoreId("/checkpoint", "0", 0, StoreId.DEFAULT_NAME), "run");

  private RunningCoordinator running;

  @BeforeEach
  void start() throws IOException {
    running = new RunningCoordinator(AccessTokens.NONE, CoordinatorHandler.TIMEOUT_MILLIS);
    running.coordinator.reportActiveInstance(LOCATION, InstanceReport.now(ID, "spark"));
  }

  @AfterEach
  void othersAreServedAndNothingIsLost() throws IOException {
    try (RunningCoordinator closing = running) {
      CoordinatorClient client = closing.client();
      assertThat(client.getLocation(LocationQuery.of(ID))).contains(LOCATION);
      assertThat(client.listInstances(InstanceFilter.ALL)).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "GetLocation|``|The body must be one JSON object",
        "GetLocation|{|Malformed JSON at line 1, column 2",
        "GetLocation|{}|id is missing",
        "GetLocation|null|not null",
        "GetLocation|[]|The body must be one JSON object",
        "GetLocation|\"text\"|The body must be one JSON object",
        "GetLocation|{\"id\":{}} {}|The body must be one JSON object",
        "GetLocation|{\"id\":1}|Wrong type or value of field id",
        "GetLocation|{\"id\":{},\"di\":1}|Unknown field di",
        "GetLocation|{\"id\":{},\"id\":{}}|Duplicate field 'id'",
        "GetLocation|{\"id\":{\"operatorId\":7}}|Wrong type or value of field id.operatorId",
        "GetLocation|{\"id\":{\"partitionId\":\"7\"}}|field id.partitionId",
        "GetLocation|{\"id\":{\"partitionId\":1.5}}|field id.partitionId",
        "GetLocation|{\"id\":{\"partitionId\":99999999999}}|field id.partitionId",
        "GetLocation|{\"id\":{\"checkpointLocation\":\"/c\",\"operatorId\":\"0\"}}"
            + "|partitionId is missing",
        "GetLocation|{\"id\":{\"operatorId\":\"0\",\"partitionId\":0}}|checkpointLocation is missing",
        "GetLocation|{\"id\":{\"checkpointLocation\":\"\",\"operatorId\":\"0\",\"partitionId\":0}}"
            + "|checkpointLocation must have 1 to 4096 characters",
        "VerifyIfInstanceActive|{\"id\":{\"checkpointLocation\":\"/c\",\"operatorId\":\"0\","
            + "\"partitionId\":0}}|runId is missing",
        "DeactivateInstances|{}|runId is missing",
        "DeactivateInstances|{\"runId\":\"a\\u000ab\"}|must not hold control characters",
        "ReportActiveInstances|{\"host\":\"h\",\"executorId\":\"1\",\"reports\":[{}]}"
            + "|reports[0]: id is missing",
        "ReportActiveInstances|{\"host\":\"h\",\"executorId\":\"1\",\"reports\":[null]}"
            + "|reports[0]: the element is missing",
        "ReportActiveInstances|{\"host\":\"h\",\"executorId\":\"1\",\"reports\":[{\"x\":1}]}"
            + "|Unknown field reports[0].x",
        "Heartbeat|{\"host\":\"h\"}|executorId is missing",
        "GetLaggingStores|{\"runId\":\"run\"}|latestVersion is missing",
        "GetLaggingStores|{\"runId\":\"run\",\"latestVersion\":-1}|must not be negative",
        "ListInstances|{\"partitionIds\":[\"1\"]}|Wrong type or value of field partitionIds[0]",
        "ListInstances|[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]|",
      })
  void wrongBodiesAreRefusedWithTheReason(String message, String body, String reason)
      throws Exception {
    HttpResponse<String> response = running.post(message, body);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(response.body())
        .startsWith("{\"error\":\"" + message + ": ")
        .doesNotContain("statesql", "jackson", "Exception");
    assertThat(response.body().replace("\\\"", "\"")).contains(reason == null ? "" : reason);
  }

  @Test
  void refusedBatchChangesNothing() throws Exception {
    String good =
        "{\"id\":{\"checkpointLocation\":\"/c\",\"operatorId\":\"0\",\"partitionId\":0,"
            + "\"runId\":\"r\"}}";
    HttpResponse<String> response =
        running.post(
            "ReportActiveInstances",
            "{\"host\":\"h\",\"executorId\":\"1\",\"reports\":[" + good + ",{}]}");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("reports[1]: id is missing");
  }

  @Test
  void unknownPathsMethodsAndTypesAreRefused() throws Exception {
    assertThat(running.post("GetLocatio", "{}").statusCode()).isEqualTo(404);
    assertThat(running.send(running.request("/coordinator/v2/GetLocation")).statusCode())
        .isEqualTo(404);
    assertThat(running.send(running.request("/elsewhere")).statusCode()).isEqualTo(404);
    for (String method : List.of("GET", "PUT", "DELETE", "OPTIONS", "HEAD")) {
      HttpResponse<String> response =
          running.send(
              running
                  .request("/coordinator/v1/GetLocation")
                  .method(method, HttpRequest.BodyPublishers.noBody()));
      assertThat(response.statusCode()).as(method).isEqualTo(405);
      assertThat(response.headers().firstValue("Allow")).contains("POST");
    }
    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("{}");
    assertThat(running.send(running.request("/coordinator/v1/Heartbeat").POST(body)).statusCode())
        .isEqualTo(415);
    HttpResponse<String> form =
        running.send(
            running
                .request("/coordinator/v1/Heartbeat")
                .header("Content-Type", "text/plain")
                .POST(body));
    assertThat(form.statusCode()).isEqualTo(415);
    assertThat(form.body()).contains("application/json");
  }

  @Test
  void longBodiesAreRefused() throws Exception {
    HttpResponse<String> response = running.post("GetLocation", " ".repeat(10 * 1024 * 1024));
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(response.body()).contains("1048576 bytes at most");
    assertThat(running.post("GetLocation", " ".repeat(1024 * 1024)).statusCode()).isEqualTo(400);
  }

  @Test
  void webPagesAreRefused() throws Exception {
    HttpResponse<String> crossSite =
        running.send(
            running
                .request("/coordinator/v1/DeactivateInstances")
                .header("Content-Type", "application/json")
                .header("Origin", "https://example.com")
                .POST(HttpRequest.BodyPublishers.ofString("{\"runId\":\"run\"}")));
    assertThat(crossSite.statusCode()).isEqualTo(403);
    assertThat(crossSite.body()).contains("web pages");

    String rebound =
        running.exchange(
            """
            POST /coordinator/v1/DeactivateInstances HTTP/1.1
            Host: example.com:8766
            Content-Type: application/json
            Connection: close
            Content-Length: 15

            {"runId":"run"}"""
                .replace("\n", "\r\n"));
    assertThat(rebound).startsWith("HTTP/1.1 403 ").contains("host name");
  }

  @Test
  void whatIsNoHttpIsRefused() throws Exception {
    assertThat(running.exchange("\u0016\u0003\u0001nonsense\r\n\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains("{\"error\":\"Bad Request.\"}");
    assertThat(running.exchange("POST /coordinator/v1/Heartbeat HTTP/1.1\r\n\r\n"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(running.exchange("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: a\r\n\r\n"))
        .startsWith("HTTP/1.1 414 ");
    assertThat(
            running.exchange(
                "GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + "x".repeat(20_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ");
  }

  @Test
  void slowClientsKeepNobodyWaiting() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try (RunningCoordinator patient = new RunningCoordinator(AccessTokens.NONE, 600_000)) {
      for (int i = 0; i < 200; i++) {
        slow.add(beginAMessage(patient));
      }
      assertThat(patient.client().countInstances(InstanceFilter.ALL)).isZero();
      for (Socket socket : slow) {
        assertThat(socket.getInputStream().available()).as("still waited for").isZero();
        socket.close();
      }
    }
  }

  @Test
  void slowClientsAreToldSo() throws Exception {
    try (RunningCoordinator impatient = new RunningCoordinator(AccessTokens.NONE, 100);
        Socket socket = beginAMessage(impatient)) {
      byte[] start = socket.getInputStream().readNBytes(12);
      assertThat(new String(start, StandardCharsets.ISO_8859_1)).isEqualTo("HTTP/1.1 408");
    }
  }

  private static Socket beginAMessage(RunningCoordinator coordinator) throws IOException {
    Socket socket = coordinator.connect();
    socket
        .getOutputStream()
        .write(
            ("POST /coordinator/v1/Heartbeat HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
                .getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  @Test
  void thousandIdleConnectionsKeepNobodyWaiting() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        idle.add(running.connect());
      }
      assertThat(running.client().getLocation(LocationQuery.of(ID))).contains(LOCATION);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void bodyThatEndsTooSoonChangesNothing() throws Exception {
    try (Socket socket = running.connect()) {
      String cut =
          """
          POST /coordinator/v1/DeactivateInstances HTTP/1.1
          Host: localhost
          Content-Type: application/json
          Content-Length: 100

          {"runId":"run"}"""
              .replace("\n", "\r\n");
      socket.getOutputStream().write(cut.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .doesNotStartWith("HTTP/1.1 200");
    }
  }

  @Test
  void stoppingNeedsAnAdministrator() throws Exception {
    HttpResponse<String> response = running.post("StopCoordinator", "{}");
    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(response.body()).contains("started without one");
  }

  @Test
  void serverBeyondLoopbackNeedsAToken() {
    StoreCoordinator coordinator = new StoreCoordinator(CoordinatorSettings.DEFAULT);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CoordinatorServer(
                    coordinator, new ServerOptions("0.0.0.0", 0, AccessTokens.NONE, Set.of())))
        .withMessageContaining("needs a token");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AccessTokens(Optional.of("short"), Optional.empty()))
        .withMessageContaining("16 or more");
  }

  @Test
  void portThatIsTakenIsNamed() {
    int port = Integer.parseInt(running.url().replaceAll(".*:", ""));
    assertThatThrownBy(
            () ->
                new CoordinatorServer(running.coordinator, ServerOptions.LOOPBACK.withPort(port))
                    .start())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("port " + port)
        .hasMessageContaining("in use")
        .hasMessageContaining("--port 0");
  }
}
