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

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.client.ClientOptions;
import io.statesql.coordinator.client.CoordinatorClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** A coordinator in a process of its own, whose standard output begins with the URL. */
final class CoordinatorProcess implements AutoCloseable {
  private final Process process;
  private final URI url;

  private CoordinatorProcess(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  static CoordinatorProcess start(String heap) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-cp",
                System.getProperty("java.class.path"),
                CoordinatorProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String url = process.inputReader().readLine();
    if (url == null) {
      throw new IOException("The coordinator did not start");
    }
    return new CoordinatorProcess(process, URI.create(url));
  }

  /** The process itself; ends when its standard input does. */
  public static void main(String[] unused) throws IOException {
    StoreCoordinator coordinator =
        new StoreCoordinator(CoordinatorSettings.DEFAULT.withExecutorExpiry(Duration.ofHours(1)));
    try (CoordinatorServer server =
        new CoordinatorServer(coordinator, ServerOptions.LOOPBACK.withPort(0))) {
      server.start();
      System.out.println(server.url());
      System.in.transferTo(System.out);
    }
  }

  URI url() {
    return url;
  }

  CoordinatorClient client() {
    return new CoordinatorClient(
        ClientOptions.of(url.toString()).withTimeout(Duration.ofMinutes(5)));
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
