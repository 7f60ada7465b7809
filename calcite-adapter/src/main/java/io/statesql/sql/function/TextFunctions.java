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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;

/**
 * Functions of text that count characters as SQL does, by code points. Calcite's own count units of
 * UTF-16, of which an emoji has two, and cut it in halves. Generated code calls them.
 */
public final class TextFunctions {
  /** That one value is padded with. */
  private static final int MOST_SPACES = 1_000_000;

  /** In units of UTF-16, of a text that a statement makes longer than those it has. */
  private static final int LONGEST = 100_000_000;

  private TextFunctions() {}

  /** The operator {@code ||}. */
  public static String concat(String first, String second) {
    if (first == null || second == null) {
      return null;
    }
    requireLength((long) first.length() + second.length());
    return first.concat(second);
  }

  /** REPLACE, of each place where a text has a part that is not empty. */
  public static String replace(String text, String part, String replacement) {
    if (text == null || part == null || replacement == null) {
      return null;
    }
    if (part.isEmpty()) {
      return text;
    }
    if (replacement.length() > part.length()) {
      long places = 0;
      for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
        places++;
      }
      requireLength(text.length() + places * (replacement.length() - part.length()));
    }
    return text.replace(part, replacement);
  }

  private static void requireLength(long length) {
    if (length > LONGEST) {
      throw new StateSqlException(
          ErrorCode.MEMORY_LIMIT,
          "A text of %d characters would be made; at most %d are accepted."
              .formatted(length, LONGEST));
    }
  }

  /** CHAR_LENGTH. */
  public static Integer charLength(String text) {
    return text == null ? null : (Integer) length(text);
  }

  /** SUBSTRING without a length. */
  public static String substring(String text, Long start) {
    return (text == null || start == null) ? null : text.substring(start(text, start));
  }

  /** SUBSTRING with a length. */
  public static String substringFor(String text, Long start, Long length) {
    if (text == null || start == null || length == null) {
      return null;
    }
    if (length < 0) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT, "SUBSTRING takes a length of 0 or more, not " + length + ".");
    }
    int from = start(text, start);
    return text.substring(from, Math.max(from, index(text, end(start, length) - 1)));
  }

  /** POSITION without a start. */
  public static Integer position(String part, String text) {
    return positionFrom(part, text, 1L);
  }

  /** POSITION from a character on, or, counted from the end, back from one. */
  public static Integer positionFrom(String part, String text, Long start) {
    if (part == null || text == null || start == null) {
      return null;
    }
    if (start == 0) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT, "POSITION starts at a character other than 0.");
    }
    int found =
        start > 0
            ? text.indexOf(part, index(text, start - 1))
            : lastIndexOf(part, text, length(text) + start);
    return found < 0 ? 0 : text.codePointCount(0, found) + 1;
  }

  private static int lastIndexOf(String part, String text, long last) {
    return last <= 0 ? -1 : text.lastIndexOf(part, index(text, last));
  }

  /** OVERLAY by as many characters as are put in. */
  public static String overlay(String text, String replacement, Long start) {
    return replacement == null
        ? null
        : overlayFor(text, replacement, start, (long) length(replacement));
  }

  /** OVERLAY of a number of characters. */
  public static String overlayFor(String text, String replacement, Long start, Long length) {
    if (text == null || replacement == null || start == null || length == null) {
      return null;
    }
    if (start < 1) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT, "OVERLAY starts at character 1 or later, not " + start + ".");
    }
    return text.substring(0, index(text, start - 1))
        + replacement
        + text.substring(index(text, end(start, length) - 1));
  }

  /** TRIM BOTH. */
  public static String trim(String character, String text) {
    return trimLeading(character, trimTrailing(character, text));
  }

  /** TRIM LEADING. */
  public static String trimLeading(String character, String text) {
    if (character == null || text == null) {
      return null;
    }
    requireCharacter(character);
    int from = 0;
    while (text.startsWith(character, from)) {
      from += character.length();
    }
    return text.substring(from);
  }

  /** TRIM TRAILING. */
  public static String trimTrailing(String character, String text) {
    if (character == null || text == null) {
      return null;
    }
    requireCharacter(character);
    int to = text.length();
    while (text.startsWith(character, to - character.length())) {
      to -= character.length();
    }
    return text.substring(0, to);
  }

  private static void requireCharacter(String text) {
    if (length(text) != 1) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT, "TRIM takes one character off, not '%s'.".formatted(text));
    }
  }

  /** INITCAP: letters in lower case but for the first of each word of letters and digits. */
  public static String initcap(String text) {
    if (text == null) {
      return null;
    }
    StringBuilder result = new StringBuilder(text.length());
    boolean inWord = false;
    for (int character : text.codePoints().toArray()) {
      result.appendCodePoint(
          inWord ? Character.toLowerCase(character) : Character.toTitleCase(character));
      inWord = Character.isLetterOrDigit(character);
    }
    return result.toString();
  }

  /** What CAST to VARCHAR(length) keeps. */
  public static String truncated(String text, Integer length) {
    return (text == null || text.length() <= length)
        ? text
        : text.substring(0, index(text, length));
  }

  /** What CAST to CHAR(length) makes. */
  public static String padded(String text, Integer length) {
    String kept = truncated(text, length);
    if (kept == null) {
      return null;
    }
    int spaces = length - length(kept);
    if (spaces > MOST_SPACES) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "CHAR(%d) would put %d spaces behind a text; VARCHAR puts none."
              .formatted(length, spaces));
    }
    return kept + " ".repeat(spaces);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Where the characters begin that are left by a start, counted from 1. */
  private static int start(String text, long start) {
    return start <= 1 ? 0 : index(text, start - 1);
  }

  /** Behind the last of so many characters from a place on; counted from 1, and never too large. */
  private static long end(long start, long length) {
    return (length > 0 && start > Long.MAX_VALUE - length)
        ? Long.MAX_VALUE
        : Math.max(1, start + length);
  }

  /**
   * Where a character begins, counted from 0: before the first the start, behind the last the end.
   */
  private static int index(String text, long character) {
    if (character <= 0) {
      return 0;
    }
    return (character >= text.length() || character >= length(text))
        ? text.length()
        : text.offsetByCodePoints(0, (int) character);
  }
}
