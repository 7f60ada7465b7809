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
package io.statesql.sql.function;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * SIMILAR TO by code points, with a matcher whose work is bounded by the lengths of text and
 * pattern. Translates a pattern to that matcher's regular expression. Generated code calls it.
 */
public final class SimilarPattern {
  private static final int KEPT_PATTERNS = 100;

  /** Compiled, by translation. */
  private static final Map<Source, Pattern> COMPILED =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Source, Pattern> eldest) {
              return size() > KEPT_PATTERNS;
            }
          });

  /** Of the compiled pattern, for each character of a text; repetitions multiply it. */
  private static final long MOST_STATES = 10_000;

  private static final int MOST_PARENTHESES = 100;

  private static final int NO_ESCAPE = -1;

  /** What an escape character may stand before, beside itself. */
  private static final String SPECIAL = "_%|*+?{}()[]^-";

  private static final Set<String> CLASSES =
      Set.of("alpha", "upper", "lower", "digit", "alnum", "space", "whitespace");

  private final Source source;
  private final StringBuilder expression = new StringBuilder();

  /** How large what stands before each parenthesis that is open compiles to. */
  private final Deque<Long> outer = new ArrayDeque<>();

  private int at;

  /** How large what was translated since the last open parenthesis compiles to. */
  private long states;

  /** How large what a repetition would repeat compiles to. */
  private long repeatable;

  private SimilarPattern(Source source) {
    this.source = source;
  }

  /**
   * What is translated.
   *
   * @param escape a code point
   */
  private record Source(String pattern, int escape) {}

  /** SIMILAR TO without ESCAPE. */
  public static Boolean similar(String text, String pattern) {
    return (text == null || pattern == null) ? null : matches(text, new Source(pattern, NO_ESCAPE));
  }

  /** SIMILAR TO with ESCAPE. */
  public static Boolean similarEscaped(String text, String pattern, String escape) {
    return (text == null || pattern == null || escape == null)
        ? null
        : matches(text, new Source(pattern, LikePattern.character(escape)));
  }

  private static Boolean matches(String text, Source source) {
    // Compiled twice by two threads at most.
    Pattern compiled = COMPILED.get(source);
    if (compiled == null) {
      compiled = new SimilarPattern(source).compile();
      COMPILED.put(source, compiled);
    }
    return compiled.matches(text);
  }

  private Pattern compile() {
    while (at < source.pattern.length()) {
      translateNext();
      if (states > MOST_STATES || outer.size() > MOST_PARENTHESES) {
        throw invalid("it is too large", null);
      }
    }
    if (!outer.isEmpty()) {
      throw invalid("( without )", null);
    }
    try {
      return Pattern.compile(expression.toString(), Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw invalid(e.getDescription(), e);
    }
  }

  private void translateNext() {
    int character = take();
    if (character == source.escape) {
      append(takeEscaped());
      addStates(1);
      return;
    }
    switch (character) {
      case '(' -> open();
      case ')' -> close();
      case '{' -> translateRepetition();
      case ']' -> throw invalid("] without [", null);
      case '|', '*', '+', '?' -> {
        expression.append((char) character);
        states++;
      }
      default -> {
        translateOne(character);
        addStates(1);
      }
    }
  }

  /** What stands for one character or, of %, for any. */
  private void translateOne(int character) {
    switch (character) {
      case '_', '.' -> expression.append('.');
      case '%' -> expression.append(".*");
      case '[' -> translateEnumeration();
      default -> append(character);
    }
  }

  private void addStates(long added) {
    states += added;
    repeatable = added;
  }

  private void open() {
    if (source.pattern.startsWith("?", at)) {
      throw invalid("? without what it repeats", null);
    }
    expression.append("(?:");
    outer.push(states);
    states = 0;
  }

  private void close() {
    if (outer.isEmpty()) {
      throw invalid(") without (", null);
    }
    expression.append(')');
    long group = states + 1;
    states = outer.pop();
    addStates(group);
  }

  private void translateRepetition() {
    int end = source.pattern.indexOf('}', at);
    String counts = end < 0 ? "" : source.pattern.substring(at, end);
    if (!counts.matches("\\d{1,4}(,\\d{0,4})?")) {
      throw invalid("Illegal repetition, { without numbers up to 1000 and }", null);
    }
    expression.append('{').append(counts).append('}');
    at = end + 1;
    int comma = counts.indexOf(',');
    String most =
        (comma < 0 || comma == counts.length() - 1)
            ? counts.replace(",", "")
            : counts.substring(comma + 1);
    addStates(repeatable * Math.max(1, Integer.parseInt(most)));
  }

  private void translateEnumeration() {
    expression.append('[');
    if (source.pattern.startsWith("^", at)) {
      expression.append('^');
      at++;
    }
    while (true) {
      if (source.pattern.startsWith("[:", at)) {
        translateClass();
        continue;
      }
      int character = take();
      if (character == source.escape) {
        append(takeEscaped());
      } else if (character == ']') {
        expression.append(']');
        return;
      } else if (character == '-') {
        expression.append('-');
      } else if (character == '^' || character == '[') {
        throw invalid(
            Character.toString(character) + " within [ ] without an escape character", null);
      } else {
        append(character);
      }
    }
  }

  private void translateClass() {
    int end = source.pattern.indexOf(":]", at);
    String name = end < 0 ? "" : source.pattern.substring(at + 2, end).toLowerCase(Locale.ROOT);
    if (!CLASSES.contains(name)) {
      throw invalid("[: without the name of a class of characters and :]", null);
    }
    switch (name) {
      case "space" -> expression.append(' ');
      case "whitespace" -> expression.append("\\s");
      default -> expression.append("[:").append(name).append(":]");
    }
    at = end + 2;
  }

  private int takeEscaped() {
    int character = take();
    if (character != source.escape && SPECIAL.indexOf(character) < 0) {
      throw invalid("an escape character before what needs none", null);
    }
    return character;
  }

  private int take() {
    if (at >= source.pattern.length()) {
      throw invalid("it ends too soon", null);
    }
    int character = source.pattern.codePointAt(at);
    at += Character.charCount(character);
    return character;
  }

  /** A character that means itself. */
  private void append(int character) {
    if (character < 128 && !Character.isLetterOrDigit(character)) {
      expression.append('\\');
    }
    expression.appendCodePoint(character);
  }

  private StateSqlException invalid(String reason, Exception cause) {
    return new StateSqlException(
        ErrorCode.INVALID_ARGUMENT,
        "The pattern '%s' of SIMILAR TO is not valid: %s.".formatted(source.pattern, reason),
        cause);
  }
}
