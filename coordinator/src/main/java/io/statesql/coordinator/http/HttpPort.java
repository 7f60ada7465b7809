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

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.DetectorConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A port that serves HTTP by one handler. Its connections are bounded in number, and closed when
 * idle. Starts once; safe for use by many threads.
 */
public final class HttpPort implements Closeable {
  private static final int MAX_CONNECTIONS = 8192;
  private static final int MAX_HEADERS = 8192;

  /** For requests that were begun; however slow the machine is, their answers come sooner. */
  private static final long STOP_TIMEOUT_MILLIS = 60_000;

  /**
   * Paths hold names of any characters, which are encoded; handlers take them as they were sent.
   */
  private static final UriCompliance PATHS =
      UriCompliance.LEGACY.with(
          "ENCODED",
          UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS,
          UriCompliance.Violation.ILLEGAL_PATH_CHARACTERS,
          UriCompliance.Violation.BAD_UTF8_ENCODING,
          UriCompliance.Violation.TRUNCATED_UTF8_ENCODING,
          UriCompliance.Violation.BAD_PERCENT_ENCODING);

  /** Of two names of the server the one in the first line counts, which is what is checked. */
  private static final HttpCompliance NAMES =
      HttpCompliance.RFC9110.with("FIRST", HttpCompliance.Violation.MISMATCHED_AUTHORITY);

  private final Settings settings;
  private final Server server;
  private final ServerConnector connector;

  /**
   * How a port is served.
   *
   * @param owner what error messages call the server, as in "The coordinator"
   * @param host the name or address of the interface to listen on
   * @param port to listen on; 0 for a free one
   * @param maxThreads how many requests are worked on at once
   * @param idleMillis how long a connection may be silent
   * @param tls the certificate, or empty for plain HTTP; one that does not start is an error of
   *     {@link HttpPort#start}
   */
  public record Settings(
      String owner,
      String host,
      int port,
      int maxThreads,
      int idleMillis,
      Optional<SslContextFactory.Server> tls) {
    public Settings {
      if (port < 0 || port > 0xffff) {
        throw new IllegalArgumentException("The port must be 0 to 65535, not " + port + ".");
      }
    }

    /**
     * The address of the host.
     *
     * @throws IllegalArgumentException if it is unknown
     */
    public InetAddress address() {
      try {
        return InetAddress.getByName(host);
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException("The host " + host + " is unknown.", e);
      }
    }
  }

  /**
   * Prepares a server; {@link #start} binds it.
   *
   * @throws IllegalArgumentException if the host is unknown
   */
  public HttpPort(Settings settings, Handler handler) {
    this.settings = settings;
    QueuedThreadPool threads = new QueuedThreadPool(settings.maxThreads());
    threads.setName("http");
    threads.setDaemon(true);
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MAX_HEADERS);
    http.setUriCompliance(PATHS);
    http.setHttpCompliance(NAMES);
    HttpConnectionFactory connections = new HttpConnectionFactory(http);
    this.connector =
        settings
            .tls()
            .map(tls -> new ServerConnector(server, factories(tls, connections)))
            .orElseGet(() -> new ServerConnector(server, connections));
    connector.setHost(settings.address().getHostAddress());
    connector.setPort(settings.port());
    connector.setIdleTimeout(settings.idleMillis());
    connector.setAcceptQueueSize(1024);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
    server.setErrorHandler(new JsonErrorHandler());
    server.setStopTimeout(STOP_TIMEOUT_MILLIS);
    // Counts the requests that are being served, for which the server waits when it stops.
    server.setHandler(new GracefulHandler(new PortGuard(settings.tls().isPresent(), handler)));
  }

  /** Of TLS, and of plain HTTP too: whoever speaks it would wait for ever for being told. */
  private static ConnectionFactory[] factories(
      SslContextFactory.Server tls, HttpConnectionFactory connections) {
    SslConnectionFactory secure = new SslConnectionFactory(tls, connections.getProtocol());
    return new ConnectionFactory[] {new DetectorConnectionFactory(secure), connections};
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
          settings.owner()
              + " cannot listen on "
              + settings.host()
              + " port "
              + settings.port()
              + " ("
              + rootMessage(e)
              + "); --port 0 takes a free one.",
          e);
    } catch (Exception e) {
      close();
      throw new IOException(settings.owner() + " did not start: " + e.getMessage(), e);
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
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    return (settings.tls().isPresent() ? "https://" : "http://") + host + ":" + port();
  }

  /** Waits until it is closed. */
  public void join() throws InterruptedException {
    server.join();
  }

  /** Takes no requests any more, answers those that are being served, and frees the port. */
  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(settings.owner() + " was interrupted while it stopped", e);
    } catch (Exception e) {
      throw new IOException(settings.owner() + " did not stop: " + e.getMessage(), e);
    }
  }
}
