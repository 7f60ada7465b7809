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

import java.util.ArrayList;
import java.util.List;

/**
 * Splits text into statements at the semicolons that stand outside literals, quoted identifiers and
 * comments. A line that begins with {@code !} where a statement may begin is a shell command, and
 * so is one that begins as a command of another shell; one that begins with {@code #} there is a
 * comment.
 */
public final class Script {
  private final String text;
  private final List<ScriptStatement> statements = new ArrayList<>();
  private int position;
  private int line = 1;

  private Script(String text) {
    this.text = text;
  }

  /**
   * The statements of a text, in order; empty ones and those made of comments alone are left out.
   *
   * @throws UnterminatedException if a literal, quoted identifier or comment is never closed
   */
  public static List<ScriptStatement> split(String text) {
    Script script = new Script(text);
    while (script.skipBlanksAndComments()) {
      script.readStatement();
    }
    return List.copyOf(script.statements);
  }

  /** Moves to the next character that can begin a statement; false at the end. */
  private boolean skipBlanksAndComments() {
    while (position < text.length()) {
      char c = text.charAt(position);
      if (c == ';' || Character.isWhitespace(c) || c == '\uFEFF') {
        advance(1);
      } else if (c == '#' || text.startsWith("--", position)) {
        skipLine();
      } else if (text.startsWith("/*", position)) {
        skipEnclosed(2, "*/", "comment");
      } else {
        return true;
      }
    }
    return false;
  }

  private void readStatement() {
    int start = position;
    int startLine = line;
    char first = text.charAt(position);
    if (first == '!' || FamiliarCommand.isForeign(first)) {
      skipLine();
    } else {
      skipToSemicolon();
    }
    statements.add(new ScriptStatement(text.substring(start, position).strip(), startLine));
  }

  private void skipToSemicolon() {
    while (position < text.length()) {
      switch (text.charAt(position)) {
        case ';' -> {
          return;
        }
        // A doubled quote inside reads as two literals that touch: the same end.
        case '\'' -> skipEnclosed(1, "'", "literal");
        case '"' -> skipEnclosed(1, "\"", "quoted identifier");
        case '`' -> skipEnclosed(1, "`", "quoted identifier");
        default -> {
          if (text.startsWith("--", position)) {
            skipLine();
          } else if (text.startsWith("/*", position)) {
            skipEnclosed(2, "*/", "comment");
          } else {
            advance(1);
          }
        }
      }
    }
  }

  private void skipEnclosed(int opening, String closing, String what) {
    int end = text.indexOf(closing, position + opening);
    if (end < 0) {
      throw new UnterminatedException(what, line);
    }
    advance(end + closing.length() - position);
  }

  private void skipLine() {
    int end = text.indexOf('\n', position);
    advance((end < 0 ? text.length() : end) - position);
  }

  private void advance(int count) {
    for (int end = position + count; position < end; position++) {
      if (text.charAt(position) == '\n') {
        line++;
      }
    }
  }

  /** A literal, quoted identifier or comment without an end. */
  public static final class UnterminatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int line;

    UnterminatedException(String what, int line) {
      super("The " + what + " that begins on line " + line + " has no end");
      this.line = line;
    }

    /** Number of the line on which it begins, from 1. */
    public int line() {
      return line;
    }
  }
}
