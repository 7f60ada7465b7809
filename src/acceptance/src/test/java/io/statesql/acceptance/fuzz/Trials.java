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
import io.statesql.acceptance.fuzz.Trial.Way;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Makes statements that must agree, see {@link Trial}. */
final class Trials {
  private final Grammar grammar;
  private final Dice dice;
  private final ConditionTrials conditions;
  private final JoinTrials joins;
  private final GroupTrials groups;

  private Trials(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
    this.conditions = new ConditionTrials(grammar);
    this.joins = new JoinTrials(grammar);
    this.groups = new GroupTrials(grammar);
  }

  static Trial of(Grammar grammar) {
    return new Trials(grammar).trial();
  }

  private Trial trial() {
    return switch (dice.below(20)) {
      case 0 -> parameters();
      case 1 -> ways();
      case 2 -> countOfRows();
      case 3 -> limitOfOrder();
      case 4 -> commonTable();
      case 5, 6, 7, 8, 9 -> conditions.of();
      case 10, 11 -> joins.of();
      case 12, 13, 14 -> groups.of();
      default -> Trial.of("a query", Run.of(query().sql()));
    };
  }

  private Query query() {
    return grammar.queries.of(2);
  }

  private Trial parameters() {
    Sql sql = query().sql();
    return Trial.of("literals and parameters", Run.of(sql), Run.of(sql, Way.PREPARED));
  }

  private Trial ways() {
    Sql sql = query().sql();
    return Trial.of(
        "a statement, one prepared and run twice, and one with several threads",
        Run.of(sql),
        Run.of(sql, Way.PREPARED_TWICE),
        Run.of(sql, Way.SEVERAL_THREADS));
  }

  private Trial countOfRows() {
    Query query = query();
    Sql count = Sql.of(Kind.QUERY, "SELECT COUNT(*) AS c0 FROM (%s) AS q", query.sql());
    return Trial.of(
        "COUNT(*) and the number of rows",
        Run.of(count),
        new Run(
            query.sql(), Way.STATEMENT, rows -> List.of(List.of(BigDecimal.valueOf(rows.size())))));
  }

  private Trial limitOfOrder() {
    Source source = grammar.sources.derived(1);
    int limit = dice.below(20);
    int offset = dice.below(10);
    Sql ordered =
        Sql.of(
            Kind.QUERY,
            "SELECT %s FROM %s ORDER BY %s",
            Queries.items(source.columns()),
            source.sql(),
            grammar.queries.order(source.columns()));
    Sql limited = Sql.of(Kind.QUERY, "%s LIMIT " + limit + " OFFSET " + offset, ordered);
    return Trial.of(
        "LIMIT and a part of the whole order",
        new Run(limited, Way.STATEMENT, Trials::numbered),
        new Run(
            ordered,
            Way.STATEMENT,
            rows ->
                numbered(
                    rows.subList(
                        Math.min(offset, rows.size()), Math.min(offset + limit, rows.size())))));
  }

  /** With its number in each row, so that the order is compared. */
  private static List<List<Object>> numbered(List<List<Object>> rows) {
    List<List<Object>> numbered = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>(row);
      values.add(numbered.size());
      numbered.add(values);
    }
    return numbered;
  }

  private Trial commonTable() {
    Query inner = grammar.queries.of(1);
    Source derived = grammar.sources.of(inner);
    List<Sql> columns = new ArrayList<>(derived.columns());
    Sql where = grammar.queries.where(derived, 1);
    Sql sql = Queries.select("", columns, derived, where).sql();
    String name = grammar.alias();
    String alias = derived.columns().get(0).stateSql().replaceAll("\\..*", "");
    Source named = new Source(Sql.text(Kind.PART, name + " AS " + alias), columns, 0);
    Sql with = Queries.with(name, inner, Queries.select("", columns, named, where).sql());
    return Trial.of("a subquery and a WITH", Run.of(sql), Run.of(with));
  }
}
