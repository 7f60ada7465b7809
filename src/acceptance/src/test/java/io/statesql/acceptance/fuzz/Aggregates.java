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

/** Makes queries with GROUP BY and aggregate functions. */
final class Aggregates {
  private final Grammar grammar;
  private final Dice dice;

  Aggregates(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  /** An aggregate over all rows. */
  Query ungrouped(Source source, int depth) {
    List<Sql> values = new ArrayList<>();
    for (int i = dice.below(4); i >= 0; i--) {
      values.add(of(source, depth));
    }
    Query query = Queries.select("", values, source, grammar.queries.where(source, depth));
    return new Query(query.sql(), query.kinds(), 1);
  }

  Query grouped(Source source, int depth) {
    List<Sql> keys = new ArrayList<>();
    for (int i = dice.below(3); i >= 0; i--) {
      keys.add(key(source, depth));
    }
    List<Sql> values = new ArrayList<>(keys);
    for (int i = dice.below(3); i > 0; i--) {
      values.add(of(source, depth));
    }
    Sql having = dice.chance(75) ? Sql.nothing() : having(source, depth);
    return grouped(
        values, source, grammar.queries.where(source, depth), Sql.list(", ", keys), having);
  }

  static Query grouped(List<Sql> values, Source source, Sql where, Sql keys, Sql having) {
    Sql sql =
        Sql.of(
            Kind.QUERY,
            "SELECT %s FROM %s%s GROUP BY %s%s",
            Queries.items(values),
            source.sql(),
            where,
            keys,
            having);
    return new Query(sql, values.stream().map(Sql::kind).toList(), source.rows());
  }

  private Sql having(Source source, int depth) {
    Sql value = of(source, depth);
    return Sql.of(
        Kind.OPTIONAL,
        " HAVING %s",
        grammar.predicates.compare(value, grammar.expressions.literal(value.kind())));
  }

  /** Something to group by: no DOUBLE, as -0.0 and 0.0 are two groups here and one in DuckDB. */
  Sql key(Source source, int depth) {
    List<Sql> columns =
        source.columns().stream().filter(column -> column.kind() != Kind.DOUBLE).toList();
    if (columns.isEmpty()) {
      return grammar.predicates.simple(source.columns(), 0);
    }
    Sql column = dice.of(columns);
    Sql key =
        dice.chance(75)
            ? column
            : grammar.expressions.of(column.kind(), source.columns(), depth - 1);
    // A number would be the place of a column.
    return key.parts().isEmpty() ? column : key;
  }

  /** An aggregate function whose value does not depend on the order of rows. */
  Sql of(Source source, int depth) {
    Sql aggregate = unfiltered(source, depth);
    return dice.chance(85)
        ? aggregate
        : Sql.of(
            aggregate.kind(),
            "%s FILTER (WHERE %s)",
            aggregate,
            grammar.predicates.simple(source.columns(), depth - 1));
  }

  private Sql unfiltered(Source source, int depth) {
    Kind kind = dice.of(source.columns()).kind();
    Sql value = grammar.expressions.of(kind, source.columns(), dice.chance(70) ? 0 : depth - 1);
    return switch (dice.below(9)) {
      case 0 -> Sql.text(Kind.BIGINT, "COUNT(*)");
      case 1 -> Sql.of(Kind.BIGINT, "COUNT(%s)", value);
      case 2 -> Sql.of(Kind.BIGINT, "COUNT(DISTINCT %s)", key(source, 0));
      case 3 ->
          Sql.of(
              Kind.VARCHAR,
              Dialect.LISTAGG,
              grammar.expressions.column(Kind.VARCHAR, source.columns()));
      case 4, 5 -> kind.isNumber() ? sum(kind, value) : extreme(kind, value);
      default -> extreme(kind, value);
    };
  }

  private Sql sum(Kind kind, Sql value) {
    Kind result = kind == Kind.INTEGER ? Kind.BIGINT : kind == Kind.BIGINT ? Kind.DECIMAL : kind;
    return Sql.of(result, "SUM(%s)", value);
  }

  private Sql extreme(Kind kind, Sql value) {
    if (kind == Kind.BOOLEAN) {
      return Sql.of(kind, dice.of(Dialect.EVERY, Dialect.SOME), value);
    }
    return Sql.of(kind, dice.of("MIN(%s)", "MAX(%s)"), value);
  }
}
