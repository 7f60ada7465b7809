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

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.http.AccessTokens;
import io.statesql.coordinator.http.CoordinatorHandler;
import io.statesql.coordinator.http.HttpPort;
import io.statesql.coordinator.http.WebPageGuard;
import io.statesql.jdbc.CatalogSource;
import io.statesql.jdbc.SnapshotSource;
import io.statesql.location.ProcessStores;
import io.statesql.schema.MountMoves;
import io.statesql.server.state.StateHandler;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * A server for Avatica's remote driver, {@code jdbc:avatica:remote:url=http://HOST:PORT}, over
 * mounted snapshots. The same port carries a coordinator. Starts once; safe for use by many
 * threads.
 */
public final class StateSqlServer implements Closeable {
  private static final int MAX_THREADS = 256;

  /** Longer than clients keep a silent connection for the next request. */
  private static final int IDLE_TIMEOUT_MILLIS = 120_000;

  private final HttpPort http;
  private final Sessions sessions;
  private final StateHandler state;
  private final ProcessStores.Reports reports;

  private StateSqlServer(
      HttpPort http, Sessions sessions, StateHandler state, ProcessStores.Reports reports) {
    this.http = http;
    this.sessions = sessions;
    this.state = state;
    this.reports = reports;
  }

  /**
   * Opens the mounts, to see that they can be opened, and serves.
   *
   * @throws IllegalArgumentException if the configuration makes no sense
   * @throws io.statesql.StateSqlException if a mount cannot be opened
   * @throws SQLException likewise
   * @throws IOException if a file cannot be read, or the port not be had
   */
  public static StateSqlServer start(ServerConfig config) throws IOException, SQLException {
    StoreCoordinator coordinator = new StoreCoordinator(CoordinatorSettings.DEFAULT);
    MountMoves moves = new MountMoves();
    return start(
        config, coordinator, new SnapshotSource(coordinator, moves), moves, System::nanoTime);
  }

  /**
   * The same with another way to open snapshots.
   *
   * @param moves where commits move them
   * @param nanoTime as {@link System#nanoTime}: by it mounts are looked at again, and connections
   *     and statements are idle
   */
  static StateSqlServer start(
      ServerConfig config,
      StoreCoordinator coordinator,
      CatalogSource source,
      MountMoves moves,
      LongSupplier nanoTime)
      throws IOException, SQLException {
    if (config.allMounts().isEmpty()) {
      throw new IllegalArgumentException("Name a snapshot to serve.");
    }
    Optional<SslContextFactory.Server> tls =
        config.tls() == null ? Optional.empty() : Optional.of(TlsFiles.context(config.tls()));
    HttpPort.Settings settings =
        new HttpPort.Settings(
            "The server", config.host(), config.port(), MAX_THREADS, IDLE_TIMEOUT_MILLIS, tls);
    if (!settings.address().isLoopbackAddress() && config.users().isEmpty() && !config.open()) {
      throw new IllegalArgumentException(
          "A server that listens on "
              + config.host()
              + ", beyond this machine, needs users in its configuration file; --open lets"
              + " everybody in.");
    }
    Mounts mounts = new Mounts(config, source, moves, nanoTime);
    mounts.open().close();
    Sessions sessions = new Sessions(mounts, config.limits(), nanoTime);
    StatementPolicy policy = new StatementPolicy(config.writable());
    StateHandler state = new StateHandler(config, moves, sessions.running(), policy::checkChange);
    Handler handlers = handlers(config, coordinator, sessions, policy, state);
    StateSqlServer server =
        new StateSqlServer(
            new HttpPort(settings, handlers), sessions, state, ProcessStores.reportTo(coordinator));
    try {
      server.http.start();
    } catch (IOException e) {
      server.close();
      throw e;
    }
    return server;
  }

  private static Handler handlers(
      ServerConfig config,
      StoreCoordinator coordinator,
      Sessions sessions,
      StatementPolicy policy,
      StateHandler state)
      throws IOException {
    Set<String> names = new HashSet<>(config.allowHosts());
    names.add(config.host());
    List<Handler> handlers = new ArrayList<>();
    AccessTokens tokens =
        new AccessTokens(
            token(config.coordinator().tokenFile()), token(config.coordinator().adminTokenFile()));
    // Its messages carry no user, so without a secret it would be a way around the login.
    if (config.users().isEmpty() || tokens.required()) {
      handlers.add(new CoordinatorHandler(coordinator, tokens, names));
    }
    Authenticator authenticator = new Authenticator(accounts(config));
    Handler known = new Handler.Sequence(state, new RpcHandler(sessions, policy, authenticator));
    handlers.add(new LoginHandler(new WebPageGuard(names), authenticator, sessions, known));
    return new Handler.Sequence(handlers);
  }

  private static Map<String, Authenticator.Account> accounts(ServerConfig config) {
    Map<String, Authenticator.Account> accounts = new HashMap<>();
    for (ServerConfig.UserEntry entry : config.users()) {
      accounts.put(
          entry.name(),
          new Authenticator.Account(
              new User(entry.name(), entry.role()), PasswordHash.parse(entry.password())));
    }
    return accounts;
  }

  private static Optional<String> token(@Nullable String file) throws IOException {
    return file == null
        ? Optional.empty()
        : Optional.of(Files.readString(Path.of(file), StandardCharsets.UTF_8).strip());
  }

  /** The port that it listens on. */
  public int port() {
    return http.port();
  }

  /** Where clients find it. */
  public String url() {
    return http.url();
  }

  /** How many connections clients have. */
  public int connections() {
    return sessions.size();
  }

  /** Waits until it is closed. */
  public void join() throws InterruptedException {
    http.join();
  }

  /**
   * Waits a while for statements that run, ends those that go on, frees the port when all are
   * answered, and closes what they used.
   */
  @Override
  public void close() throws IOException {
    sessions.close();
    state.endChanges();
    try (state;
        reports) {
      http.close();
    }
  }
}
