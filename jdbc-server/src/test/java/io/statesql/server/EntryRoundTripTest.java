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
import io.statesql.forms.EntryForms;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values of every type go into snapshots of every form over HTTP, and Flink restores them. */
final class EntryRoundTripTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** New values by state: as JSON, and as Flink restores them. */
  private static final Map<String, List<String>> VALUES = values();

  @TempDir private Path folder;

  private static Map<String, List<String>> values() {
    Map<String, List<String>> values = new LinkedHashMap<>();
    values.put("count", List.of("-9223372036854775808", "-9223372036854775808"));
    values.put("name", List.of("\"Zoë, \\\"😀\\\"\"", "Zoë, \"😀\""));
    values.put("flag", List.of("true", "true"));
    values.put("ratio", List.of("\"NaN\"", "NaN"));
    values.put("price", List.of("12345678901234567890.1200", "12345678901234567890.1200"));
    values.put("day", List.of("\"1969-12-31\"", "1969-12-31"));
    values.put(
        "seen",
        List.of(
            "{\"value\":\"2026-03-01 00:00:00.001\",\"nanos\":1000}",
            "2026-03-01T00:00:00.001001Z"));
    values.put("pair", List.of("{\"f0\":\"left\",\"f1\":-7}", "(left,-7)"));
    values.put("level", List.of("\"GOLD\"", "GOLD"));
    values.put("address", List.of("{\"number\":null,\"street\":\"Elm\"}", "Elm null"));
    values.put("numbers", List.of("[3,2,1]", "[3, 2, 1]"));
    values.put("largest", List.of("70", "70"));
    values.put("total", List.of("71", "71"));
    values.put("words", List.of("[\"one\",\"\",\"two\"]", "[one, , two]"));
    values.put("parts", List.of("{\"left\":1,\"right\":2}", "{left=1, right=2}"));
    values.put("visited", List.of("\"now\"", "now"));
    values.put("pages", List.of("[\"/new\"]", "[/new]"));
    values.put("hits", List.of("{\"/new\":5,\"/other\":6}", "{/new=5, /other=6}"));
    return values;
  }

  @ParameterizedTest
  @EnumSource
  void everyValueIsPutPolledGotAndRestored(EntryForms form) throws Exception {
    Path snapshot = form.write(folder.resolve("source"), 5);
    String savepoint = "";
    assertThat(VALUES.keySet()).containsExactlyElementsOf(EntryForms.names());
    try (RunningServer server =
        RunningServer.start(Map.of("snapshots", List.of("shop=" + snapshot), "writable", true))) {
      String entries = "/state/shop/" + form.operator() + "/key3/";
      String copies = "/state/shop/" + form.operator() + "/new%20key/";

      putAll(server, entries, state -> utf8(VALUES.get(state).get(0)), "application/json");
      assertValues(server, entries);

      // The bytes of a value are those of the same value elsewhere.
      putAll(server, copies, state -> bytes(server, entries + state), "application/octet-stream");
      assertValues(server, copies);

      savepoint =
          putAll(
              server,
              copies,
              state -> utf8(get(server, entries + state, "text/plain")),
              "text/plain");
      assertValues(server, copies);
    }
    Map<String, String> expected = new TreeMap<>();
    VALUES.forEach((state, value) -> expected.put(state, value.get(1)));
    Path written = Path.of(savepoint);
    assertThat(form.restore(written, folder.resolve("key3"), "key3")).isEqualTo(expected);
    assertThat(form.restore(written, folder.resolve("new"), "new key")).isEqualTo(expected);
    assertThat(form.restore(written, folder.resolve("other"), "key2"))
        .as("an entry that nobody touched")
        .isEqualTo(form.restore(snapshot, folder.resolve("before"), "key2"));
  }

  /** How a test comes to a value. */
  private interface ValueOf {
    byte[] value(String state) throws Exception;
  }

  /**
   * Puts values into all states of a key without waiting, and then polls until they are durable.
   *
   * @return the last savepoint
   */
  private static String putAll(RunningServer server, String key, ValueOf values, String type)
      throws Exception {
    List<String> locations = new ArrayList<>();
    for (String state : VALUES.keySet()) {
      HttpResponse<String> response =
          server.send(
              "PUT",
              key + state,
              values.value(state),
              "Content-Type",
              type,
              "Prefer",
              "respond-async");
      assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
      locations.add(response.headers().firstValue("Location").orElseThrow());
    }
    String savepoint = "";
    for (String location : locations) {
      savepoint = poll(server, location);
    }
    return savepoint;
  }

  private static String poll(RunningServer server, String location) throws Exception {
    while (true) {
      HttpResponse<String> response = server.send("GET", location, new byte[0]);
      JsonNode outcome = JSON.readTree(response.body());
      if (!outcome.path("status").asText().equals("pending")) {
        assertThat(outcome.path("status").asText()).as(response.body()).isEqualTo("committed");
        return outcome.path("savepoint").asText();
      }
      Thread.sleep(2);
    }
  }

  private static void assertValues(RunningServer server, String key) throws Exception {
    for (String state : VALUES.keySet()) {
      assertThat(get(server, key + state, "application/json"))
          .as(state)
          .isEqualTo(VALUES.get(state).get(0));
    }
  }

  private static byte[] bytes(RunningServer server, String path) throws Exception {
    return server.getBytes(path, "Accept", "application/octet-stream").body();
  }

  private static String get(RunningServer server, String path, String accept) throws Exception {
    HttpResponse<String> response = server.send("GET", path, new byte[0], "Accept", accept);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
