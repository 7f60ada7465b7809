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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed between a request and its answer: the change is there or is not. */
@Tag("proof")
final class EntryKillTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COUNT = "/state/orders/orders-per-customer/1/order-count";
  private static final int ROUNDS = 8;
  private static final long SEED = Long.getLong("statesql.seed", 1);
  private static final int MOST_MILLIS = 400;

  @TempDir private Path commits;

  @Test
  void killedServerHasMadeTheChangeWhollyOrNotAndTellsWhich() throws Exception {
    Random random = new Random(SEED);
    KillableServer server = KillableServer.start(commits);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        String id = "round-" + round;
        String value = String.valueOf(1000 + round);
        HttpResponse<String> accepted =
            server.send(
                "PUT",
                COUNT,
                value,
                "Content-Type",
                "text/plain",
                "Prefer",
                "respond-async",
                "Idempotency-Key",
                id);
        assertThat(accepted.statusCode()).isEqualTo(202);
        // At any moment of the commit, also before and after.
        Thread.sleep(random.nextInt(MOST_MILLIS));
        server.kill();
        server = KillableServer.start(commits);

        HttpResponse<String> polled = server.send("GET", "/state-commits/" + id, "");
        JsonNode outcome = JSON.readTree(polled.body());
        if (outcome.path("status").asText().equals("committed")) {
          assertThat(valueIn(Path.of(outcome.path("savepoint").asText()))).isEqualTo(value);
        } else {
          assertThat(outcome.path("status").asText()).as(polled.body()).isEqualTo("absent");
          assertThat(polled.statusCode()).isEqualTo(404);
          for (Path savepoint : savepoints()) {
            assertThat(valueIn(savepoint)).isNotEqualTo(value);
          }
        }
        // Asking again for the same thing does not make it twice.
        HttpResponse<String> again =
            server.send("PUT", COUNT, value, "Content-Type", "text/plain", "Idempotency-Key", id);
        assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
        assertThat(savepoints()).hasSize(round + 1);
      }
    } finally {
      server.close();
    }
  }

  private List<Path> savepoints() throws Exception {
    try (Stream<Path> folders = Files.list(commits)) {
      return folders.filter(path -> !path.getFileName().toString().startsWith(".")).toList();
    }
  }

  private static String valueIn(Path savepoint) throws Exception {
    try (RunningServer server =
        RunningServer.start(Map.of("snapshots", List.of("orders=" + savepoint)))) {
      return server.send("GET", COUNT, new byte[0], "Accept", "text/plain").body();
    }
  }
}
