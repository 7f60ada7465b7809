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
package io.statesql.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.coordinator.InstanceFilter;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.client.ClientOptions;
import io.statesql.coordinator.client.CoordinatorClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own. */
class CoordinatorCommandTest {
  private static final String TOKEN = "a-token-that-is-long-enough";

  @TempDir private Path folder;
  private Process process;

  @AfterEach
  void stop() {
    process.destroyForcibly();
  }

  private BufferedReader start(String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                StateSqlMain.class.getName(),
                "coordinator"));
    command.addAll(List.of(args));
    process = new ProcessBuilder(command).start();
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void servesAtTheUrlThatItPrintsUntilTheSignal() throws Exception {
    BufferedReader out = start("--port", "0");
    String url = out.readLine();

    assertThat(url).matches("http://localhost:[1-9][0-9]*");
    CoordinatorClient client = new CoordinatorClient(ClientOptions.of(url));
    assertThat(client.countInstances(InstanceFilter.ALL)).isZero();
    process.toHandle().destroy();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(out.readLine()).isNull();
    assertThat(process.getErrorStream().readAllBytes()).isEmpty();
    try (ServerSocket again = new ServerSocket(URI.create(url).getPort())) {
      assertThat(again.isBound()).isTrue();
    }
  }

  @Test
  void listensBeyondLoopbackWithAToken() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    String url = start("--port=0", "--host=0.0.0.0", "--token-file=" + file).readLine();

    assertThat(url).matches("http://0.0.0.0:[1-9][0-9]*");
    CoordinatorClient client = new CoordinatorClient(ClientOptions.of(url).withToken(TOKEN));
    assertThat(client.countInstances(InstanceFilter.ALL)).isZero();
  }

  @Test
  void logsEachMessageWithItsIdAndResultWhenAsked() throws Exception {
    String url = start("--port=0", "--log-level=debug").readLine();
    CoordinatorClient client = new CoordinatorClient(ClientOptions.of(url));
    StoreInstanceId id =
        new StoreInstanceId(new StoreId("file:/checkpoints", "op-1", 7, "default"), "run-1");

    client.reportActiveInstance(
        new StoreLocation("host-a", "executor-1"), InstanceReport.now(id, "flink"));
    client.deactivateInstances("run-1");

    process.toHandle().destroy();
    String log = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(log.lines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("DEBUG StoreCoordinator - ReportActiveInstance ")
                    .contains("run-1", "op-1", "host-a")
                    .endsWith(": active"))
        .anySatisfy(line -> assertThat(line).endsWith("DeactivateInstances run-1: 1"));
  }

  @Test
  void logLevelThatThereIsNotIsAnError() throws Exception {
    BufferedReader out = start("--log-level=loud");

    assertThat(out.readLine()).isNull();
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @Test
  void portThatIsTakenIsAnError() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      BufferedReader out = start("--port=" + taken.getLocalPort());

      assertThat(out.readLine()).isNull();
      String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(error)
          .startsWith("Error: The coordinator cannot listen on localhost port ")
          .hasLineCount(1);
      assertThat(process.waitFor()).isEqualTo(2);
    }
  }
}
