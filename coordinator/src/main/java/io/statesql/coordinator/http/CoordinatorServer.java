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

import io.statesql.coordinator.CoordinatorEndpoint;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A server that serves a coordinator and nothing else. Starts once; safe for use by many threads.
 */
public final class CoordinatorServer implements Closeable {
  private static final int MAX_THREADS = 32;
  private static final int IDLE_TIMEOUT_MILLIS = 30_000;

  private final HttpPort http;

  /**
   * Prepares a server; {@link #start} binds it.
   *
   * @throws IllegalArgumentException if the host is unknown, or lies beyond the loopback interface
   *     and there is no token
   */
  public CoordinatorServer(CoordinatorEndpoint coordinator, ServerOptions options) {
    this(coordinator, options, CoordinatorHandler.TIMEOUT_MILLIS);
  }

  CoordinatorServer(
      CoordinatorEndpoint coordinator, ServerOptions options, long exchangeTimeoutMillis) {
    HttpPort.Settings settings =
        new HttpPort.Settings(
            "The coordinator",
            options.host(),
            options.port(),
            MAX_THREADS,
            IDLE_TIMEOUT_MILLIS,
            Optional.empty());
    if (!settings.address().isLoopbackAddress() && !options.tokens().required()) {
      throw new IllegalArgumentException(
          "A coordinator that listens on "
              + options.host()
              + ", beyond this machine, needs a token (--token-file).");
    }
    Set<String> names = new HashSet<>(options.hostNames());
    names.add(options.host());
    this.http =
        new HttpPort(
            settings,
            new CoordinatorHandler(coordinator, options.tokens(), names, exchangeTimeoutMillis));
  }

  /**
   * Binds the port and serves.
   *
   * @throws IOException if the port is taken or may not be used; the message says so
   */
  public void start() throws IOException {
    http.start();
  }

  /** The port that it listens on. */
  public int port() {
    return http.port();
  }

  /** Where clients find it. */
  public String url() {
    return http.url();
  }

  /** Waits until it is closed. */
  public void join() throws InterruptedException {
    http.join();
  }

  /** Lets requests that are being served end, for some seconds, and frees the port. */
  @Override
  public void close() throws IOException {
    http.close();
  }
}
