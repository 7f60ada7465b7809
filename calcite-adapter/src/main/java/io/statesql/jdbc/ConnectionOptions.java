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
package io.statesql.jdbc;

import com.google.common.primitives.Ints;
import io.statesql.ErrorCode;
import io.statesql.ScanLimits;
import io.statesql.StateSqlException;
import io.statesql.coordinator.client.ClientOptions;
import io.statesql.snapshot.PathMap;
import io.statesql.value.Composites;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The properties of a {@code jdbc:statesql:} URL, parsed and checked. Immutable.
 *
 * <p>Properties are separated by semicolons; a value that holds a semicolon is quoted with {@code
 * '} or {@code "}, doubled inside. Several values of one property are separated by commas; a value
 * that holds a comma is quoted with {@code "}, doubled inside, which makes the whole look like
 * {@code snapshot='"/data/a,b",next=/data/c'}.
 *
 * @param snapshots what to mount, each {@code PATH} or {@code NAME=PATH} as the user wrote it; see
 *     {@link Mount#parse}
 * @param uids names for operators of which the snapshot knows the hash only
 * @param pathMap replacements for the beginning of absolute paths in a relocated snapshot, each
 *     {@code FROM=TO}
 * @param jars jar files of the job, whose classes are loaded where values or hash codes of keys
 *     need them; see {@link io.statesql.job.JobJars}
 * @param commitTo the folder where modified savepoints go
 * @param dryRun whether a commit only says what it would write
 * @param isolate whether native code reads RocksDB files in processes of its own, for snapshots
 *     that are not trusted
 * @param coordinator the coordinator that {@code sys.store_locations} shows, and to which this
 *     process reports what it reads; without one, the registry of this process is shown
 * @param composites how ARRAY, MAP and ROW columns are given
 * @param statementSeconds how long a statement may be prepared, and then run, unless {@link
 *     java.sql.Statement#setQueryTimeout} says another time; 0 for no limit
 * @param limits what each table that a statement reads may take of memory and threads
 */
public record ConnectionOptions(
    List<String> snapshots,
    List<String> uids,
    PathMap pathMap,
    List<String> jars,
    Optional<String> commitTo,
    boolean dryRun,
    boolean isolate,
    Optional<ClientOptions> coordinator,
    Composites composites,
    int statementSeconds,
    ScanLimits limits) {

  private static final String SNAPSHOT = "snapshot";
  private static final String UIDS = "uids";
  private static final String PATH_MAP = "pathMap";
  private static final String JARS = "jars";
  private static final String COMMIT_TO = "commitTo";
  private static final String DRY_RUN = "dryRun";
  private static final String ISOLATE = "isolate";
  private static final String COORDINATOR = "coordinator";
  private static final String COORDINATOR_TOKEN_FILE = "coordinatorTokenFile";
  private static final String COMPOSITES = "composites";
  private static final String STATEMENT_SECONDS = "statementSeconds";
  private static final String MEMORY = "memory";
  private static final String PARALLELISM = "parallelism";

  /** The names of all properties that a URL may have. */
  public static final List<String> PROPERTY_NAMES =
      List.of(
          SNAPSHOT,
          UIDS,
          PATH_MAP,
          JARS,
          COMMIT_TO,
          DRY_RUN,
          ISOLATE,
          COORDINATOR,
          COORDINATOR_TOKEN_FILE,
          COMPOSITES,
          STATEMENT_SECONDS,
          MEMORY,
          PARALLELISM);

  private static final Pattern MEMORY_SIZE = Pattern.compile("(\\d{1,18})([kmgKMG]?)");
  private static final long MIN_MEMORY = 1L << 20;
  private static final int MAX_PARALLELISM = 1024;

  /** What programs pass along to any driver, and embedded databases do not need. */
  private static final List<String> IGNORED_NAMES = List.of("user", "password");

  public ConnectionOptions {
    snapshots = List.copyOf(snapshots);
    uids = List.copyOf(uids);
    jars = List.copyOf(jars);
  }

  /**
   * Reads the properties of a connection.
   *
   * @throws StateSqlException when a property is unknown or has a wrong value
   */
  public static ConnectionOptions of(Properties properties) {
    var unknown = new TreeSet<>(properties.stringPropertyNames());
    unknown.removeAll(PROPERTY_NAMES);
    unknown.removeAll(IGNORED_NAMES);
    if (!unknown.isEmpty()) {
      throw invalid(
          "Unknown connection property '%s'; known are %s.",
          unknown.first(), String.join(", ", PROPERTY_NAMES));
    }
    String commitTo = properties.getProperty(COMMIT_TO, "");
    return new ConnectionOptions(
        list(properties, SNAPSHOT),
        list(properties, UIDS),
        PathMap.parse(list(properties, PATH_MAP)),
        list(properties, JARS),
        commitTo.isEmpty() ? Optional.empty() : Optional.of(commitTo),
        isTrue(properties, DRY_RUN),
        isTrue(properties, ISOLATE),
        coordinator(properties),
        composites(properties.getProperty(COMPOSITES, "objects")),
        seconds(properties.getProperty(STATEMENT_SECONDS, "0")),
        limits(properties));
  }

  private static List<String> list(Properties properties, String name) {
    try {
      return ListValue.split(properties.getProperty(name, ""));
    } catch (IllegalArgumentException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "The connection property '%s' %s.".formatted(name, e.getMessage()),
          e);
    }
  }

  private static boolean isTrue(Properties properties, String name) {
    String text = properties.getProperty(name, "false");
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw invalid(
              "The connection property '%s' is '%s'; it must be true or false.", name, text);
    };
  }

  private static Optional<ClientOptions> coordinator(Properties properties) {
    String url = properties.getProperty(COORDINATOR, "");
    String tokenFile = properties.getProperty(COORDINATOR_TOKEN_FILE, "");
    if (url.isEmpty()) {
      if (!tokenFile.isEmpty()) {
        throw invalid(
            "The connection property '%s' needs '%s'.", COORDINATOR_TOKEN_FILE, COORDINATOR);
      }
      return Optional.empty();
    }
    ClientOptions options;
    try {
      options = ClientOptions.of(url);
    } catch (IllegalArgumentException e) {
      throw new StateSqlException(ErrorCode.INVALID_ARGUMENT, e.getMessage() + ".", e);
    }
    return Optional.of(tokenFile.isEmpty() ? options : options.withToken(readToken(tokenFile)));
  }

  private static String readToken(String file) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.UTF_8).strip();
    } catch (IOException | InvalidPathException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "The token file of the coordinator cannot be read: " + file + ".",
          e);
    }
  }

  private static Composites composites(String text) {
    return Arrays.stream(Composites.values())
        .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                invalid(
                    "The connection property '%s' is '%s'; it must be one of %s.",
                    COMPOSITES,
                    text,
                    Arrays.stream(Composites.values())
                        .map(value -> value.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", "))));
  }

  private static ScanLimits limits(Properties properties) {
    ScanLimits usual = ScanLimits.ofThisProcess();
    String memory = properties.getProperty(MEMORY, "");
    String parallelism = properties.getProperty(PARALLELISM, "");
    return new ScanLimits(
        memory.isEmpty() ? usual.memory() : bytes(memory),
        parallelism.isEmpty() ? usual.parallelism() : threads(parallelism));
  }

  private static long bytes(String text) {
    Matcher size = MEMORY_SIZE.matcher(text);
    if (size.matches()) {
      int shift =
          switch (size.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
          };
      long number = Long.parseLong(size.group(1));
      if (number <= Long.MAX_VALUE >> shift && number << shift >= MIN_MEMORY) {
        return number << shift;
      }
    }
    throw invalid(
        "The connection property '%s' is '%s'; it must be a number of bytes, at least 1m, as in"
            + " 512m or 2g.",
        MEMORY, text);
  }

  private static int seconds(String text) {
    Integer number = Ints.tryParse(text);
    if (number == null || number < 0) {
      throw invalid(
          "The connection property '%s' is '%s'; it must be a number of seconds, or 0 for no limit.",
          STATEMENT_SECONDS, text);
    }
    return number;
  }

  private static int threads(String text) {
    Integer number = Ints.tryParse(text);
    if (number == null || number < 1 || number > MAX_PARALLELISM) {
      throw invalid(
          "The connection property '%s' is '%s'; it must be a number from 1 to %d.",
          PARALLELISM, text, MAX_PARALLELISM);
    }
    return number;
  }

  private static StateSqlException invalid(String format, Object... arguments) {
    return new StateSqlException(
        ErrorCode.INVALID_ARGUMENT, String.format(Locale.ROOT, format, arguments));
  }
}
