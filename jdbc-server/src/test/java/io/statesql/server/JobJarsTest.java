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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.forms.ShopSnapshot;
import io.statesql.job.JobProject;
import io.statesql.job.ShopSources;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who starts a server may give it the jars of a job; who connects to it may not. */
class JobJarsTest {
  private static final String BALANCE =
      "{\"@class\":\"shop.Money\",\"cents\":1250,\"currency\":\"CHF\"}";
  private static final String CONTENT_TYPE = "Content-Type";
  private static final String BYTES = "application/octet-stream";

  @TempDir private Path folder;
  private JobProject job;
  private Path snapshot;
  private String query;

  @BeforeEach
  void writeSnapshot() throws Exception {
    job = JobProject.compile(folder.resolve("shop.jar"), ShopSources.all());
    snapshot = ShopSnapshot.CANONICAL.write(folder, job, 1250);
    query = "SELECT state_value FROM \"" + ShopSnapshot.CANONICAL.operator() + "\".balance";
  }

  @AfterEach
  void closeJob() {
    job.close();
  }

  @Test
  void aServerWithTheJarShowsItsObjects() throws Exception {
    try (RunningServer server =
            RunningServer.start(
                Map.of(
                    "snapshots",
                    List.of(snapshot.toString()),
                    "jars",
                    List.of(job.jar().toString())));
        Connection connection = server.connect()) {
      assertThat(RunningServer.rows(connection, query)).containsExactly(List.of(BALANCE));
      String path = "/state/heap/" + ShopSnapshot.CANONICAL.operator() + "/ada/balance";
      assertThat(
              new String(
                  server.getBytes(path, "Accept", "text/plain").body(), StandardCharsets.UTF_8))
          .isEqualTo(BALANCE);
    }
  }

  /** As they show without an error where they are stored already. */
  @Test
  void bytesThatTheirClassRefusesAreNotTaken() throws Exception {
    try (RunningServer server =
        RunningServer.start(
            Map.of(
                "snapshots",
                List.of(snapshot.toString()),
                "writable",
                true,
                "commitTo",
                folder.resolve("edits").toString(),
                "jars",
                List.of(job.jar().toString())))) {
      String path = "/state/heap/" + ShopSnapshot.CANONICAL.operator() + "/bob/basket";
      byte[] basket = server.getBytes(path, "Accept", BYTES).body();
      // Kryo marks the last letter of a name.
      String text = new String(basket, StandardCharsets.ISO_8859_1);
      byte[] other = text.replace("shop.Gif", "shop.Lif").getBytes(StandardCharsets.ISO_8859_1);

      HttpResponse<String> refused = server.send("PUT", path, other, CONTENT_TYPE, BYTES);

      assertThat(refused.body()).contains("the class shop.Lift is not in shop.jar");
      assertThat(refused.statusCode()).isEqualTo(415);
      assertThat(server.getBytes(path, "Accept", BYTES).body()).isEqualTo(basket);
    }
  }

  @Test
  void aClientCannotGiveJars() throws Exception {
    try (RunningServer server =
            RunningServer.start(Map.of("snapshots", List.of(snapshot.toString())));
        Connection connection =
            DriverManager.getConnection(server.jdbcUrl("protobuf") + ";jars=" + job.jar())) {
      assertThat(
              RunningServer.rows(
                  connection, "SELECT value_type FROM sys.states WHERE state_name = 'balance'"))
          .containsExactly(List.of("VARBINARY"));
    }
  }

  @Test
  void aServerWhoseJarIsMissingDoesNotStart() {
    assertThatThrownBy(
            () ->
                RunningServer.start(
                    Map.of("snapshots", List.of(snapshot.toString()), "jars", List.of("none.jar"))))
        .hasStackTraceContaining("The jar none.jar does not exist.");
  }
}
