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
package io.statesql.sql;

import io.statesql.ErrorCode;
import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import java.util.Locale;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Brings SQL text to the form that the parser reads: identifiers in backticks get double quotes (no
 * lexical state of Calcite's grammar accepts both), and a semicolon at the end is dropped (programs
 * that talk to JDBC send one). Lines and columns of what follows stay the same, except behind a
 * quote character inside a backticked name.
 */
public final class SqlText {
  private final String text;
  private final StringBuilder out;
  private final StatementSize size = new StatementSize();
  private int position;

  private SqlText(String text) {
    this.text = text;
    this.out = new StringBuilder(text.length());
  }

  /**
   * Rewrites a statement.
   *
   * @throws StateSqlException when it holds nothing but white space and comments, or is too large
   * @throws RuntimeException which tells the position, for a quote or a comment without an end
   */
  public static String forParser(String text) {
    return new SqlText(text).rewrite();
  }

  /**
   * The first word of a statement, in upper case; empty if the first token behind white space and
   * comments is none, or if there is none.
   */
  public static String firstWord(String text) {
    SqlText reader = new SqlText(text);
    while (reader.position < text.length()) {
      int start = reader.position;
      if (!reader.copyNext()) {
        int end = start;
        while (end < text.length() && Character.isLetter(text.charAt(end))) {
          end++;
        }
        return text.substring(start, end).toUpperCase(Locale.ROOT);
      }
    }
    return "";
  }

  private String rewrite() {
    int semicolon = -1;
    boolean empty = true;
    while (position < text.length()) {
      int before = out.length();
      boolean blank = copyNext();
      empty &= blank;
      if (!blank) {
        semicolon = out.charAt(before) == ';' && semicolon < 0 ? before : -1;
      }
    }
    if (empty) {
      throw new StateSqlException(ErrorCode.INVALID_STATEMENT, "The statement is empty.");
    }
    if (semicolon >= 0) {
      out.setCharAt(semicolon, ' ');
    }
    return out.toString();
  }

  /** Copies the next token and returns whether it is white space or a comment. */
  private boolean copyNext() {
    char c = text.charAt(position);
    if (c == '\'' || c == '"') {
      copyTo(endOfQuoted(c));
      return false;
    }
    if (c == '`') {
      rewriteBackticks(endOfQuoted(c));
      return false;
    }
    if (text.startsWith("--", position) || text.startsWith("//", position)) {
      copyTo(endOf("\n", position));
      return true;
    }
    if (text.startsWith("/*", position)) {
      copyTo(endOf("*/", position + 2));
      return true;
    }
    size.next(text, position);
    copyTo(position + 1);
    return Character.isWhitespace(c);
  }

  private void copyTo(int end) {
    out.append(text, position, end);
    position = end;
  }

  private void rewriteBackticks(int end) {
    String name = text.substring(position + 1, end - 1).replace("``", "`");
    out.append(NearestNames.quote(name));
    position = end;
  }

  /**
   * The position after a quoted text; a doubled quote does not end it.
   *
   * @throws RuntimeException which tells where it begins, if nothing ends it
   */
  private int endOfQuoted(char quote) {
    int i = position + 1;
    while (i < text.length()) {
      if (text.charAt(i) == quote) {
        if (i + 1 == text.length() || text.charAt(i + 1) != quote) {
          return i + 1;
        }
        i++;
      }
      i++;
    }
    throw unterminated(quote == '\'' ? "text" : "quoted name");
  }

  private int endOf(String terminator, int from) {
    int found = text.indexOf(terminator, from);
    if (found < 0 && terminator.equals("*/")) {
      throw unterminated("comment");
    }
    return found < 0 ? text.length() : found + terminator.length();
  }

  private RuntimeException unterminated(String what) {
    int lineStart = text.lastIndexOf('\n', position - 1) + 1;
    int line = 1 + (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
    int column = position - lineStart + 1;
    return Positions.at(
        new SqlParserPos(line, column),
        new StateSqlException(
            ErrorCode.INVALID_STATEMENT, "the " + what + " that begins here has no end."));
  }
}
