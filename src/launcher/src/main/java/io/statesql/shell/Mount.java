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

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A snapshot to open, as named on the command line.
 *
 * @param name the catalog's name, or empty to take the folder's
 * @param path absolute path of a folder or of a {@code _metadata} file that existed when the
 *     argument was parsed
 */
record Mount(Optional<String> name, Path path) {
  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:/.*");
  private static final Pattern LOCAL_URI = Pattern.compile("file:(?://)?(/.*)");
  private static final Pattern NAMED = Pattern.compile("([A-Za-z_][A-Za-z0-9_-]*)=(.+)");

  /**
   * Reads {@code [NAME=]PATH}. An existing path wins over the reading as NAME=PATH. A {@code file:}
   * URI is read as Flink prints it: without escapes.
   *
   * @throws UsageException if no such path exists
   */
  static Mount parse(String argument) {
    Optional<Path> whole = existing(argument);
    if (whole.isPresent()) {
      return new Mount(Optional.empty(), whole.get());
    }
    Matcher named = NAMED.matcher(argument);
    if (!named.matches()) {
      throw missing(argument);
    }
    Path path = existing(named.group(2)).orElseThrow(() -> missing(named.group(2)));
    return new Mount(Optional.of(named.group(1)), path);
  }

  private static UsageException missing(String path) {
    return new UsageException(
        URI.matcher(path).matches() && !LOCAL_URI.matcher(path).matches()
            ? "The shell opens local paths only, and not " + path + ": copy the snapshot first"
            : "No such file or folder: " + path);
  }

  private static Optional<Path> existing(String text) {
    Optional<Path> path = existingPath(text);
    Matcher local = LOCAL_URI.matcher(text);
    return path.isEmpty() && local.matches() ? existingPath(local.group(1)) : path;
  }

  private static Optional<Path> existingPath(String text) {
    try {
      Path path = Path.of(text).toAbsolutePath().normalize();
      return text.isEmpty() || Files.notExists(path) ? Optional.empty() : Optional.of(path);
    } catch (InvalidPathException e) {
      throw new UsageException("Not a path: " + e.getInput(), e);
    }
  }

  /** The argument that gives this mount again, with an absolute path. */
  @Override
  public String toString() {
    return name.map(n -> n + "=").orElse("") + path;
  }
}
