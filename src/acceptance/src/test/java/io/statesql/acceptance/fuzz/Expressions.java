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

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Makes expressions of a type from the columns that can be seen. */
final class Expressions {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");

  private static final List<String> SAMPLE_TEXTS =
      List.of(
          "ada", "dora", "eve", "WEB", "STORE", "tea", "mug", "/mug", "GOLD", "EVENT", "DE", "中国");

  private final Grammar grammar;
  private final Dice dice;

  Expressions(Grammar grammar) {
    this.grammar = grammar;
    this.dice = grammar.dice;
  }

  /** A column of a type, or a literal if there is none. */
  Sql column(Kind kind, List<Sql> columns) {
    List<Sql> candidates = columns.stream().filter(column -> column.kind() == kind).toList();
    return candidates.isEmpty() ? literal(kind) : dice.of(candidates);
  }

  Sql of(Kind kind, List<Sql> columns, int depth) {
    if (depth <= 0 || dice.chance(40)) {
      return dice.chance(80) ? column(kind, columns) : literal(kind);
    }
    return switch (dice.below(12)) {
      case 0 ->
          Sql.of(
              kind,
              "CASE WHEN %s THEN %s ELSE %s END",
              grammar.predicates.of(columns, depth - 1),
              of(kind, columns, depth - 1),
              of(kind, columns, depth - 1));
      case 1 ->
          Sql.of(
              kind,
              "CASE WHEN %s THEN %s END",
              grammar.predicates.of(columns, depth - 1),
              of(kind, columns, depth - 1));
      case 2 ->
          Sql.of(kind, "COALESCE(%s, %s)", column(kind, columns), of(kind, columns, depth - 1));
      case 3 ->
          Sql.of(
              kind, "NULLIF(%s, %s)", of(kind, columns, depth - 1), of(kind, columns, depth - 1));
      case 4 -> Sql.text(kind, "CAST(NULL AS " + kind.castType() + ")");
      default -> call(kind, columns, depth - 1);
    };
  }

  private Sql call(Kind kind, List<Sql> columns, int depth) {
    return switch (kind) {
      case INTEGER -> integer(columns, depth);
      case BIGINT -> bigint(columns, depth);
      case DECIMAL -> decimal(columns, depth);
      case DOUBLE -> approximate(columns, depth);
      case VARCHAR -> text(columns, depth);
      case BOOLEAN -> Sql.of(kind, "(%s)", grammar.predicates.of(columns, depth));
      case DATE -> date(columns, depth);
      case TIMESTAMP -> time(columns, depth);
      default -> throw new AssertionError(kind);
    };
  }

  private Sql sum(Kind kind, List<Sql> columns, int depth) {
    String form = dice.of("(%s + %s)", "(%s - %s)");
    return Sql.of(kind, form, of(kind, columns, depth), of(kind, columns, depth));
  }

  private Sql product(Kind kind, List<Sql> columns) {
    return Sql.of(kind, "(%s * %s)", column(kind, columns), literal(kind));
  }

  private Sql integer(List<Sql> columns, int depth) {
    Kind kind = Kind.INTEGER;
    Sql text = of(Kind.VARCHAR, columns, depth);
    return switch (dice.below(9)) {
      case 0 -> product(kind, columns);
      case 1 -> Sql.of(kind, Dialect.TEXT_LENGTH, text);
      case 2 -> Sql.of(kind, Dialect.POSITION, literal(Kind.VARCHAR), text);
      case 3 -> Sql.of(kind, "MOD(%s, %s)", of(kind, columns, depth), divisor());
      case 4 ->
          Sql.of(
              kind,
              "(" + Dialect.INTEGER_DIVISION.stateSql() + ")",
              "(" + Dialect.INTEGER_DIVISION.duckDb() + ")",
              of(kind, columns, depth),
              divisor());
      case 5 -> Sql.of(kind, "ABS(%s)", of(kind, columns, depth));
      case 6 ->
          Sql.of(
              kind, "CAST(%s AS INTEGER)", of(dice.of(Kind.BIGINT, Kind.DECIMAL), columns, depth));
      default -> sum(kind, columns, depth);
    };
  }

  private Sql divisor() {
    return Sql.text(Kind.INTEGER, dice.of("2", "3", "-3", "7"));
  }

  private Sql bigint(List<Sql> columns, int depth) {
    Kind kind = Kind.BIGINT;
    return switch (dice.below(10)) {
      case 0 -> product(kind, columns);
      case 1 -> Sql.of(kind, "CAST(%s AS BIGINT)", of(Kind.INTEGER, columns, depth));
      case 2 ->
          Sql.of(
              kind,
              "EXTRACT(" + dice.of("YEAR", "MONTH", "DAY", "DOY", "QUARTER") + " FROM %s)",
              of(dice.of(Kind.DATE, Kind.TIMESTAMP), columns, depth));
      case 3 ->
          Sql.of(kind, "(%s + %s)", of(kind, columns, depth), of(Kind.INTEGER, columns, depth));
      case 4 -> Sql.of(kind, "ABS(%s)", of(kind, columns, depth));
      case 5 ->
          Sql.of(
              kind,
              "EXTRACT(" + dice.of("HOUR", "MINUTE") + " FROM %s)",
              of(Kind.TIMESTAMP, columns, depth));
      case 6 -> Sql.of(kind, "(SELECT COUNT(*) FROM %s)", grammar.sources.table().sql());
      default -> sum(kind, columns, depth);
    };
  }

  private Sql decimal(List<Sql> columns, int depth) {
    Kind kind = Kind.DECIMAL;
    return switch (dice.below(7)) {
      case 0 -> product(kind, columns);
      case 1 -> Sql.of(kind, "CAST(%s AS DECIMAL(24, 4))", of(Kind.INTEGER, columns, depth));
      case 2 -> Sql.of(kind, "ROUND(%s, 1)", column(kind, columns));
      case 3 -> Sql.of(kind, dice.of("FLOOR(%s)", "CEIL(%s)"), column(kind, columns));
      case 4 -> Sql.of(kind, "ABS(%s)", of(kind, columns, depth));
      default -> sum(kind, columns, depth);
    };
  }

  private Sql approximate(List<Sql> columns, int depth) {
    Kind kind = Kind.DOUBLE;
    return switch (dice.below(6)) {
      case 0 -> product(kind, columns);
      case 1 -> Sql.of(kind, "CAST(%s AS DOUBLE)", of(Kind.INTEGER, columns, depth));
      case 2 -> Sql.of(kind, dice.of("FLOOR(%s)", "CEIL(%s)"), column(kind, columns));
      case 3 -> Sql.of(kind, "ABS(%s)", of(kind, columns, depth));
      default -> sum(kind, columns, depth);
    };
  }

  private Sql text(List<Sql> columns, int depth) {
    Kind kind = Kind.VARCHAR;
    Sql text = of(kind, columns, depth);
    return switch (dice.below(9)) {
      case 0 -> Sql.of(kind, dice.of("UPPER(%s)", "LOWER(%s)"), text);
      case 1 ->
          Sql.of(
              kind,
              "SUBSTRING(%s FROM " + dice.between(1, 4) + " FOR " + dice.below(4) + ")",
              text);
      case 2 -> Sql.of(kind, "SUBSTRING(%s FROM " + dice.between(1, 4) + ")", text);
      case 3 -> Sql.of(kind, Dialect.TRIM, text);
      case 4 -> Sql.of(kind, Dialect.TRIM_LEADING, Sql.text(kind, "'a'"), text);
      case 5 -> Sql.of(kind, Dialect.TEXT_OF_BOOLEAN, of(Kind.BOOLEAN, columns, depth));
      case 6 ->
          Sql.of(
              kind, "CAST(%s AS VARCHAR)", of(dice.of(Kind.INTEGER, Kind.BIGINT), columns, depth));
      case 7 -> Sql.of(kind, "REPLACE(%s, 'a', 'bc')", text);
      default -> Sql.of(kind, "(%s || %s)", text, of(kind, columns, depth));
    };
  }

  private Sql date(List<Sql> columns, int depth) {
    Kind kind = Kind.DATE;
    if (dice.chance(50)) {
      return Sql.of(kind, "CAST(%s AS DATE)", of(Kind.TIMESTAMP, columns, depth));
    }
    Sql days = Sql.text(Kind.PART, dice.of("1", "31", "400"));
    return Sql.of(kind, Dialect.DAYS_LATER, of(kind, columns, depth), days);
  }

  private Sql time(List<Sql> columns, int depth) {
    Kind kind = Kind.TIMESTAMP;
    Sql time = of(kind, columns, depth);
    return switch (dice.below(5)) {
      case 0 -> Sql.of(kind, Dialect.FLOOR_TO_DAY, time);
      case 1 -> Sql.of(kind, Dialect.FLOOR_TO_HOUR, time);
      case 2 -> Sql.of(kind, Dialect.FLOOR_TO_MONTH, time);
      case 3 -> Sql.of(kind, "CAST(%s AS TIMESTAMP)", of(Kind.DATE, columns, depth));
      default ->
          Sql.of(
              kind,
              "(%s + INTERVAL '" + dice.of("1", "90") + "' " + dice.of("MINUTE", "DAY") + ")",
              time);
    };
  }

  Sql literal(Kind kind) {
    return operand(kind).literal();
  }

  /** A literal where a parameter may stand for it. */
  Sql parameter(Kind kind) {
    Operand operand = operand(kind);
    return Sql.operand(operand.literal, operand.value);
  }

  private record Operand(Sql literal, Object value) {}

  private Operand operand(Kind kind) {
    return switch (kind) {
      case INTEGER -> {
        int number = dice.chance(70) ? dice.between(-2, 20) : dice.of(OddState.INTEGERS);
        yield operand(kind, number, number < 0 ? "(" + number + ")" : "" + number);
      }
      case BIGINT -> {
        long number = dice.chance(70) ? dice.between(0, 110) : dice.of(OddState.BIGINTS);
        yield operand(kind, number, "CAST(" + number + " AS BIGINT)");
      }
      case DECIMAL -> {
        String number = dice.of("0.5", "1.0", "2.50", "4.75", "12.25", "99.99");
        yield operand(kind, new BigDecimal(number), number);
      }
      case DOUBLE -> {
        double number = dice.of(-2.5, 0.0, 0.25, 1.5, 3.0, 4.5, 1e15);
        yield operand(
            kind,
            number,
            number < 0 ? "(" + number + "e0)" : new BigDecimal(number).toPlainString() + "e0");
      }
      case VARCHAR -> {
        String text = dice.of(dice.chance(60) ? OddState.TEXTS : SAMPLE_TEXTS);
        yield operand(kind, text, '\'' + text.replace("'", "''") + '\'');
      }
      case BOOLEAN -> {
        boolean value = dice.chance(50);
        yield operand(kind, value, value ? "TRUE" : "FALSE");
      }
      case DATE -> {
        LocalDate date = dice.of(OddState.DATES);
        yield operand(kind, date, "DATE '" + date + '\'');
      }
      case TIMESTAMP -> {
        LocalDateTime time = dice.of(OddState.TIMES);
        yield operand(kind, time, "TIMESTAMP '" + TIME.format(time) + '\'');
      }
      default -> throw new AssertionError(kind);
    };
  }

  private static Operand operand(Kind kind, Object value, String literal) {
    return new Operand(Sql.text(kind, literal), value);
  }
}
