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

/** Makes what stands behind FROM: tables, joins, queries, VALUES. */
final class Sources {
  /** Products of more rows than this are not made. */
  private static final long MAX_ROWS = 20_000;

  private final Grammar grammar;
  private final Dice dice;

  Sources(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  Source of(int depth) {
    int choice = depth <= 0 ? 0 : dice.below(10);
    return choice < 5
        ? table()
        : choice < 8 ? join(depth - 1) : choice < 9 ? derived(depth - 1) : values();
  }

  Source table() {
    return table(grammar.table());
  }

  Source table(Table table) {
    String alias = grammar.alias();
    return new Source(
        Sql.text(Kind.SOURCE, table.name() + " AS " + alias),
        table.references(alias),
        table.rows());
  }

  Source derived(int depth) {
    return of(grammar.queries.of(depth));
  }

  /** A query in the place of a table. */
  Source of(Query query) {
    String alias = grammar.alias();
    Sql sql = Sql.of(Kind.SOURCE, "(%s) AS " + alias, query.sql());
    return new Source(sql, query.references(alias), query.rows());
  }

  private Source values() {
    String alias = grammar.alias();
    List<Kind> kinds = new ArrayList<>();
    for (int i = dice.below(3); i >= 0; i--) {
      kinds.add(dice.of(Kind.VALUES));
    }
    List<Sql> rows = new ArrayList<>();
    for (int i = dice.below(4); i >= 0; i--) {
      List<Sql> row = new ArrayList<>();
      for (Kind kind : kinds) {
        row.add(
            dice.chance(15)
                ? Sql.text(kind, "CAST(NULL AS " + kind.castType() + ")")
                : Sql.of(
                    kind,
                    "CAST(%s AS " + kind.castType() + ")",
                    grammar.expressions.literal(kind)));
      }
      rows.add(Sql.of(Kind.PART, "(%s)", Sql.list(", ", row)));
    }
    List<String> names = new ArrayList<>();
    List<Sql> columns = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      names.add("c" + i);
      columns.add(Sql.text(kinds.get(i), alias + ".c" + i));
    }
    String form = "(VALUES %s) AS " + alias + " (" + String.join(", ", names) + ")";
    return new Source(Sql.of(Kind.SOURCE, form, Sql.list(", ", rows)), columns, rows.size());
  }

  private Source join(int depth) {
    if (dice.chance(8)) {
      return lateral();
    }
    Source first = of(depth);
    Source second = dice.chance(70) ? table() : of(depth);
    if (isLateral(first) && isLateral(second)) {
      return first;
    }
    // In brackets StateSQL refuses a LATERAL.
    Source left = isLateral(second) ? second : first;
    Source right = inBrackets(isLateral(second) ? first : second);
    Sql condition = joinCondition(left, right, depth);
    return condition == null || (left.rows() > 1000 && right.rows() > 1000)
        ? left
        : join(
            dice.of("JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"),
            left,
            right,
            condition);
  }

  private static boolean isLateral(Source source) {
    return source.sql().stateSql().contains(" LATERAL ");
  }

  /** A join must have them where it is the second of a join. */
  private static Source inBrackets(Source source) {
    return source.sql().stateSql().contains(" JOIN ")
        ? new Source(Sql.of(Kind.PART, "(%s)", source.sql()), source.columns(), source.rows())
        : source;
  }

  Source join(String join, Source left, Source right, Sql condition) {
    Sql sql = Sql.of(Kind.SOURCE, "%s " + join + " %s ON %s", left.sql(), right.sql(), condition);
    List<Sql> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    return new Source(sql, columns, Math.max(1, left.rows() * right.rows() / 4));
  }

  /** A table, and a query that sees its rows. */
  private Source lateral() {
    Source left = table();
    Source right = table();
    Kind kind = dice.of(left.columns()).kind();
    Sql condition =
        grammar.predicates.equal(
            grammar.expressions.column(kind, right.columns()),
            grammar.expressions.column(kind, left.columns()));
    Query query =
        dice.chance(50)
            ? Queries.select(
                "",
                List.of(dice.of(right.columns()), dice.of(right.columns())),
                right,
                Queries.where(condition))
            : Queries.select(
                "",
                List.of(
                    Sql.text(Kind.BIGINT, "COUNT(*)"),
                    Sql.of(Kind.BIGINT, "COUNT(%s)", dice.of(right.columns()))),
                right,
                Queries.where(condition));
    String alias = grammar.alias();
    List<Sql> columns = new ArrayList<>(left.columns());
    columns.addAll(query.references(alias));
    if (left.rows() > 1000 && right.rows() > 1000) {
      return left;
    }
    return new Source(
        Sql.of(Kind.SOURCE, "%s CROSS JOIN LATERAL (%s) AS " + alias, left.sql(), query.sql()),
        columns,
        left.rows() * right.rows() / 4 + 1);
  }

  /** Or null if the two have too many rows for one. */
  Sql joinCondition(Source left, Source right, int depth) {
    List<Sql> both = new ArrayList<>(left.columns());
    both.addAll(right.columns());
    boolean small = left.rows() * right.rows() <= MAX_ROWS;
    if (small && dice.chance(20)) {
      return grammar.predicates.simple(both, depth);
    }
    Sql equality = equality(left, right);
    if (equality == null) {
      return small ? grammar.predicates.simple(both, depth) : null;
    }
    return dice.chance(75)
        ? equality
        : Sql.of(Kind.BOOLEAN, "%s AND %s", equality, grammar.predicates.simple(both, depth));
  }

  /** Of a column on each side, or null if there are no two of one type. */
  private Sql equality(Source left, Source right) {
    for (int attempt = 0; attempt < 10; attempt++) {
      Sql column = dice.of(left.columns());
      List<Sql> others =
          right.columns().stream()
              .filter(
                  other ->
                      other.kind() == column.kind()
                          || (dice.chance(5)
                              && column.kind().isNumber()
                              && other.kind().isNumber()))
              .toList();
      if (column.kind() != Kind.BOOLEAN && !others.isEmpty()) {
        return Sql.of(
            Kind.BOOLEAN,
            "%s " + (dice.chance(90) ? "=" : "IS NOT DISTINCT FROM") + " %s",
            column,
            dice.of(others));
      }
    }
    return null;
  }
}
