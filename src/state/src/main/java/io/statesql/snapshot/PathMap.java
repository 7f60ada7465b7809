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
package io.statesql.snapshot;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the files of a relocated snapshot are now: replacements for the beginning of the absolute
 * paths that its metadata names. Whole components of a path are compared, and of several rules that
 * fit, the longest wins. Scheme and authority of a URI must be equal; a path without a scheme is a
 * local file. Immutable.
 *
 * @param rules the longest first
 */
public record PathMap(List<Rule> rules) implements Serializable {
  /** Leaves every path as it is. */
  public static final PathMap NONE = new PathMap(List.of());

  /** How a path or URI begins that does not depend on the working folder. */
  private static final Pattern ABSOLUTE = Pattern.compile("/|[A-Za-z][A-Za-z0-9+.-]*:");

  /** One replacement: paths equal to or below {@code from} are now at or below {@code to}. */
  public record Rule(Path from, Path to) implements Serializable {}

  public PathMap {
    rules = List.copyOf(rules);
  }

  /**
   * Reads rules of the form {@code FROM=TO}. {@code FROM} is an absolute path or a URI as the
   * metadata has it, {@code TO} a path or URI. Where a text has several equals signs, {@code TO}
   * begins behind the first that is followed by an absolute path or a URI, so that {@code
   * s3://bucket/day=1=/local} reads as meant.
   *
   * @throws StateSqlException if a text is no such rule, or two rules replace the same path
   */
  public static PathMap parse(List<String> texts) {
    List<Rule> rules = new ArrayList<>();
    for (String text : texts) {
      Rule rule = parse(text);
      if (rules.stream().anyMatch(other -> samePlace(other.from(), rule.from()))) {
        throw invalid(
            "The path map has two rules for " + SnapshotPaths.show(rule.from()) + "; keep one.");
      }
      rules.add(rule);
    }
    rules.sort(Comparator.comparingInt((Rule rule) -> rule.from().getPath().length()).reversed());
    return new PathMap(rules);
  }

  private static Rule parse(String text) {
    int equals = text.indexOf('=');
    for (int at = equals; at >= 0; at = text.indexOf('=', at + 1)) {
      if (ABSOLUTE.matcher(text).region(at + 1, text.length()).lookingAt()) {
        equals = at;
        break;
      }
    }
    if (equals <= 0 || equals == text.length() - 1) {
      throw invalid("The path map holds '" + text + "', which is not FROM=TO.");
    }
    Path from;
    try {
      from = new Path(text.substring(0, equals));
    } catch (IllegalArgumentException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "The path map holds '" + text + "', where no path stands before the equals sign.",
          e);
    }
    if (!from.isAbsolute() && from.toUri().getAuthority() == null) {
      throw invalid(
          "The path map holds '"
              + text
              + "', but what is replaced must be an absolute path or a URI, as the metadata has"
              + " it.");
    }
    return new Rule(from, SnapshotPaths.of(text.substring(equals + 1)));
  }

  private static StateSqlException invalid(String message) {
    return new StateSqlException(ErrorCode.INVALID_ARGUMENT, message);
  }

  /** Where a path of the metadata is now; empty when no rule fits. */
  public Optional<Path> apply(Path stored) {
    return rules.stream()
        .filter(rule -> sameFileSystem(rule.from(), stored))
        .filter(rule -> isAtOrBelow(stored.getPath(), withoutSlash(rule.from())))
        .findFirst()
        .map(rule -> replace(rule, stored));
  }

  private static Path replace(Rule rule, Path stored) {
    String rest = stored.getPath().substring(withoutSlash(rule.from()).length());
    String path = withoutSlash(rule.to()) + rest;
    return new Path(
        rule.to().toUri().getScheme(),
        rule.to().toUri().getAuthority(),
        path.isEmpty() ? Path.SEPARATOR : path);
  }

  private static boolean isAtOrBelow(String path, String folder) {
    return path.startsWith(folder)
        && (path.length() == folder.length() || path.charAt(folder.length()) == '/');
  }

  /** The path, of a root the empty text. */
  private static String withoutSlash(Path path) {
    return path.getPath().equals(Path.SEPARATOR) ? "" : path.getPath();
  }

  private static boolean samePlace(Path left, Path right) {
    return sameFileSystem(left, right) && withoutSlash(left).equals(withoutSlash(right));
  }

  private static boolean sameFileSystem(Path left, Path right) {
    return schemeOf(left).equals(schemeOf(right))
        && Objects.equals(authorityOf(left), authorityOf(right));
  }

  private static String schemeOf(Path path) {
    String scheme = path.toUri().getScheme();
    return scheme == null ? "file" : scheme;
  }

  private static @Nullable String authorityOf(Path path) {
    String authority = path.toUri().getAuthority();
    return authority == null || authority.isEmpty() ? null : authority;
  }
}
