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
import io.statesql.StateSqlException;
import io.statesql.sql.function.DecimalBounds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses statements that the parser would read for hours, since its time grows with the square of
 * the digits of a number and of the operators of an expression. Sees what is neither quoted nor
 * comment, character by character.
 */
final class StatementSize {
  /** Of one expression, as far as commas, parentheses and clauses tell one from the next. */
  static final int MOST_OPERATORS = 20_000;

  private static final String OPERATORS = "+-*/|=<>";

  private static final Set<String> OPERATOR_WORDS =
      Set.of("AND", "OR", "NOT", "IS", "LIKE", "IN", "BETWEEN");

  private static final Set<String> CLAUSES =
      Set.of("SELECT", "FROM", "WHERE", "HAVING", "ON", "BY", "WHEN", "THEN", "ELSE", "UNION");

  /** Of the expressions around the open parentheses. */
  private final Deque<Integer> outer = new ArrayDeque<>();

  private int operators;
  private int digits;

  /**
   * Goes on by one character.
   *
   * @param at its position in the text
   * @throws StateSqlException if the statement is too large
   */
  void next(String text, int at) {
    char c = text.charAt(at);
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    require(
        digits, DecimalBounds.MOST_DIGITS, "A number in the statement has more than %d digits.");
    if (c == '(' || c == '[') {
      outer.push(operators);
      operators = 0;
    } else if (c == ')' || c == ']') {
      operators = outer.isEmpty() ? 0 : outer.pop();
    } else if (c == ',') {
      operators = 0;
    } else if (OPERATORS.indexOf(c) >= 0) {
      operators++;
    } else if (Character.isLetter(c) && (at == 0 || !isNamePart(text.charAt(at - 1)))) {
      word(text, at);
    }
    require(
        operators,
        MOST_OPERATORS,
        "An expression of the statement has more than %d operators; IN takes a list of any length.");
  }

  private void word(String text, int at) {
    int end = at;
    while (end < text.length() && isNamePart(text.charAt(end))) {
      end++;
    }
    String word = text.substring(at, end).toUpperCase(Locale.ROOT);
    if (CLAUSES.contains(word)) {
      operators = 0;
    } else if (OPERATOR_WORDS.contains(word)) {
      operators++;
    }
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static void require(int size, int most, String reason) {
    if (size > most) {
      throw new StateSqlException(ErrorCode.INVALID_STATEMENT, reason.formatted(most));
    }
  }
}
