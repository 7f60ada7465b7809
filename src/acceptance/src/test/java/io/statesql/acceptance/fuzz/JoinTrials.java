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

import io.statesql.acceptance.fuzz.Trial.Run;
import java.util.ArrayList;
import java.util.List;

/** Joins that must have the same rows. */
final class JoinTrials {
  private final Grammar grammar;
  private final Dice dice;

  JoinTrials(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  Trial of() {
    Source left = small();
    Source right = small();
    Sql condition = grammar.sources.joinCondition(left, right, 1);
    List<Sql> values = new ArrayList<>(List.of(dice.of(left.columns()), dice.of(right.columns())));
    values.add(dice.of(dice.of(left, right).columns()));
    return switch (dice.below(5)) {
      case 0 -> {
        String join = dice.of("LEFT", "RIGHT", "FULL", "INNER");
        String mirrored = join.equals("LEFT") ? "RIGHT" : join.equals("RIGHT") ? "LEFT" : join;
        yield Trial.of(
            "a join and its mirror",
            run(values, join(left, join, right, condition)),
            run(values, join(right, mirrored, left, condition)));
      }
      case 1 ->
          Trial.of(
              "a join and a product with a condition",
              run(values, join(left, "INNER", right, condition)),
              Run.of(
                  Queries.select("", values, product(left, right), Queries.where(condition))
                      .sql()));
      case 2 -> {
        Sql full =
            Queries.select("", values, join(left, "FULL", right, condition), Sql.nothing()).sql();
        Sql unmatched =
            Sql.of(Kind.BOOLEAN, "NOT EXISTS (SELECT 1 FROM %s WHERE %s)", left.sql(), condition);
        List<Sql> nulls =
            values.stream()
                .map(
                    v ->
                        left.columns().contains(v)
                            ? Sql.text(v.kind(), "CAST(NULL AS " + v.kind().castType() + ")")
                            : v)
                .toList();
        Sql parts =
            Sql.of(
                Kind.QUERY,
                "%s UNION ALL %s",
                Queries.select("", values, join(left, "LEFT", right, condition), Sql.nothing())
                    .sql(),
                Queries.select("", nulls, right, Queries.where(unmatched)).sql());
        yield Trial.of(
            "a FULL JOIN, and a LEFT JOIN with what it lacks", Run.of(full), Run.of(parts));
      }
      case 3 -> {
        List<Sql> own = List.of(dice.of(left.columns()), dice.of(left.columns()));
        Sql exists =
            Sql.of(Kind.BOOLEAN, "EXISTS (SELECT 1 FROM %s WHERE %s)", right.sql(), condition);
        Sql in =
            Sql.of(Kind.BOOLEAN, "(SELECT COUNT(*) FROM %s WHERE %s) > 0", right.sql(), condition);
        yield Trial.of(
            "EXISTS and a count above zero",
            Run.of(Queries.select("", own, left, Queries.where(exists)).sql()),
            Run.of(Queries.select("", own, left, Queries.where(in)).sql()));
      }
      default -> {
        List<Sql> own = List.of(dice.of(left.columns()), dice.of(left.columns()));
        String alias = grammar.alias();
        Sql marked =
            Sql.of(
                Kind.SOURCE,
                "(SELECT %s, 1 AS marked FROM %s) AS " + alias,
                named(right),
                right.sql());
        Sql other =
            Sql.of(Kind.BOOLEAN, "NOT EXISTS (SELECT 1 FROM %s WHERE %s)", right.sql(), condition);
        Sql sql =
            Sql.of(
                Kind.QUERY,
                "SELECT %s FROM %s LEFT JOIN %s ON %s WHERE " + alias + ".marked IS NULL",
                Queries.items(own),
                left.sql(),
                marked,
                renamed(condition, right, alias));
        yield Trial.of(
            "NOT EXISTS and a LEFT JOIN without a match",
            Run.of(Queries.select("", own, left, Queries.where(other)).sql()),
            Run.of(sql));
      }
    };
  }

  /** The columns with names of their own. */
  private static Sql named(Source source) {
    List<Sql> items = new ArrayList<>();
    for (int i = 0; i < source.columns().size(); i++) {
      items.add(Sql.of(Kind.PART, "%s AS m" + i, source.columns().get(i)));
    }
    return Sql.list(", ", items);
  }

  private static Sql renamed(Sql condition, Source source, String alias) {
    Sql renamed = condition;
    for (int i = 0; i < source.columns().size(); i++) {
      Sql column = source.columns().get(i);
      renamed = renamed.with(column, Sql.text(column.kind(), alias + ".m" + i));
    }
    return renamed;
  }

  private Source small() {
    Source source = grammar.sources.table();
    return source.rows() <= 100 ? source : small();
  }

  private static Run run(List<Sql> values, Source source) {
    return Run.of(Queries.select("", values, source, Sql.nothing()).sql());
  }

  private Source join(Source left, String join, Source right, Sql condition) {
    return grammar.sources.join(join + " JOIN", left, right, condition);
  }

  private static Source product(Source left, Source right) {
    List<Sql> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    return new Source(
        Sql.of(Kind.SOURCE, "%s CROSS JOIN %s", left.sql(), right.sql()),
        columns,
        left.rows() * right.rows());
  }
}
