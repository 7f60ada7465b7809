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

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import sqlline.BuiltInProperty;
import sqlline.SqlLineProperty;

/**
 * A parsed command line: either a text to print, or something for the shell to do.
 *
 * @param text what {@code help} and {@code --version} print
 */
record CommandLineArguments(Optional<String> text, ShellRequest request) {
  /** System property: whether standard input is a terminal. The launcher script knows. */
  static final String INTERACTIVE = "statesql.interactive";

  private static final String SERVER = "server";
  private static final String COORDINATOR = "coordinator";

  /** User, password and driver class. */
  private static final List<String> URL_OPTIONS = List.of("-n", "-p", "-d");

  /** sqlline's options with one dash, each with the command of sqlline that does it. */
  private static final Map<String, String> SETUP_COMMANDS =
      Map.of(
          "-nn", "!nickname ",
          "-log", "!record ",
          "-ch", "!commandhandler ",
          "-ph", "!prompthandler ",
          "-c", "!connect -c ",
          "-cn", "!connect -cn ");

  /**
   * Reads a command line.
   *
   * @param environment variables of the process
   * @throws UsageException if it makes no sense
   */
  static CommandLineArguments parse(String[] args, Map<String, String> environment) {
    if (args.length == 0) {
      throw new UsageException(
          "Name a snapshot to open, or try 'statesql demo' or 'statesql help'");
    }
    ParseResult parsed = parseOptions(args);
    List<String> words = parsed.matchedPositionalValue(0, List.of());
    String first = words.isEmpty() ? "" : words.get(0);
    if (parsed.hasMatchedOption("--help") || first.equals("help")) {
      return new CommandLineArguments(Optional.of(resource("help.txt")), null);
    }
    if (parsed.hasMatchedOption("--version")) {
      return new CommandLineArguments(Optional.of("StateSQL " + version() + "\n"), null);
    }
    if (first.equals(SERVER)) {
      throw new UsageException("Command server comes before its options");
    }
    if (first.equals(COORDINATOR)) {
      throw new UsageException("Command coordinator comes before its options");
    }
    if (parsed.hasMatchedOption("--port")) {
      throw new UsageException("Option --port belongs to the commands server and coordinator");
    }
    return new CommandLineArguments(Optional.empty(), request(parsed, words, environment));
  }

  private static ShellRequest request(
      ParseResult parsed, List<String> words, Map<String, String> environment) {
    List<Mount> mounts = mounts(words);
    Optional<ConnectUrl> connection = connection(parsed, mounts);
    List<String> setup = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      String command = SETUP_COMMANDS.get(option.longestName());
      if (command != null) {
        setup.add(command + option.getValue());
      }
    }
    if (connection.isEmpty() && setup.stream().noneMatch(c -> c.startsWith("!connect"))) {
      throw new UsageException("Name a snapshot to open, or a JDBC URL with -u");
    }
    List<String> statements = parsed.matchedOptionValue("-e", List.of());
    Optional<String> script = Optional.ofNullable(parsed.<String>matchedOptionValue("-f", null));
    if (statements.isEmpty() && script.isEmpty() && !Boolean.getBoolean(INTERACTIVE)) {
      script = Optional.of("-");
    }
    return new ShellRequest(
        connection,
        settings(parsed),
        setup,
        statements,
        script,
        banner(mounts, connection),
        settingsFolder(environment));
  }

  private static List<Mount> mounts(List<String> words) {
    if (words.isEmpty() || !words.get(0).equals("demo")) {
      return words.stream().map(Mount::parse).toList();
    }
    if (words.size() > 1) {
      throw new UsageException("Command demo takes no path: " + words.get(1));
    }
    String home = System.getProperty("statesql.home");
    Path sample = Path.of(home == null ? "" : home, "samples", "orders").toAbsolutePath();
    if (home == null || !Files.exists(sample)) {
      throw new UsageException("The sample snapshot is missing from this installation: " + sample);
    }
    return List.of(new Mount(Optional.empty(), sample));
  }

  private static Optional<ConnectUrl> connection(ParseResult parsed, List<Mount> mounts) {
    Map<SnapshotOption, String> options = new EnumMap<>(SnapshotOption.class);
    for (SnapshotOption option : SnapshotOption.values()) {
      if (parsed.hasMatchedOption(option.option())) {
        options.put(option, value(parsed, option));
      }
    }
    String url = parsed.matchedOptionValue("-u", null);
    if (url == null) {
      for (String option : URL_OPTIONS) {
        if (parsed.hasMatchedOption(option)) {
          throw new UsageException("Option " + option + " needs a JDBC URL with -u");
        }
      }
      return mounts.isEmpty()
          ? Optional.empty()
          : Optional.of(ConnectUrl.mounting(mounts, options));
    }
    if (!mounts.isEmpty() || !options.isEmpty()) {
      throw new UsageException("Give either snapshots with their options or a JDBC URL with -u");
    }
    Properties properties = new Properties();
    putIfGiven(properties, "user", parsed.matchedOptionValue("-n", null));
    putIfGiven(properties, "password", parsed.matchedOptionValue("-p", null));
    return Optional.of(
        new ConnectUrl(
            url, Optional.ofNullable(parsed.matchedOptionValue("-d", null)), properties));
  }

  private static String value(ParseResult parsed, SnapshotOption option) {
    if (option.isFlag()) {
      return "true";
    }
    return option.isRepeatable()
        ? ConnectUrl.list(parsed.matchedOptionValue(option.option(), List.of()))
        : parsed.matchedOptionValue(option.option(), "");
  }

  private static void putIfGiven(Properties properties, String key, String value) {
    if (value != null) {
      properties.setProperty(key, value);
    }
  }

  private static Map<String, String> settings(ParseResult parsed) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (BuiltInProperty property : BuiltInProperty.values()) {
      String name = property.propertyName();
      if (parsed.hasMatchedOption("--no-" + name)) {
        settings.put(name, "");
      } else if (parsed.hasMatchedOption("--" + name)) {
        Object value = parsed.matchedOptionValue("--" + name, "");
        settings.put(name, value.toString());
      }
    }
    return settings;
  }

  private static ParseResult parseOptions(String[] args) {
    CommandSpec spec = CommandSpec.create();
    for (String name : List.of("-u", "-d", "-n", "-p", "-f")) {
      spec.addOption(textOption(name));
    }
    SETUP_COMMANDS.keySet().forEach(name -> spec.addOption(textOption(name)));
    for (SnapshotOption option : SnapshotOption.values()) {
      String name = option.option();
      if (option.isFlag()) {
        spec.addOption(OptionSpec.builder(name).type(boolean.class).build());
      } else {
        spec.addOption(option.isRepeatable() ? listOption(name) : textOption(name));
      }
    }
    spec.addOption(listOption("-e"));
    spec.addOption(textOption("--port"));
    spec.addOption(OptionSpec.builder("--version").type(boolean.class).build());
    spec.addOption(OptionSpec.builder("-h", "--help").type(boolean.class).build());
    for (BuiltInProperty property : BuiltInProperty.values()) {
      addProperty(spec, property);
    }
    spec.addPositional(
        PositionalParamSpec.builder().type(List.class).auxiliaryTypes(String.class).build());
    CommandLine parser =
        new CommandLine(spec)
            .setExpandAtFiles(false)
            .setPosixClusteredShortOptionsAllowed(false)
            .setAllowOptionsAsOptionParameters(true);
    try {
      return parser.parseArgs(withFullPropertyNames(args));
    } catch (MissingParameterException e) {
      throw new UsageException(nameOf(e.getMissing().get(0)) + " needs a value behind it", e);
    } catch (UnmatchedArgumentException e) {
      throw new UsageException(e.getMessage() + "; 'statesql help' lists what there is", e);
    } catch (ParameterException e) {
      throw new UsageException(e.getMessage().replaceAll("\\s*\\R\\s*", " "), e);
    }
  }

  private static String nameOf(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? "Option " + option.longestName()
        : "The command line";
  }

  private static OptionSpec textOption(String name) {
    return OptionSpec.builder(name).type(String.class).arity("1").build();
  }

  private static OptionSpec listOption(String name) {
    return OptionSpec.builder(name).type(List.class).auxiliaryTypes(String.class).build();
  }

  private static void addProperty(CommandSpec spec, BuiltInProperty property) {
    if (property == BuiltInProperty.VERSION) {
      return;
    }
    String name = property.propertyName();
    if (property.type() == SqlLineProperty.Type.BOOLEAN) {
      spec.addOption(OptionSpec.builder("--" + name).type(boolean.class).build());
    } else {
      spec.addOption(textOption("--" + name));
    }
    if (property.type() == SqlLineProperty.Type.STRING
        || property.type() == SqlLineProperty.Type.FILE_PATH) {
      spec.addOption(OptionSpec.builder("--no-" + name).type(boolean.class).build());
    }
  }

  /** sqlline's properties may be written without regard to case. */
  private static String[] withFullPropertyNames(String[] args) {
    return Arrays.stream(args)
        .map(CommandLineArguments::withFullPropertyName)
        .toArray(String[]::new);
  }

  private static String withFullPropertyName(String arg) {
    String dashes = arg.startsWith("--no-") ? "--no-" : arg.startsWith("--") ? "--" : null;
    if (dashes == null) {
      return arg;
    }
    int equals = arg.indexOf('=');
    int end = equals < 0 ? arg.length() : equals;
    SqlLineProperty property = BuiltInProperty.valueOf(arg.substring(dashes.length(), end), true);
    return property == null || property == BuiltInProperty.VERSION
        ? arg
        : dashes + property.propertyName() + arg.substring(end);
  }

  private static String banner(List<Mount> mounts, Optional<ConnectUrl> connection) {
    String where =
        mounts.isEmpty()
            ? connection.map(ConnectUrl::url).orElse("no connection")
            : mounts.stream().map(Mount::toString).collect(joining(", "));
    return "StateSQL " + version() + " on " + where + "\n!help lists the commands, !quit leaves";
  }

  /** Where the shell keeps its history and what {@code !save} saves. */
  static Path settingsFolder(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home") : home, ".statesql")
        .toAbsolutePath();
  }

  private static String version() {
    return resource("version.txt").strip();
  }

  private static String resource(String name) {
    try (InputStream in = CommandLineArguments.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
