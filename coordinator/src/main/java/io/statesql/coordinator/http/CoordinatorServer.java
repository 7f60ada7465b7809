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
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.jetty.server.ConnectionLimit;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A server that serves a coordinator and nothing else. Its connections are bounded in number, and
 * closed when idle. Starts once; safe for use by many threads.
 */
public final class CoordinatorServer implements AutoCloseable {
  private static final int MAX_THREADS = 32;
  private static final int MAX_CONNECTIONS = 8192;
  private static final int IDLE_TIMEOUT_MILLIS = 30_000;
  private static final int MAX_HEADERS = 8192;
  private static final long STOP_TIMEOUT_MILLIS = 5_000;

  private final ServerOptions options;
  private final Server server;
  private final ServerConnector connector;

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
    this.options = options;
    InetAddress address = resolve(options.host());
    if (!address.isLoopbackAddress() && !options.tokens().required()) {
      throw new IllegalArgumentException(
          "A coordinator that listens on "
              + options.host()
              + ", beyond this machine, needs a token (--token-file).");
    }
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS);
    threads.setName("coordinator-http");
    threads.setDaemon(true);
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MAX_HEADERS);
    this.connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(address.getHostAddress());
    connector.setPort(options.port());
    connector.setIdleTimeout(IDLE_TIMEOUT_MILLIS);
    connector.setAcceptQueueSize(1024);
    server.addConnector(connector);
    server.addBean(new ConnectionLimit(MAX_CONNECTIONS, server));
    server.setErrorHandler(new JsonErrorHandler());
    server.setStopTimeout(STOP_TIMEOUT_MILLIS);
    Set<String> names = new HashSet<>(options.hostNames());
    names.add(options.host());
    server.setHandler(
        new CoordinatorHandler(coordinator, options.tokens(), names, exchangeTimeoutMillis));
  }

  private static InetAddress resolve(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("The host " + host + " is unknown.", e);
    }
  }

  /**
   * Binds the port and serves.
   *
   * @throws IOException if the port is taken or may not be used; the message says so
   */
  public void start() throws IOException {
    try {
      server.start();
    } catch (IOException e) {
      close();
      throw new IOException(
          "The coordinator cannot listen on "
              + options.host()
              + " port "
              + options.port()
              + " ("
              + rootMessage(e)
              + "); --port 0 takes a free one.",
          e);
    } catch (Exception e) {
      close();
      throw new IOException("The coordinator's server did not start: " + e.getMessage(), e);
    }
  }

  private static String rootMessage(IOException failure) {
    Throwable cause = failure.getCause() instanceof BindException bind ? bind : failure;
    return cause.getMessage();
  }

  /** The port that it listens on. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Where clients find it. */
  public String url() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return "http://" + host + ":" + port();
  }

  /** Waits until it is closed. */
  public void join() throws InterruptedException {
    server.join();
  }

  /** Lets requests that are being served end, for some seconds, and frees the port. */
  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The coordinator's server was interrupted while it stopped", e);
    } catch (Exception e) {
      throw new IOException("The coordinator's server did not stop: " + e.getMessage(), e);
    }
  }
}
