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
 * LIKE by code points. Only what the last % stands for is tried anew, so that the work is bounded
 * by the lengths of text and pattern. Calcite's own makes a regular expression, which tries all
 * ways to divide the text, and whose _ stands for no line break. Generated code calls it.
 */
public final class LikePattern {
  private static final int NO_ESCAPE = -1;

  private final String pattern;
  private final int escape;

  private LikePattern(String pattern, int escape) {
    this.pattern = pattern;
    this.escape = escape;
  }

  /** LIKE without ESCAPE. */
  public static Boolean like(String text, String pattern) {
    if (text == null || pattern == null) {
      return null;
    }
    return new LikePattern(pattern, NO_ESCAPE).matches(text);
  }

  /** LIKE with ESCAPE. */
  public static Boolean likeEscaped(String text, String pattern, String escape) {
    if (text == null || pattern == null || escape == null) {
      return null;
    }
    LikePattern escaped = new LikePattern(pattern, character(escape));
    escaped.requireEscapes();
    return escaped.matches(text);
  }

  /** The escape character that a text is. */
  static int character(String escape) {
    if (escape.codePointCount(0, escape.length()) != 1) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT, "ESCAPE takes one character, not '%s'.".formatted(escape));
    }
    return escape.codePointAt(0);
  }

  private void requireEscapes() {
    for (int i = 0; i < pattern.length(); i += lengthAt(i)) {
      if (isEscaped(i)) {
        int after = i + Character.charCount(escape);
        int character = after < pattern.length() ? pattern.codePointAt(after) : NO_ESCAPE;
        if (character != '%' && character != '_' && character != escape) {
          throw new StateSqlException(
              ErrorCode.INVALID_ARGUMENT,
              "In the pattern '%s' the escape character stands before what is neither %%, nor _, nor itself."
                  .formatted(pattern));
        }
      }
    }
  }

  private boolean matches(String text) {
    int textAt = 0;
    int patternAt = 0;
    int afterPercent = -1;
    int tried = 0;
    while (textAt < text.length()) {
      if (patternAt < pattern.length() && isWildcard(patternAt, '%')) {
        patternAt++;
        afterPercent = patternAt;
        tried = textAt;
      } else if (patternAt < pattern.length() && matchesCharacter(patternAt, text, textAt)) {
        patternAt += lengthAt(patternAt);
        textAt = next(text, textAt);
      } else if (afterPercent >= 0) {
        // The % takes one character more; what stands before it is as good as it can be.
        tried = next(text, tried);
        textAt = tried;
        patternAt = afterPercent;
      } else {
        return false;
      }
    }
    while (patternAt < pattern.length() && isWildcard(patternAt, '%')) {
      patternAt++;
    }
    return patternAt == pattern.length();
  }

  private boolean matchesCharacter(int patternAt, String text, int textAt) {
    if (isWildcard(patternAt, '_')) {
      return true;
    }
    int at = isEscaped(patternAt) ? patternAt + Character.charCount(escape) : patternAt;
    return pattern.codePointAt(at) == text.codePointAt(textAt);
  }

  private boolean isWildcard(int at, char wildcard) {
    return pattern.charAt(at) == wildcard && escape != wildcard;
  }

  private boolean isEscaped(int at) {
    return escape != NO_ESCAPE && pattern.codePointAt(at) == escape;
  }

  /** The units of the pattern that stand for one character, with the escape before it. */
  private int lengthAt(int at) {
    int after = next(pattern, at);
    return isEscaped(at) && after < pattern.length() ? next(pattern, after) - at : after - at;
  }

  private static int next(String text, int at) {
    return at + Character.charCount(text.codePointAt(at));
  }
}
