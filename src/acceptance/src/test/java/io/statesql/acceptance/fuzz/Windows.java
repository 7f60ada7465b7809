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

/** Makes queries with window functions, over orders that leave nothing open. */
final class Windows {
  private final Grammar grammar;
  private final Dice dice;

  Windows(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  Query of(Source source, int depth) {
    List<Sql> values = new ArrayList<>();
    for (int i = dice.below(2); i >= 0; i--) {
      values.add(dice.of(source.columns()));
    }
    for (int i = dice.below(2); i >= 0; i--) {
      values.add(function(source));
    }
    return Queries.select("", values, source, grammar.queries.where(source, depth));
  }

  private Sql function(Source source) {
    Sql value = dice.of(source.columns());
    Kind kind = value.kind();
    Sql window = window(source);
    return switch (dice.below(9)) {
      case 0 -> over(Kind.BIGINT, "ROW_NUMBER()", window);
      case 1 -> over(Kind.BIGINT, dice.of("RANK()", "DENSE_RANK()"), window);
      case 2 ->
          Sql.of(
              kind,
              dice.of("LAG(%s)", "LEAD(%s)", "LAG(%s, 2)", "LEAD(%s, 3)") + " OVER (%s)",
              value,
              window);
      case 3 ->
          Sql.of(
              kind,
              dice.of("FIRST_VALUE", "LAST_VALUE") + "(%s) OVER (%s%s)",
              value,
              window,
              frame());
      case 4 -> Sql.of(Kind.BIGINT, "COUNT(%s) OVER (%s%s)", value, window, frame());
      case 5 -> over(Kind.BIGINT, "ROW_NUMBER()", window);
      case 6 ->
          kind.isNumber() && kind != Kind.DOUBLE
              ? Sql.of(
                  kind == Kind.INTEGER ? Kind.BIGINT : Kind.DECIMAL,
                  "SUM(%s) OVER (%s%s)",
                  value,
                  window,
                  frame())
              : over(Kind.BIGINT, "COUNT(*)", window);
      default ->
          kind == Kind.BOOLEAN
              ? over(Kind.BIGINT, "COUNT(*)", window)
              : Sql.of(kind, dice.of("MIN", "MAX") + "(%s) OVER (%s%s)", value, window, frame());
    };
  }

  private static Sql over(Kind kind, String function, Sql window) {
    return Sql.of(kind, function + " OVER (%s)", window);
  }

  private Sql window(Source source) {
    Sql order = grammar.queries.order(source.columns());
    Sql by = grammar.aggregates.key(source, 0);
    return dice.chance(50)
        ? Sql.of(Kind.PART, "ORDER BY %s", order)
        : Sql.of(Kind.PART, "PARTITION BY %s ORDER BY %s", by, order);
  }

  private Sql frame() {
    return Sql.text(
        Kind.OPTIONAL,
        dice.of(
            "",
            " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
            " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
            " ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING",
            " ROWS UNBOUNDED PRECEDING",
            " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"));
  }
}
