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

/** Groups and sets that must be the same. */
final class GroupTrials {
  private final Grammar grammar;
  private final Dice dice;

  GroupTrials(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  Trial of() {
    Source source = grammar.sources.of(1);
    return switch (dice.below(8)) {
      case 0 -> distinct(source);
      case 1 -> rollup(source);
      case 2 -> filtered(source);
      case 3 -> countDistinct(source);
      case 4 -> having(source);
      case 5 -> union(source);
      case 6 -> windowed(source);
      default -> sets();
    };
  }

  private List<Sql> columns(Source source) {
    List<Sql> columns = new ArrayList<>();
    for (int i = dice.below(3); i >= 0; i--) {
      columns.add(dice.of(source.columns()));
    }
    return columns;
  }

  private Sql keys(List<Sql> columns) {
    return Sql.list(", ", columns);
  }

  private Trial withDoubles(Trial trial, List<Sql> keys) {
    // -0.0 and 0.0 are two groups here and one in DuckDB.
    return keys.stream().anyMatch(key -> key.kind() == Kind.DOUBLE) ? trial.withoutDuckDb() : trial;
  }

  private Trial distinct(Source source) {
    List<Sql> columns = columns(source);
    Sql where = grammar.queries.where(source, 1);
    Sql select = Queries.select("DISTINCT ", columns, source, where).sql();
    Sql all = Queries.select("", columns, source, where).sql();
    Sql grouped = Aggregates.grouped(columns, source, where, keys(columns), Sql.nothing()).sql();
    Sql union = Sql.of(Kind.QUERY, "%s UNION %s", all, all);
    return withDoubles(
        Trial.of(
            "DISTINCT, GROUP BY and UNION with itself",
            Run.of(select),
            Run.of(grouped),
            Run.of(union)),
        columns);
  }

  private Trial rollup(Source source) {
    List<Sql> keys = List.of(grammar.aggregates.key(source, 0), grammar.aggregates.key(source, 0));
    if (keys.get(0).stateSql().equals(keys.get(1).stateSql())) {
      return distinct(source);
    }
    Sql where = grammar.queries.where(source, 1);
    Sql value = grammar.aggregates.of(source, 0);
    List<Sql> values =
        List.of(keys.get(0), keys.get(1), value, Sql.of(Kind.BIGINT, "GROUPING(%s)", keys.get(1)));
    Sql rollup =
        Aggregates.grouped(
                values, source, where, Sql.of(Kind.PART, "ROLLUP(%s)", keys(keys)), Sql.nothing())
            .sql();
    Sql both =
        Aggregates.grouped(
                List.of(keys.get(0), keys.get(1), value, Sql.text(Kind.BIGINT, "0")),
                source,
                where,
                keys(keys),
                Sql.nothing())
            .sql();
    Sql first =
        Aggregates.grouped(
                List.of(keys.get(0), none(keys.get(1)), value, Sql.text(Kind.BIGINT, "1")),
                source,
                where,
                keys.get(0),
                Sql.nothing())
            .sql();
    Sql total =
        Queries.select(
                "",
                List.of(none(keys.get(0)), none(keys.get(1)), value, Sql.text(Kind.BIGINT, "1")),
                source,
                where)
            .sql();
    return Trial.of(
        "ROLLUP and its groupings",
        Run.of(rollup),
        Run.of(Sql.of(Kind.QUERY, "%s UNION ALL %s UNION ALL %s", both, first, total)));
  }

  private static Sql none(Sql value) {
    return Sql.text(value.kind(), "CAST(NULL AS " + value.kind().castType() + ")");
  }

  private Trial filtered(Source source) {
    Sql condition = grammar.predicates.of(source.columns(), 1);
    Sql key = grammar.aggregates.key(source, 0);
    Sql value = dice.of(source.columns());
    String function = value.kind() == Kind.BOOLEAN ? "COUNT" : dice.of("COUNT", "MIN", "MAX");
    Kind kind = function.equals("COUNT") ? Kind.BIGINT : value.kind();
    Sql filter = Sql.of(kind, function + "(%s) FILTER (WHERE %s)", value, condition);
    Sql cases = Sql.of(kind, function + "(CASE WHEN %s THEN %s END)", condition, value);
    return Trial.of(
        "FILTER and CASE",
        Run.of(
            Aggregates.grouped(List.of(key, filter), source, Sql.nothing(), key, Sql.nothing())
                .sql()),
        Run.of(
            Aggregates.grouped(List.of(key, cases), source, Sql.nothing(), key, Sql.nothing())
                .sql()));
  }

  private Trial countDistinct(Source source) {
    Sql value = dice.of(source.columns());
    Sql where = grammar.queries.where(source, 1);
    Sql count =
        Queries.select("", List.of(Sql.of(Kind.BIGINT, "COUNT(DISTINCT %s)", value)), source, where)
            .sql();
    Sql rows =
        Sql.of(
            Kind.QUERY,
            "SELECT COUNT(q.c0) FROM (%s) AS q",
            Queries.select("DISTINCT ", List.of(value), source, where).sql());
    return withDoubles(
        Trial.of("COUNT(DISTINCT) and counting distinct rows", Run.of(count), Run.of(rows)),
        List.of(value));
  }

  private Trial having(Source source) {
    Sql key = grammar.aggregates.key(source, 0);
    Sql value = grammar.aggregates.of(source, 0);
    Sql literal = grammar.expressions.literal(value.kind());
    Sql having = Sql.of(Kind.OPTIONAL, " HAVING %s = %s", value, literal);
    Sql where = grammar.queries.where(source, 1);
    Sql grouped = Aggregates.grouped(List.of(key, value), source, where, key, Sql.nothing()).sql();
    return Trial.of(
        "HAVING and a condition outside",
        Run.of(Aggregates.grouped(List.of(key, value), source, where, key, having).sql()),
        Run.of(Sql.of(Kind.QUERY, "SELECT * FROM (%s) AS q WHERE q.c1 = %s", grouped, literal)));
  }

  private Trial union(Source source) {
    List<Sql> columns = columns(source);
    Sql condition = grammar.predicates.of(source.columns(), 1);
    Sql all = Queries.select("DISTINCT ", columns, source, Sql.nothing()).sql();
    Sql parts =
        Sql.of(
            Kind.QUERY,
            "%s UNION %s",
            Queries.select(
                    "",
                    columns,
                    source,
                    Queries.where(Sql.of(Kind.BOOLEAN, "(%s IS TRUE)", condition)))
                .sql(),
            Queries.select(
                    "",
                    columns,
                    source,
                    Queries.where(Sql.of(Kind.BOOLEAN, "(%s IS NOT TRUE)", condition)))
                .sql());
    return withDoubles(
        Trial.of("DISTINCT and the UNION of two parts", Run.of(all), Run.of(parts)), columns);
  }

  private Trial windowed(Source source) {
    Sql key = grammar.aggregates.key(source, 0);
    Sql value = grammar.aggregates.key(source, 0);
    String function = value.kind() == Kind.BOOLEAN ? "COUNT" : dice.of("COUNT", "MIN", "MAX");
    Kind kind = function.equals("COUNT") ? Kind.BIGINT : value.kind();
    Sql over = Sql.of(kind, function + "(%s) OVER (PARTITION BY %s)", value, key);
    Sql grouped =
        Aggregates.grouped(
                List.of(key, Sql.of(kind, function + "(%s)", value)),
                source,
                Sql.nothing(),
                key,
                Sql.nothing())
            .sql();
    return Trial.of(
        "GROUP BY and a window over the group",
        Run.of(grouped),
        Run.of(
            Sql.of(
                Kind.QUERY,
                "SELECT DISTINCT * FROM (%s) AS q",
                Queries.select("", List.of(key, over), source, Sql.nothing()).sql())));
  }

  private Trial sets() {
    Source left = grammar.sources.table();
    Source right = grammar.sources.table();
    Sql column = grammar.aggregates.key(left, 0);
    Sql other = grammar.expressions.column(column.kind(), right.columns());
    Sql first = Queries.select("", List.of(column), left, Sql.nothing()).sql();
    Sql second = Queries.select("", List.of(other), right, Sql.nothing()).sql();
    boolean intersect = dice.chance(50);
    Sql exists =
        Sql.of(
            Kind.BOOLEAN,
            (intersect ? "" : "NOT ")
                + "EXISTS (SELECT 1 FROM %s WHERE %s IS NOT DISTINCT FROM %s)",
            right.sql(),
            column,
            other);
    return Trial.of(
        "INTERSECT or EXCEPT and EXISTS",
        Run.of(
            Sql.of(
                Kind.QUERY, "%s " + (intersect ? "INTERSECT" : "EXCEPT") + " %s", first, second)),
        Run.of(Queries.select("DISTINCT ", List.of(column), left, Queries.where(exists)).sql()));
  }
}
