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

import io.statesql.server.PasswordHash;
import io.statesql.server.ServerConfig;
import io.statesql.server.StateSqlServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code statesql server}: the server for Avatica's remote driver. */
@Command(name = "server")
final class ServerCommand {
  private static final String NAME = "server";
  private static final Set<String> LOG_LEVELS =
      Set.of("off", "error", "warn", "info", "debug", "trace");

  @Parameters private List<String> paths = new ArrayList<>();

  @Option(names = "--config")
  private Path config;

  @Option(names = "--host")
  private String host;

  @Option(names = "--port")
  private Integer port;

  @Option(names = "--writable")
  private boolean writable;

  @Option(names = "--commit-to")
  private String commitTo;

  @Option(names = "--uids", split = ",")
  private List<String> uids;

  @Option(names = "--path-map")
  private Map<String, String> pathMap;

  @Option(names = "--jars", split = ",")
  private List<String> jars;

  @Option(names = "--isolate")
  private boolean isolate;

  @Option(names = "--memory")
  private String memory;

  @Option(names = "--parallelism")
  private String parallelism;

  @Option(names = "--allow-host", split = ",")
  private List<String> allowHosts;

  @Option(names = "--open")
  private boolean open;

  @Option(names = "--log-level")
  private String logLevel = "info";

  @Option(names = "--hash-password")
  private boolean hashPassword;

  private ServerCommand() {}

  /** Whether a command line is for this command. */
  static boolean isMeant(String[] args) {
    return args.length > 0 && args[0].equals(NAME);
  }

  /**
   * Reads a command line.
   *
   * @param args with the command's name first
   * @throws UsageException if it makes no sense
   */
  static ServerCommand parse(String[] args) {
    ServerCommand command = new ServerCommand();
    try {
      new CommandLine(command)
          .setExpandAtFiles(false)
          .parseArgs(Arrays.copyOfRange(args, 1, args.length));
    } catch (ParameterException e) {
      throw new UsageException(e.getMessage().replaceAll("\\s*\\R\\s*", " "), e);
    }
    if (!LOG_LEVELS.contains(command.logLevel.toLowerCase(Locale.ROOT))) {
      throw new UsageException(
          "Option --log-level takes off, error, warn, info, debug or trace, not "
              + command.logLevel);
    }
    return command;
  }

  /** Whether it only makes the hash of a password for a configuration file. */
  boolean hashesPassword() {
    return hashPassword;
  }

  /** The hash of the password in the first line of the input. */
  static String hashPassword(InputStream input) throws IOException {
    String password =
        new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8)).readLine();
    if (password == null || password.isEmpty()) {
      throw new UsageException("Option --hash-password reads a password from standard input");
    }
    try {
      return PasswordHash.of(password).toString();
    } catch (IllegalArgumentException e) {
      throw new UsageException("Option --hash-password: " + e.getMessage());
    }
  }

  /** How much the server's log says, as SLF4J's simple logger calls it. */
  String logLevel() {
    return logLevel.toLowerCase(Locale.ROOT);
  }

  /**
   * Starts what the command line asks for, and leaves it running.
   *
   * @throws UsageException if the command line or the configuration file makes no sense
   * @throws IOException if the port cannot be had, or a file not read
   * @throws SQLException if a snapshot cannot be opened
   */
  StateSqlServer start() throws IOException, SQLException {
    try {
      return StateSqlServer.start(ServerConfig.read(config, overrides()));
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage().replaceFirst("\\.$", ""), e);
    }
  }

  /** What the command line says, by the names of the configuration. */
  private Map<String, Object> overrides() {
    Map<String, Object> overrides = new HashMap<>();
    if (!paths.isEmpty()) {
      overrides.put("snapshots", paths.stream().map(path -> Mount.parse(path).toString()).toList());
    }
    putIfGiven(overrides, "host", host);
    putIfGiven(overrides, "port", port);
    putIfGiven(overrides, "commitTo", commitTo);
    putIfGiven(overrides, "uids", uids);
    putIfGiven(overrides, "pathMap", pathMap);
    putIfGiven(overrides, "jars", jars);
    putIfGiven(overrides, "memory", memory);
    putIfGiven(overrides, "parallelism", parallelism);
    putIfGiven(overrides, "allowHosts", allowHosts);
    if (isolate) {
      overrides.put("isolate", true);
    }
    if (writable) {
      overrides.put("writable", true);
    }
    if (open) {
      overrides.put("open", true);
    }
    return overrides;
  }

  private static void putIfGiven(Map<String, Object> overrides, String name, Object value) {
    if (value != null) {
      overrides.put(name, value);
    }
  }
}
