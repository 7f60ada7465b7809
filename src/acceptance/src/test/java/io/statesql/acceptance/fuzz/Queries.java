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
import java.util.stream.IntStream;

/** Makes queries. */
final class Queries {
  private final Grammar grammar;
  private final Dice dice;

  Queries(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  Query of(int depth) {
    return switch (depth <= 0 ? 0 : dice.below(12)) {
      case 1, 2 -> grammar.aggregates.grouped(source(depth), depth);
      case 3 -> grammar.aggregates.ungrouped(source(depth), depth);
      case 4 -> setOperation(depth - 1);
      case 5 -> distinct(source(depth), depth);
      case 6 -> grammar.windows.of(source(depth), depth);
      case 7 -> limited(plain(source(depth), kinds(dice.between(1, 4)), depth));
      case 8 -> with(depth - 1);
      default -> plain(source(depth), kinds(dice.between(1, 5)), depth);
    };
  }

  private Source source(int depth) {
    return grammar.sources.of(depth);
  }

  private List<Kind> kinds(int count) {
    return IntStream.range(0, count).mapToObj(i -> (Kind) null).toList();
  }

  /** SELECT of some expressions; a kind that is null is any kind that the source has. */
  Query plain(Source source, List<Kind> kinds, int depth) {
    List<Sql> values = new ArrayList<>();
    for (Kind kind : kinds) {
      Kind wanted = kind == null ? dice.of(source.columns()).kind() : kind;
      values.add(grammar.expressions.of(wanted, source.columns(), dice.chance(60) ? 0 : depth));
    }
    return select("", values, source, where(source, depth));
  }

  private Query distinct(Source source, int depth) {
    List<Sql> values = new ArrayList<>();
    for (int i = dice.below(3); i >= 0; i--) {
      values.add(grammar.aggregates.key(source, depth));
    }
    return select("DISTINCT ", values, source, where(source, depth));
  }

  /**
   * @param quantifier empty, or DISTINCT
   */
  static Query select(String quantifier, List<Sql> values, Source source, Sql where) {
    Sql sql =
        Sql.of(
            Kind.QUERY,
            "SELECT " + quantifier + "%s FROM %s%s",
            items(values),
            source.sql(),
            where);
    return new Query(sql, values.stream().map(Sql::kind).toList(), source.rows());
  }

  /** Select items with their names. */
  static Sql items(List<Sql> values) {
    return Sql.list(
        ", ",
        IntStream.range(0, values.size())
            .mapToObj(i -> Sql.of(values.get(i).kind(), "%s AS c" + i, values.get(i)))
            .toList());
  }

  Sql where(Source source, int depth) {
    return dice.chance(40)
        ? Sql.nothing()
        : where(grammar.predicates.of(source.columns(), source.rows() > 1000 ? 0 : depth));
  }

  static Sql where(Sql condition) {
    return Sql.of(Kind.OPTIONAL, " WHERE %s", condition);
  }

  /** The first rows of a query in an order that leaves nothing open. */
  Query limited(Query query) {
    Source source = grammar.sources.of(query);
    String limit = " LIMIT " + dice.below(12) + (dice.chance(40) ? " OFFSET " + dice.below(8) : "");
    Sql sql =
        Sql.of(
            Kind.QUERY,
            "SELECT %s FROM %s ORDER BY %s" + limit,
            items(source.columns()),
            source.sql(),
            order(source.columns()));
    return new Query(sql, query.kinds(), Math.min(12, query.rows()));
  }

  /** By all of some columns, each in some direction. */
  Sql order(List<Sql> columns) {
    return Sql.list(", ", columns.stream().map(this::ordered).toList());
  }

  private Sql ordered(Sql value) {
    // -0.0 stands before 0.0 here, and they are equal in DuckDB.
    Sql column = value.kind() == Kind.DOUBLE ? Sql.of(Kind.DOUBLE, "%s + 0e0", value) : value;
    String direction = dice.of("", " DESC");
    return switch (dice.below(3)) {
      case 0 -> Sql.of(Kind.PART, "%s" + direction + " NULLS FIRST", column);
      case 1 -> Sql.of(Kind.PART, "%s" + direction + " NULLS LAST", column);
      default ->
          Sql.of(
              Kind.PART,
              direction.isEmpty() ? Dialect.NULLS_ASCENDING : Dialect.NULLS_DESCENDING,
              column);
    };
  }

  private Query setOperation(int depth) {
    List<Kind> kinds = new ArrayList<>();
    for (int i = dice.below(3); i >= 0; i--) {
      kinds.add(
          dice.of(
              Kind.INTEGER,
              Kind.BIGINT,
              Kind.DECIMAL,
              Kind.VARCHAR,
              Kind.BOOLEAN,
              Kind.DATE,
              Kind.TIMESTAMP));
    }
    Query left = plain(source(depth), kinds, depth);
    Query right = plain(source(depth), kinds, depth);
    String operation =
        dice.of("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL");
    Sql sql = Sql.of(Kind.QUERY, "(%s) " + operation + " (%s)", left.sql(), right.sql());
    return new Query(sql, kinds, left.rows() + right.rows());
  }

  private Query with(int depth) {
    Query query = of(depth);
    String name = grammar.alias();
    Source first = named(name, query);
    Source source = first;
    if (dice.chance(40) && query.rows() < 100) {
      Source second = named(name, query);
      Sql condition = grammar.sources.joinCondition(first, second, 0);
      source =
          condition == null
              ? first
              : grammar.sources.join(dice.of("JOIN", "LEFT JOIN"), first, second, condition);
    }
    Query outer = plain(source, kinds(2), depth);
    return new Query(with(name, query, outer.sql()), outer.kinds(), outer.rows());
  }

  /** The result of a WITH as a source. */
  Source named(String name, Query query) {
    String alias = grammar.alias();
    return new Source(
        Sql.text(Kind.SOURCE, name + " AS " + alias), query.references(alias), query.rows());
  }

  static Sql with(String name, Query query, Sql outer) {
    return Sql.of(Kind.QUERY, "WITH " + name + " AS (%s) %s", query.sql(), outer);
  }

  /** A query of one column. */
  Sql column(Kind kind, int depth) {
    Source source = dice.chance(80) ? grammar.sources.table() : source(depth);
    Sql value = grammar.expressions.column(kind, source.columns());
    return select(dice.of("", "", "DISTINCT "), List.of(value), source, where(source, depth)).sql();
  }

  /** A query of two columns. */
  Sql pair(Kind first, Kind second, int depth) {
    Source source = grammar.sources.table();
    List<Sql> values =
        List.of(
            grammar.expressions.column(first, source.columns()),
            grammar.expressions.column(second, source.columns()));
    return select("", values, source, where(source, depth)).sql();
  }

  /** A query of any rows that match those of the outer query. */
  Sql correlated(List<Sql> outer, Kind kind, int depth) {
    Source source = grammar.sources.table();
    Sql equality =
        grammar.predicates.equal(
            grammar.expressions.column(kind, source.columns()),
            grammar.expressions.column(kind, outer));
    Sql condition =
        dice.chance(60)
            ? equality
            : Sql.of(
                Kind.BOOLEAN,
                "%s AND %s",
                equality,
                grammar.predicates.simple(source.columns(), depth));
    return Sql.of(Kind.QUERY, "SELECT 1 FROM %s%s", source.sql(), where(condition));
  }

  /** A query of one row and column. */
  Sql scalar(Kind kind, List<Sql> outer, int depth) {
    Source source = grammar.sources.table();
    Sql value = grammar.expressions.column(kind, source.columns());
    String aggregate =
        kind == Kind.BOOLEAN ? Dialect.EVERY.stateSql() : dice.of("MIN(%s)", "MAX(%s)");
    String duckDb = kind == Kind.BOOLEAN ? Dialect.EVERY.duckDb() : aggregate;
    Sql where = where(source, depth);
    if (dice.chance(40)) {
      Kind by = dice.of(source.columns()).kind();
      where =
          where(
              grammar.predicates.equal(
                  grammar.expressions.column(by, source.columns()),
                  grammar.expressions.column(by, outer)));
    }
    return Sql.of(
        Kind.QUERY,
        "SELECT %s FROM %s%s",
        Sql.of(kind, aggregate, duckDb, value),
        source.sql(),
        where);
  }
}
