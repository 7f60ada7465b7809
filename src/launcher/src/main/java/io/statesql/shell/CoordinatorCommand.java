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

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.http.AccessTokens;
import io.statesql.coordinator.http.CoordinatorServer;
import io.statesql.coordinator.http.ServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.event.Level;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code statesql coordinator}: a coordinator in a process of its own. */
@Command(name = "coordinator")
final class CoordinatorCommand {
  private static final String NAME = "coordinator";

  /** Of the coordinator's own loggers; the libraries below it stay silent. */
  private static final String LOG_LEVEL_PROPERTY =
      "org.slf4j.simpleLogger.log.io.statesql.coordinator";

  @Option(names = "--host")
  private String host = ServerOptions.LOOPBACK.host();

  @Option(names = "--port")
  private int port = ServerOptions.DEFAULT_PORT;

  @Option(names = "--token-file")
  private Path tokenFile;

  @Option(names = "--admin-token-file")
  private Path adminTokenFile;

  @Option(names = "--allow-host", split = ",")
  private Set<String> hostNames = new HashSet<>();

  @Option(names = "--executor-expiry")
  private long expirySeconds = CoordinatorSettings.DEFAULT.executorExpiry().toSeconds();

  @Option(names = "--run-retention")
  private long retentionSeconds = CoordinatorSettings.DEFAULT.runRetention().toSeconds();

  @Option(names = "--max-instances")
  private int maxInstances = CoordinatorSettings.DEFAULT.maxInstances();

  @Option(names = "--log-level")
  private Level logLevel;

  private CoordinatorCommand() {}

  /** Whether a command line is for this command. */
  static boolean isMeant(String[] args) {
    return args.length > 0 && args[0].equals(NAME);
  }

  /**
   * Starts what a command line asks for, and leaves it running.
   *
   * @param args with the command's name first
   * @throws UsageException if the command line makes no sense
   * @throws IOException if the port cannot be had, or a file not read
   */
  static CoordinatorServer start(String[] args) throws IOException {
    CoordinatorCommand command = new CoordinatorCommand();
    try {
      new CommandLine(command)
          .setExpandAtFiles(false)
          .setCaseInsensitiveEnumValuesAllowed(true)
          .parseArgs(Arrays.copyOfRange(args, 1, args.length));
    } catch (ParameterException e) {
      throw new UsageException(e.getMessage().replaceAll("\\s*\\R\\s*", " "), e);
    }
    return command.start();
  }

  private CoordinatorServer start() throws IOException {
    if (logLevel != null) {
      // Read when the first logger is made, which is after this.
      System.setProperty(LOG_LEVEL_PROPERTY, logLevel.toString());
    }
    Optional<String> token = token("--token-file", tokenFile);
    Optional<String> adminToken = token("--admin-token-file", adminTokenFile);
    CoordinatorServer server;
    try {
      CoordinatorSettings settings =
          CoordinatorSettings.DEFAULT
              .withExecutorExpiry(Duration.ofSeconds(expirySeconds))
              .withRunRetention(Duration.ofSeconds(retentionSeconds))
              .withMaxInstances(maxInstances);
      server =
          new CoordinatorServer(
              new StoreCoordinator(settings),
              new ServerOptions(host, port, new AccessTokens(token, adminToken), hostNames));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UsageException(e.getMessage(), e);
    }
    server.start();
    return server;
  }

  private static Optional<String> token(String option, Path file) throws IOException {
    if (file == null) {
      return Optional.empty();
    }
    if (!Files.isReadable(file)) {
      throw new UsageException("The file of " + option + " cannot be read: " + file);
    }
    return Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip());
  }
}
