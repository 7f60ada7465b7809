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

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What people type who know another shell, psql's, DuckDB's, sqlline's: each line has an equal of
 * ours, a command that begins with {@code !} or a statement.
 */
public final class FamiliarCommand {
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("exit", "!quit"),
          Map.entry("quit", "!quit"),
          Map.entry("\\q", "!quit"),
          Map.entry(".quit", "!quit"),
          Map.entry(".exit", "!quit"),
          Map.entry("help", "!help"),
          Map.entry("?", "!help"),
          Map.entry("\\?", "!help"),
          Map.entry("\\h", "!help"),
          Map.entry(".help", "!help"),
          Map.entry("\\l", "SHOW CATALOGS"),
          Map.entry(".databases", "SHOW CATALOGS"),
          Map.entry("\\dn", "SHOW SCHEMAS"),
          Map.entry("\\d", "SHOW TABLES"),
          Map.entry("\\dt", "SHOW TABLES"),
          Map.entry(".tables", "SHOW TABLES"),
          Map.entry(".schema", "SHOW TABLES"),
          Map.entry("\\x", "!set outputformat vertical"),
          Map.entry("begin", "!autocommit off"),
          Map.entry("begin transaction", "!autocommit off"),
          Map.entry("begin work", "!autocommit off"),
          Map.entry("start transaction", "!autocommit off"),
          Map.entry("commit", "!commit"),
          Map.entry("commit work", "!commit"),
          Map.entry("rollback", "!rollback"),
          Map.entry("rollback work", "!rollback"));

  /** Commands with a name behind them, which stays as it was typed. */
  private static final Map<String, UnaryOperator<String>> WITH_NAME =
      Map.of(
          "\\d", name -> "DESCRIBE TABLE " + name,
          "\\d+", name -> "DESCRIBE TABLE " + name,
          "\\dt", name -> "SHOW TABLES FROM " + name,
          ".schema", name -> "DESCRIBE TABLE " + name,
          ".tables", name -> "SHOW TABLES FROM " + name,
          "\\dn", name -> "SHOW SCHEMAS FROM " + name,
          "\\c", name -> "USE " + name,
          "\\i", name -> "!run " + name,
          ".read", name -> "!run " + name);

  /** Commands of sqlline that list names, which SQL does better where it can. */
  private static final Map<String, List<String>> LISTINGS =
      Map.of(
          "!tables", List.of("SHOW TABLES", "SHOW TABLES FROM "),
          "!schemas", List.of("SHOW SCHEMAS", "SHOW SCHEMAS FROM "),
          "!columns", List.of("", "DESCRIBE TABLE "),
          "!describe", List.of("", "DESCRIBE TABLE "));

  private static final Pattern COMMAND = Pattern.compile("(\\S+)(?:\\s+(.*))?", Pattern.DOTALL);

  /** Commands behind which a semicolon may mean something. */
  private static final Pattern TAKES_TEXT =
      Pattern.compile("!(set|sql|all|prompthandler)\\b.*", Pattern.CASE_INSENSITIVE);

  private FamiliarCommand() {}

  /** Whether a line that is typed is whole without a semicolon. */
  public static boolean isWholeLine(String line) {
    String text = line.strip();
    return begins(text, '\\') || begins(text, '.') || WORDS.containsKey(word(text));
  }

  /** Whether a text is one of another shell's commands, known here or not. */
  static boolean isForeign(char first) {
    return first == '\\' || first == '.';
  }

  private static boolean begins(String text, char first) {
    return !text.isEmpty() && text.charAt(0) == first;
  }

  /**
   * Our equal of a command or a statement; the text itself where it has none.
   *
   * @param listsNames whether the connection takes {@code SHOW} and {@code DESCRIBE}
   * @throws UnknownCommandException for a command of another shell that has no equal
   */
  public static String equalOf(String text, boolean listsNames) {
    String plain = text.strip();
    String word = WORDS.get(word(plain));
    if (word != null) {
      return word;
    }
    boolean isForeign = !plain.isEmpty() && isForeign(plain.charAt(0));
    if (!isForeign && !begins(plain, '!')) {
      return text;
    }
    if (!TAKES_TEXT.matcher(plain).matches()) {
      plain = withoutSemicolon(plain);
    }
    Matcher parts = COMMAND.matcher(plain);
    if (!parts.matches()) {
      return plain;
    }
    String command = parts.group(1).toLowerCase(Locale.ROOT);
    Optional<String> name = Optional.ofNullable(parts.group(2)).filter(rest -> !rest.isBlank());
    if (isForeign) {
      return equalOfForeign(plain, command, name);
    }
    List<String> listing = listsNames ? LISTINGS.get(command) : null;
    if (listing == null) {
      return plain;
    }
    String bare = listing.get(0).isEmpty() ? plain : listing.get(0);
    return name.map(listing.get(1)::concat).orElse(bare);
  }

  private static String equalOfForeign(String text, String command, Optional<String> name) {
    UnaryOperator<String> equal = WITH_NAME.get(command);
    if (equal == null || name.isEmpty()) {
      throw new UnknownCommandException(text);
    }
    return equal.apply(name.get());
  }

  private static String word(String text) {
    return withoutSemicolon(text).replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }

  private static String withoutSemicolon(String text) {
    int end = text.length();
    while (end > 0
        && (text.charAt(end - 1) == ';' || Character.isWhitespace(text.charAt(end - 1)))) {
      end--;
    }
    return text.substring(0, end);
  }

  /** A command of another shell that has no equal here. */
  public static final class UnknownCommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownCommandException(String command) {
      super("Unknown command: " + command + "; !help lists what there is");
    }
  }
}
