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
import java.util.ArrayList;
import java.util.List;

/** Conditions that must find the same rows. */
final class ConditionTrials {
  private static final Kind BOOLEAN = Kind.BOOLEAN;

  private final Grammar grammar;
  private final Dice dice;

  ConditionTrials(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  Trial of() {
    return switch (dice.below(9)) {
      case 0 -> pushedAndNot();
      case 1 -> columnAndExpression();
      case 2 -> threeValues();
      case 3 -> partition();
      case 4 -> listOfValues();
      case 5 -> listOfRows();
      case 6 -> notInRows();
      case 7 -> comparedWithRows();
      default -> nested();
    };
  }

  private Source source() {
    return dice.chance(80) ? grammar.sources.table() : grammar.sources.of(1);
  }

  private static Sql select(Source source, Sql condition) {
    return Queries.select("", source.columns(), source, Queries.where(condition)).sql();
  }

  /** No condition passes a LIMIT. */
  private Trial pushedAndNot() {
    Source table = grammar.sources.table();
    Sql condition = grammar.predicates.of(table.columns(), 2);
    String alias = alias(table);
    List<Sql> names = table.columns().stream().map(c -> Sql.text(c.kind(), c.stateSql())).toList();
    Sql all =
        Sql.of(
            Kind.PART,
            "(SELECT %s FROM %s LIMIT 1000000) AS " + alias,
            Sql.list(", ", names),
            table.sql());
    Source barrier = new Source(all, table.columns(), table.rows());
    Sql pushed = select(table, condition);
    return Trial.of(
        "a condition that is pushed down and one that is not",
        Run.of(pushed),
        Run.of(pushed, Way.PREPARED),
        Run.of(select(barrier, condition)));
  }

  private static String alias(Source source) {
    return source.columns().get(0).stateSql().replaceAll("\\..*", "");
  }

  private Trial columnAndExpression() {
    Source table = grammar.sources.table();
    Sql column = dice.chance(60) ? table.columns().get(0) : dice.of(table.columns());
    Sql value = grammar.expressions.parameter(column.kind());
    Sql same =
        switch (column.kind()) {
          case INTEGER, BIGINT, DECIMAL, DOUBLE -> Sql.of(column.kind(), "%s + 0", column);
          case VARCHAR -> Sql.of(column.kind(), "%s || ''", column);
          default ->
              Sql.of(
                  column.kind(),
                  "COALESCE(%s, CAST(NULL AS " + column.kind().castType() + "))",
                  column);
        };
    String operator = dice.of("=", "=", "<", ">=", "<>");
    return Trial.of(
        "a condition of a column and of an expression",
        Run.of(select(table, Sql.of(BOOLEAN, "%s " + operator + " %s", column, value))),
        Run.of(select(table, Sql.of(BOOLEAN, "%s " + operator + " %s", same, value))));
  }

  private Trial threeValues() {
    Source source = source();
    Sql condition = grammar.predicates.of(source.columns(), 2);
    Sql whole = Queries.select("", source.columns(), source, Sql.nothing()).sql();
    Sql parts =
        Sql.of(
            Kind.QUERY,
            "%s UNION ALL %s UNION ALL %s",
            select(source, condition),
            select(source, Sql.of(BOOLEAN, "(NOT %s)", condition)),
            select(source, Sql.of(BOOLEAN, "(%s IS NULL)", condition)));
    return Trial.of(
        "all rows, and those of a condition that is true, false, unknown",
        Run.of(whole),
        Run.of(parts));
  }

  private Trial partition() {
    Source source = source();
    Sql column = dice.of(source.columns());
    Sql value = grammar.expressions.parameter(column.kind());
    Sql whole = select(source, Sql.of(BOOLEAN, "%s IS NOT NULL", column));
    Sql parts =
        Sql.of(
            Kind.QUERY,
            "%s UNION ALL %s",
            select(source, Sql.of(BOOLEAN, "%s = %s", column, value)),
            select(source, Sql.of(BOOLEAN, "%s <> %s", column, value)));
    return Trial.of(
        "the rows of a column, and those with a value and without", Run.of(whole), Run.of(parts));
  }

  private Trial listOfValues() {
    Source source = source();
    Sql column = dice.of(source.columns());
    Sql literals = grammar.predicates.literals(column.kind());
    List<Sql> equalities = new ArrayList<>();
    literals.parts().forEach(literal -> equalities.add(grammar.predicates.equal(column, literal)));
    Sql or = Sql.of(BOOLEAN, "(%s)", Sql.list(" OR ", equalities));
    Sql in = Sql.of(BOOLEAN, "(%s IN (%s))", column, literals);
    return Trial.of(
        "IN and OR of literals",
        Run.of(select(source, in)),
        Run.of(select(source, or)),
        Run.of(select(source, in), Way.PREPARED),
        Run.of(select(source, Sql.of(BOOLEAN, "((%s NOT IN (%s)) IS FALSE)", column, literals))));
  }

  private Trial listOfRows() {
    Source source = source();
    Sql column = dice.of(source.columns());
    Source other = grammar.sources.table();
    Sql value =
        grammar.expressions.column(
            dice.chance(85) || !column.kind().isNumber() ? column.kind() : dice.of(Kind.NUMBERS),
            other.columns());
    Sql query = Queries.select("", List.of(value), other, Sql.nothing()).sql();
    Sql exists =
        Sql.of(BOOLEAN, "(EXISTS (SELECT 1 FROM %s WHERE %s = %s))", other.sql(), value, column);
    return Trial.of(
        "IN, = ANY and EXISTS of a subquery",
        Run.of(select(source, Sql.of(BOOLEAN, "(%s IN (%s))", column, query))),
        Run.of(select(source, Sql.of(BOOLEAN, "(%s = ANY (%s))", column, query))),
        Run.of(select(source, exists)),
        Run.of(select(source, Sql.of(BOOLEAN, "((%s NOT IN (%s)) IS FALSE)", column, query))));
  }

  private Trial notInRows() {
    Source source = source();
    Sql column = dice.of(source.columns());
    Source other = grammar.sources.table();
    Sql value = grammar.expressions.column(column.kind(), other.columns());
    Sql query = Queries.select("", List.of(value), other, grammar.queries.where(other, 0)).sql();
    return Trial.of(
        "NOT IN and <> ALL of a subquery",
        Run.of(select(source, Sql.of(BOOLEAN, "(%s NOT IN (%s))", column, query))),
        Run.of(select(source, Sql.of(BOOLEAN, "(%s <> ALL (%s))", column, query))),
        Run.of(select(source, Sql.of(BOOLEAN, "(NOT (%s = ANY (%s)))", column, query))));
  }

  private Trial comparedWithRows() {
    Source source = source();
    Sql column = dice.of(source.columns());
    Source other = grammar.sources.table();
    Sql value = grammar.expressions.column(column.kind(), other.columns());
    Sql query = Queries.select("", List.of(value), other, Sql.nothing()).sql();
    String operator = dice.of("<", "<=", ">", ">=", "=", "<>");
    boolean any = dice.chance(50);
    Sql compared =
        Sql.of(BOOLEAN, "(%s " + operator + (any ? " ANY" : " ALL") + " (%s))", column, query);
    Sql exists =
        Sql.of(
            BOOLEAN,
            (any ? "" : "NOT ")
                + "EXISTS (SELECT 1 FROM %s WHERE (%s "
                + operator
                + (any ? " %s) IS TRUE)" : " %s) IS NOT TRUE)"),
            other.sql(),
            column,
            value);
    return Trial.of(
        "a comparison with ANY or ALL rows and EXISTS",
        Run.of(select(source, compared)),
        Run.of(select(source, exists)));
  }

  private Trial nested() {
    Source table = source();
    Sql first = grammar.predicates.of(table.columns(), 1);
    Sql second = grammar.predicates.of(table.columns(), 1);
    Sql both = select(table, Sql.of(BOOLEAN, "%s AND %s", first, second));
    Sql neither = select(table, Sql.of(BOOLEAN, "NOT ((NOT %s) OR (NOT %s))", first, second));
    Sql intersect =
        select(table, Sql.of(BOOLEAN, "CASE WHEN %s THEN %s ELSE FALSE END", first, second));
    return Trial.of(
        "AND, De Morgan's form, and CASE", Run.of(both), Run.of(neither), Run.of(intersect));
  }
}
