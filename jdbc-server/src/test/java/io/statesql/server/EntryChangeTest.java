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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single entries of the sample over HTTP: PUT and DELETE, their conditions and their commits. */
final class EntryChangeTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COUNT = "/state/orders/orders-per-customer/1/order-count";
  private static final String COUNT_SQL =
      "SELECT state_value FROM \"orders-per-customer\".\"order-count\" WHERE state_key = 1";

  @TempDir private Path commits;

  private RunningServer start(Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(Map.of("writable", true));
    config.put("commitTo", commits.toString());
    config.putAll(more);
    return RunningServer.start(config);
  }

  @Test
  void putAnswersWhenTheChangeIsDurableAndNamesTheSavepoint() throws Exception {
    try (RunningServer server = start(Map.of())) {
      HttpResponse<String> response = put(server, COUNT, "77");
      JsonNode outcome = JSON.readTree(response.body());

      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      assertThat(outcome.path("status").asText()).isEqualTo("committed");
      assertThat(outcome.path("savepoint").asText())
          .isEqualTo(commits.resolve("orders-edited-1").toString());
      assertThat(outcome.path("base").asText()).isEqualTo(RunningServer.ORDERS.toString());
      assertThat(outcome.path("note").asText()).contains("the last writer wins");
      assertThat(commits.resolve("orders-edited-1").resolve("_metadata")).exists();
      assertThat(text(server, COUNT)).isEqualTo("77");
      assertThat(response.headers().firstValue("ETag"))
          .isEqualTo(server.send("HEAD", COUNT, new byte[0]).headers().firstValue("ETag"));
    }
  }

  @Test
  void whoConnectsLaterSeesTheChangeInSql() throws Exception {
    try (RunningServer server = start(Map.of());
        Connection idle = server.connect()) {
      assertThat(RunningServer.rows(idle, COUNT_SQL)).containsExactly(List.of("8"));
      put(server, COUNT, "77");

      assertThat(RunningServer.rows(idle, COUNT_SQL)).containsExactly(List.of("77"));
      try (Connection later = server.connect();
          Statement statement = later.createStatement()) {
        assertThat(RunningServer.rows(later, COUNT_SQL)).containsExactly(List.of("77"));
        statement.executeUpdate(
            "UPDATE \"orders-per-customer\".\"order-count\" SET state_value = 78 WHERE state_key = 1");
      }
      assertThat(text(server, COUNT)).as("what SQL committed").isEqualTo("78");
    }
  }

  @Test
  void commitOfAnotherProcessIsTheNewBase() throws Exception {
    try (RunningServer server = start(Map.of());
        RunningServer other = start(Map.of())) {
      // Both have mounted the sample; servers of one process know nothing of each other.
      put(other, COUNT, "11");
      HttpResponse<String> response =
          put(server, "/state/orders/orders-per-customer/1/largest-order", "12");

      assertThat(JSON.readTree(response.body()).path("base").asText())
          .isEqualTo(commits.resolve("orders-edited-1").toString());
      assertThat(text(server, COUNT)).as("what the other wrote is not lost").isEqualTo("11");
    }
  }

  @Test
  void newEntryIsCreated() throws Exception {
    String entry = "/state/orders/orders-per-customer/4711/order-ids";
    try (RunningServer server = start(Map.of())) {
      HttpResponse<String> response =
          server.send("PUT", entry, utf8("[1,2]"), "Content-Type", "application/json");

      assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
      assertThat(text(server, entry)).isEqualTo("[1,2]");
      assertThat(put(server, entry, "[]").statusCode()).isEqualTo(200);
      assertThat(server.send("GET", entry, new byte[0]).statusCode())
          .as("a list without elements is no entry")
          .isEqualTo(404);
    }
  }

  @Test
  void deleteRemovesTheEntryAndNothingElse() throws Exception {
    try (RunningServer server = start(Map.of())) {
      HttpResponse<String> response = server.send("DELETE", COUNT, new byte[0]);

      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      assertThat(server.send("GET", COUNT, new byte[0]).statusCode()).isEqualTo(404);
      assertThat(server.send("DELETE", COUNT, new byte[0]).statusCode()).isEqualTo(404);
      assertThat(text(server, "/state/orders/orders-per-customer/1/order-ids"))
          .isEqualTo("[1007,1012,1029,1046,1051,1068,1073,1090]");
    }
  }

  @Test
  void timeOfLastAccessIsThatOfTheChange() throws Exception {
    long before = System.currentTimeMillis();
    try (RunningServer server = start(Map.of())) {
      put(server, "/state/orders/page-visits/dora/last-page", "/tea");

      try (Connection connection = server.connect()) {
        String sql =
            "SELECT state_value, last_access >= TIMESTAMP '1970-01-01 00:00:00.000'"
                + " + INTERVAL '0.001' SECOND(1, 3) * %d FROM \"page-visits\".\"last-page\""
                + " WHERE state_key = 'dora'";
        assertThat(RunningServer.rows(connection, sql.formatted(before)))
            .containsExactly(List.of("/tea", "true"));
      }
    }
  }

  @Test
  void conditionsDecideWhetherAnythingIsChanged() throws Exception {
    String fresh = "/state/orders/orders-per-customer/4711/order-count";
    try (RunningServer server = start(Map.of())) {
      String tag = tag(server, COUNT);

      assertThat(put(server, COUNT, "1", "If-Match", "\"other\"").statusCode()).isEqualTo(412);
      assertThat(put(server, COUNT, "1", "If-None-Match", "*").statusCode()).isEqualTo(412);
      assertThat(put(server, fresh, "1", "If-Match", "*").statusCode()).isEqualTo(412);
      assertThat(put(server, COUNT, "1", "If-Match", "W/" + tag).statusCode()).isEqualTo(412);
      assertThat(commits).isEmptyDirectory();

      HttpResponse<String> matching = put(server, COUNT, "1", "If-Match", "\"other\", " + tag);
      assertThat(matching.statusCode()).as(matching.body()).isEqualTo(200);
      assertThat(matching.body()).doesNotContain("the last writer wins");
      assertThat(put(server, COUNT, "2", "If-Match", tag).statusCode()).isEqualTo(412);
      assertThat(put(server, fresh, "3", "If-None-Match", "*").statusCode()).isEqualTo(201);
      String json =
          server
              .send("GET", COUNT, new byte[0], "Accept", "application/json")
              .headers()
              .firstValue("ETag")
              .orElseThrow();
      assertThat(server.send("DELETE", COUNT, new byte[0], "If-Match", json).statusCode())
          .as("the tag of another representation of the same content")
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "order-count | text/plain | many | 415 | must be a number",
        "order-count | application/json | \"8\" | 415 | must be a number",
        "order-count | application/json | 9223372036854775808 | 415 | not a value of type BIGINT",
        "order-count | application/json | 1e99999 | 415 | out of all ranges",
        "order-count | application/json | null | 415 | NULL is no value",
        "order-count | application/json | 8 9 | 400 | not JSON",
        "order-count | application/json | {\"a\": | 400 | not JSON",
        "order-count | application/octet-stream | 1234567 | 415 | not of the stored type Long",
        "order-count | application/octet-stream | 123456789 | 415 | 1 bytes are left over",
        "order-count | statefun/io.statefun.types%2Flong | 12345678 | 415 | is not taken",
        "order-count | text/plain; charset=latin1 | 8 | 415 | UTF-8",
        "order-count | application/x-www-form-urlencoded | 8 | 415 | send Content-Type",
        "order-ids | application/json | {} | 415 | must be an array",
        "order-ids | application/json | [1,null] | 415 | NULL is no value",
        "order-ids | application/octet-stream | zzzz | 415 | cannot be right",
        "order-statistics | application/json | {\"f0\":1,\"f1\":2} | 415 | lacks the field \"f2\"",
        "order-statistics | application/json | {\"f0\":1,\"f1\":2,\"f2\":3,\"f3\":4} | 415 | no field",
        "order-statistics | application/json | {\"f0\":1,\"f0\":2} | 400 | Duplicate",
        "latest-per-day | application/json | {\"2026-02-30\":null} | 415 | is not a DATE",
      })
  void valueThatDoesNotFitIsRefused(
      String state, String type, String value, int status, String reason) throws Exception {
    try (RunningServer server = start(Map.of())) {
      HttpResponse<String> response =
          server.send(
              "PUT",
              "/state/orders/orders-per-customer/1/" + state,
              utf8(value),
              "Content-Type",
              type.replace("%2F", "/"));

      assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
      assertThat(JSON.readTree(response.body()).path("error").asText()).contains(reason);
      assertThat(commits).isEmptyDirectory();
    }
  }

  @Test
  void valueBeyondTheLimitIsRefused() throws Exception {
    try (RunningServer server = start(Map.of("limits", Map.of("requestBytes", 100)))) {
      assertThat(put(server, COUNT, "1".repeat(101)).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void onlyAWriterOfAWritableServerMayChange() throws Exception {
    Map<String, Object> users =
        Map.of("users", List.of(user("rita", "reader"), user("will", "writer")));
    try (RunningServer server = start(users)) {
      assertThat(put(server, COUNT, "1", "Authorization", basic("rita")).statusCode())
          .isEqualTo(403);
      assertThat(put(server, COUNT, "1", "Authorization", basic("will")).statusCode())
          .isEqualTo(200);
      assertThat(Files.readString(commits.resolve("orders-edited-1").resolve("_statesql.json")))
          .contains("\"user\" : \"will\"", "PUT " + COUNT);
    }
    try (RunningServer server = start(Map.of("writable", false))) {
      assertThat(put(server, COUNT, "1").statusCode()).isEqualTo(403);
      assertThat(server.send("DELETE", COUNT, new byte[0]).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void keyWhoseGroupNeedsAClassCanBeOverwrittenAndNotCreated() throws Exception {
    String store =
        "/state/orders/orders-per-store/%7B%22channel%22:%22{c}%22,%22country%22:%22DE%22%7D";
    try (RunningServer server = start(Map.of())) {
      String known = store.replace("{c}", "APP") + "/revenue-in-cents";
      assertThat(put(server, known, "1").statusCode()).isEqualTo(200);
      assertThat(text(server, known)).isEqualTo("1");

      HttpResponse<String> response =
          put(server, store.replace("{c}", "FAX") + "/revenue-in-cents", "1");
      assertThat(response.statusCode()).isEqualTo(409);
      assertThat(response.body()).contains("hash code of the job's own class");
    }
  }

  @Test
  void requestsThatComeTogetherShareCommitsAndNoneIsLost() throws Exception {
    int requests = 60;
    ExecutorService clients = Executors.newFixedThreadPool(20);
    try (RunningServer server = start(Map.of())) {
      List<Callable<HttpResponse<String>>> puts = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        String entry = "/state/orders/orders-per-customer/" + (5000 + i) + "/order-count";
        String value = String.valueOf(i);
        puts.add(() -> put(server, entry, value));
      }
      Set<String> savepoints = new HashSet<>();
      for (Future<HttpResponse<String>> response : clients.invokeAll(puts)) {
        assertThat(response.get().statusCode()).as(response.get().body()).isEqualTo(201);
        savepoints.add(JSON.readTree(response.get().body()).path("savepoint").asText());
      }

      assertThat(savepoints).hasSizeLessThan(requests);
      try (Stream<Path> written = Files.list(commits)) {
        assertThat(written.map(Path::toString)).containsExactlyInAnyOrderElementsOf(savepoints);
      }
      try (Connection connection = server.connect()) {
        assertThat(
                RunningServer.rows(
                    connection,
                    "SELECT COUNT(*), SUM(state_value) FROM \"orders-per-customer\".\"order-count\""
                        + " WHERE state_key >= 5000"))
            .containsExactly(List.of("60", "1770"));
      }
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void ofConcurrentWritersWithIfMatchOneWinsEachRound() throws Exception {
    int writers = 8;
    int rounds = 5;
    ExecutorService clients = Executors.newFixedThreadPool(writers);
    try (RunningServer server = start(Map.of())) {
      // Each adds one to what it saw, as often as it takes.
      Callable<Void> adder =
          () -> {
            for (int added = 0; added < rounds; ) {
              HttpResponse<String> seen =
                  server.send("GET", COUNT, new byte[0], "Accept", "text/plain");
              String next = String.valueOf(Integer.parseInt(seen.body()) + 1);
              String tag = seen.headers().firstValue("ETag").orElseThrow();
              int status = put(server, COUNT, next, "If-Match", tag).statusCode();
              assertThat(status).isIn(200, 412);
              added += status == 200 ? 1 : 0;
            }
            return null;
          };
      for (Future<Void> done :
          clients.invokeAll(Stream.generate(() -> adder).limit(writers).toList())) {
        done.get();
      }

      assertThat(text(server, COUNT)).isEqualTo(String.valueOf(8 + writers * rounds));
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void outcomeCanBePolledAlsoAfterARestart() throws Exception {
    String location;
    try (RunningServer server = start(Map.of())) {
      HttpResponse<String> response =
          put(server, COUNT, "99", "Prefer", "respond-async", "Idempotency-Key", "my-commit");
      assertThat(response.statusCode()).isEqualTo(202);
      assertThat(response.headers().firstValue("Preference-Applied")).hasValue("respond-async");
      location = response.headers().firstValue("Location").orElseThrow();
      assertThat(location).isEqualTo("/state-commits/my-commit");

      // The same request again waits for the first one and is not made twice.
      HttpResponse<String> again = put(server, COUNT, "99", "Idempotency-Key", "my-commit");
      assertThat(again.statusCode()).isEqualTo(200);
      assertThat(again.body()).contains("orders-edited-1");
      assertThat(put(server, COUNT + "x", "1", "Idempotency-Key", "my-commit").statusCode())
          .as("another request with the same id")
          .isEqualTo(409);
    }
    try (RunningServer server = start(Map.of())) {
      JsonNode outcome = JSON.readTree(server.send("GET", location, new byte[0]).body());
      assertThat(outcome.path("status").asText()).isEqualTo("committed");
      assertThat(outcome.path("savepoint").asText())
          .isEqualTo(commits.resolve("orders-edited-1").toString());
      HttpResponse<String> again = put(server, COUNT, "99", "Idempotency-Key", "my-commit");
      assertThat(again.body()).contains("orders-edited-1");

      HttpResponse<String> unknown = server.send("GET", "/state-commits/other", new byte[0]);
      assertThat(unknown.statusCode()).isEqualTo(404);
      assertThat(unknown.body()).contains("\"status\":\"absent\"");
    }
    try (Stream<Path> written = Files.list(commits)) {
      assertThat(written).hasSize(1);
    }
  }

  /** Or one would hear of the other's commit, with nothing of its own written. */
  @Test
  void idMeansTheSameRequestOfTheSameUserAlsoAfterARestart() throws Exception {
    Map<String, Object> users =
        Map.of("users", List.of(user("will", "writer"), user("wanda", "writer")));
    String other = "/state/orders/orders-per-customer/1/largest-order";
    try (RunningServer server = start(users)) {
      assertThat(put(server, COUNT, "99", key("will")).statusCode()).isEqualTo(200);
      assertThat(put(server, COUNT, "98", key("will")).statusCode()).isEqualTo(409);
    }
    try (RunningServer server = start(users)) {
      assertThat(put(server, COUNT, "98", key("will")).statusCode()).isEqualTo(409);
      assertThat(put(server, other, "99", key("will")).statusCode()).isEqualTo(409);
      assertThat(put(server, COUNT, "99", key("will")).body()).contains("orders-edited-1");

      assertThat(
              server
                  .send("GET", "/state-commits/k", new byte[0], "Authorization", basic("wanda"))
                  .statusCode())
          .as("what another user asked for")
          .isEqualTo(404);
      HttpResponse<String> hers = put(server, other, "7", key("wanda"));
      assertThat(hers.body()).contains("orders-edited-2");
      assertThat(
              server
                  .send(
                      "GET",
                      other,
                      new byte[0],
                      "Accept",
                      "text/plain",
                      "Authorization",
                      basic("wanda"))
                  .body())
          .isEqualTo("7");
    }
  }

  private static String[] key(String user) {
    return new String[] {"Authorization", basic(user), "Idempotency-Key", "k"};
  }

  @Test
  void refusalCanBePolledToo() throws Exception {
    try (RunningServer server = start(Map.of())) {
      HttpResponse<String> response = put(server, COUNT, "many", "Prefer", "wait=1, respond-async");
      String location = response.headers().firstValue("Location").orElseThrow();
      JsonNode outcome;
      do {
        outcome = JSON.readTree(server.send("GET", location, new byte[0]).body());
      } while (outcome.path("status").asText().equals("pending"));

      assertThat(outcome.path("status").asText()).isEqualTo("refused");
      assertThat(outcome.path("code").asInt()).isEqualTo(415);
    }
  }

  private static Map<String, String> user(String name, String role) {
    return Map.of("name", name, "password", PasswordHash.of(name).toString(), "role", role);
  }

  private static String basic(String user) {
    return "Basic " + Base64.getEncoder().encodeToString(utf8(user + ":" + user));
  }

  private static HttpResponse<String> put(
      RunningServer server, String path, String text, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("Content-Type");
    all.add("text/plain; charset=UTF-8");
    return server.send("PUT", path, utf8(text), all.toArray(String[]::new));
  }

  private static String text(RunningServer server, String path) throws Exception {
    return server.send("GET", path, new byte[0], "Accept", "text/plain").body();
  }

  private static String tag(RunningServer server, String path) throws Exception {
    return server.send("GET", path, new byte[0]).headers().firstValue("ETag").orElseThrow();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
