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
package io.statesql.acceptance.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Makes conditions over the columns that can be seen. */
final class Predicates {
  private static final Kind BOOLEAN = Kind.BOOLEAN;

  private final Grammar grammar;
  private final Dice dice;

  Predicates(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  /** A condition that may have subqueries. */
  Sql of(List<Sql> columns, int depth) {
    if (depth > 0 && dice.chance(35)) {
      return switch (dice.below(6)) {
        case 0 -> Sql.of(BOOLEAN, "(NOT %s)", of(columns, depth - 1));
        case 1, 2 -> Sql.of(BOOLEAN, "(%s OR %s)", of(columns, depth - 1), of(columns, depth - 1));
        case 3 ->
            Sql.of(
                BOOLEAN,
                "(%s IS " + dice.of("", "NOT ") + dice.of("TRUE", "FALSE", "NULL") + ")",
                of(columns, depth - 1));
        default -> Sql.of(BOOLEAN, "(%s AND %s)", of(columns, depth - 1), of(columns, depth - 1));
      };
    }
    return depth > 0 && dice.chance(15) ? subquery(columns, depth - 1) : simple(columns, depth - 1);
  }

  /** A condition of one or two values. */
  Sql simple(List<Sql> columns, int depth) {
    Kind kind = columns.isEmpty() ? dice.of(Kind.VALUES) : dice.of(columns).kind();
    Sql left = grammar.expressions.of(kind, columns, dice.chance(70) ? 0 : depth);
    return switch (dice.below(12)) {
      case 0 -> Sql.of(BOOLEAN, "(%s IS NULL)", left);
      case 1 -> Sql.of(BOOLEAN, "(%s IS NOT NULL)", left);
      case 2 ->
          Sql.of(
              BOOLEAN,
              "(%s IS " + dice.of("", "NOT ") + "DISTINCT FROM %s)",
              left,
              other(kind, columns, depth));
      case 3 ->
          Sql.of(
              BOOLEAN,
              "(%s BETWEEN %s AND %s)",
              left,
              grammar.expressions.parameter(kind),
              grammar.expressions.parameter(kind));
      case 4, 5 ->
          Sql.of(BOOLEAN, "(%s " + dice.of("IN", "IN", "NOT IN") + " (%s))", left, literals(kind));
      case 6 ->
          kind == Kind.VARCHAR ? like(left) : compare(left, grammar.expressions.parameter(kind));
      case 7, 8, 9 -> compare(left, grammar.expressions.parameter(kind));
      case 10 -> kind == BOOLEAN ? left : compare(left, other(kind, columns, depth));
      default -> compare(left, other(kind, columns, depth));
    };
  }

  private Sql other(Kind kind, List<Sql> columns, int depth) {
    Kind other = kind.isNumber() && dice.chance(25) ? dice.of(Kind.NUMBERS) : kind;
    return grammar.expressions.of(other, columns, dice.chance(70) ? 0 : depth);
  }

  Sql equal(Sql left, Sql right) {
    return Sql.of(BOOLEAN, "(%s = %s)", left, right);
  }

  Sql compare(Sql left, Sql right) {
    return Sql.of(
        BOOLEAN, "(%s " + dice.of("=", "=", "<>", "<", "<=", ">", ">=") + " %s)", left, right);
  }

  /** One to four of them. */
  Sql literals(Kind kind) {
    List<Sql> literals = new ArrayList<>();
    for (int i = dice.below(4); i >= 0; i--) {
      literals.add(grammar.expressions.parameter(kind));
    }
    return Sql.list(", ", literals);
  }

  private Sql like(Sql left) {
    String pattern =
        dice.of(
            "%", "a%", "%a", "%a%", "_", "__", "a_", "%\\", "", "% %", "e%", "_a%", "%é", "😀%");
    return Sql.of(
        BOOLEAN,
        "(%s " + dice.of("LIKE", "NOT LIKE") + " %s)",
        left,
        Sql.text(Kind.VARCHAR, '\'' + pattern + '\''));
  }

  private Sql subquery(List<Sql> columns, int depth) {
    Kind kind = columns.isEmpty() ? dice.of(Kind.VALUES) : dice.of(columns).kind();
    Sql left = grammar.expressions.column(kind, columns);
    return switch (dice.below(columns.isEmpty() ? 5 : 7)) {
      case 0, 1 ->
          Sql.of(
              BOOLEAN,
              "(" + dice.of("EXISTS", "EXISTS", "NOT EXISTS") + " (%s))",
              grammar.queries.correlated(columns, kind, depth));
      case 2 -> Sql.of(BOOLEAN, "(%s IN (%s))", left, grammar.queries.column(kind, depth));
      case 3 -> Sql.of(BOOLEAN, "(%s NOT IN (%s))", left, grammar.queries.column(kind, depth));
      case 4 -> compare(left, Sql.of(kind, "(%s)", grammar.queries.scalar(kind, columns, depth)));
      case 5 -> {
        Sql other = grammar.expressions.column(dice.of(columns).kind(), columns);
        yield Sql.of(
            BOOLEAN,
            dice.of(Dialect.ROW_IN, Dialect.ROW_NOT_IN),
            left,
            other,
            grammar.queries.pair(kind, other.kind(), depth));
      }
      default ->
          Sql.of(
              BOOLEAN,
              "(%s " + dice.of("= ANY", "<> ALL", "= SOME") + " (%s))",
              left,
              grammar.queries.column(kind, depth));
    };
  }
}
