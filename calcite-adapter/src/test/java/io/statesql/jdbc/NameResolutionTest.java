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
package io.statesql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.StateSqlAssert;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameResolutionTest {
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = StateSqlAssert.connect(ToyCatalogs::open, "snapshot=/toy");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private StateSqlAssert.Query sql(String sql) {
    return StateSqlAssert.on(connection).sql(sql);
  }

  @Test
  void tableAloneIsLookedUpInSys() throws SQLException {
    sql("SELECT * FROM store_locations").returns("43");
    sql("SELECT * FROM STATES").returns("44");
  }

  @Test
  void schemaAndTableAreLookedUpInTheCurrentCatalogFirst() throws SQLException {
    sql("SELECT x FROM \"my-uid\".keyed_state").returns("7");
    sql("SELECT x FROM \"My-Uid\".keyed_state").returns("8");
    sql("SELECT n FROM sys.operators").returns("42");
    sql("SELECT x FROM \"other-shop\".t").returns("11");
  }

  @Test
  void threeNamesAreAFullPath() throws SQLException {
    sql("SELECT x FROM \"other-shop\".orders.keyed_state").returns("100");
    sql("SELECT n FROM \"other-shop\".sys.operators").returns("142");
    sql("SELECT x FROM \"other-shop\".far.t").returns("101");
    sql("SELECT n FROM shop.sys.operators").returns("42");
  }

  @Test
  void anUnlistedSchemaIsFoundByItsExactName() throws SQLException {
    sql("SELECT x FROM hashed.keyed_state").returns("12");
    sql("SELECT x FROM shop.hashed.keyed_state").returns("12");
    sql("SELECT x FROM HASHED.keyed_state").throwsSql("3F000", "unknown schema \"HASHED\"");
  }

  @Test
  void backticksQuoteLikeDoubleQuotes() throws SQLException {
    sql("SELECT k.`x` FROM `my-uid`.`keyed_state` AS k -- it's `fine`\n;").returns("7");
    sql("SELECT x, '`' FROM `a.b \"c\"`.`t_1%`").returns("9, `");
  }

  @Test
  void exactSpellingWinsAndAnotherOneMustBeUnique() throws SQLException {
    sql("SELECT x FROM orders.Totals").returns("1");
    sql("SELECT x FROM orders.totals").returns("2");
    sql("SELECT x FROM ORDERS.\"SINGLE\"").returns("3");
    sql("SELECT x FROM orders.TOTALS")
        .throwsSql("42000", "The table name \"TOTALS\" fits \"Totals\" and \"totals\"");
    sql("SELECT x FROM \"MY-UID\".keyed_state").throwsSql("42000", "\"My-Uid\" and \"my-uid\"");
  }

  @Test
  void theCurrentSchemaHidesSystemTablesInAnySpelling() throws SQLException {
    ToySchema operator = new ToySchema().table("Operators", ToyCatalogs.oneInteger("x", 1));
    ToySchema sys = new ToySchema().table("operators", ToyCatalogs.oneInteger("x", 2));
    ToySchema catalog = new ToySchema().schema("operator", operator).schema("sys", sys);
    try (Connection toy =
        StateSqlAssert.connect(
            options -> List.of(new MountedCatalog("toy", catalog)), "snapshot=/toy")) {
      toy.setSchema("operator");
      StateSqlAssert.on(toy).sql("SELECT x FROM operators").returns("1");
      StateSqlAssert.on(toy).sql("SELECT x FROM sys.operators").returns("2");
      toy.setSchema(null);
      StateSqlAssert.on(toy).sql("SELECT x FROM OPERATORS").returns("2");
    }
  }

  @Test
  void columnsMatchWithoutCase() throws SQLException {
    sql("SELECT STATE_KEY FROM orders.keyed_state WHERE \"KEY_GROUP\" = 3").returns("a");
    sql("SELECT \"BC\" FROM (VALUES (1, 2)) AS t (\"BC\", \"bc\")")
        .throwsSql("42000", "'BC' is ambiguous");
  }

  @Test
  void currentCatalogAndSchemaCanBeSet() throws SQLException {
    assertThat(connection.getCatalog()).isEqualTo("shop");
    assertThat(connection.getSchema()).isNull();
    connection.setSchema("ORDERS");
    assertThat(connection.getSchema()).isEqualTo("orders");
    sql("SELECT COUNT(*) FROM keyed_state").returns("3");
    connection.setCatalog("Other-Shop");
    assertThat(connection.getCatalog()).isEqualTo("other-shop");
    assertThat(connection.getSchema()).isNull();
    sql("SELECT n FROM operators").returns("142");
    assertThatThrownBy(() -> connection.setCatalog("shap"))
        .isInstanceOf(SQLException.class)
        .hasMessage("Unknown catalog \"shap\"; did you mean \"shop\"?");
    assertThatThrownBy(() -> connection.setSchema("nowhere"))
        .isInstanceOf(SQLException.class)
        .hasMessage("Unknown schema \"nowhere\".");
  }

  @Test
  void unknownNamesComeWithPositionAndNearestNames() {
    sql("SELECT 1 FROM orders.keyd_state")
        .throwsSql(
            "42S02",
            "Line 1, column 15: unknown table \"keyd_state\" in schema \"orders\"; did you mean \"keyed_state\"?");
    sql("SELECT 1 FROM operator")
        .throwsSql(
            "42S02", "Line 1, column 15: unknown table \"operator\"; did you mean \"operators\"?");
    sql("SELECT 1\nFROM \"my-uit\".keyed_state")
        .throwsSql("3F000", "Line 2, column 6: unknown schema \"my-uit\"", "\"my-uid\"");
    sql("SELECT 1 FROM shap.orders.keyed_state")
        .throwsSql("3D000", "unknown catalog \"shap\"; did you mean \"shop\"?");
    sql("SELECT state_kee FROM orders.keyed_state")
        .throwsSql(
            "42S22", "Line 1, column 8: unknown column \"state_kee\"; did you mean \"state_key\"?");
    sql("SELECT k.state_kee FROM orders.keyed_state k").throwsSql("42S22", "\"state_key\"");
  }

  @Test
  void aSchemaInPlaceOfATableIsToldAsSuch() {
    sql("SELECT 1 FROM orders")
        .throwsSql(
            "42S02",
            "Line 1, column 15: \"orders\" is a schema and not a table",
            "as in \"orders\".keyed_state");
    sql("SELECT 1 FROM shop.orders").throwsSql("42S02", "\"shop\".\"orders\" is a schema");
    sql("SELECT 1 FROM shop").throwsSql("42S02", "\"shop\" is a snapshot and not a table");
    sql("SELECT 1 FROM timers")
        .throwsSql("42S02", "unknown table \"timers\"; ", "as in \"my-uid\".\"timers\".");
  }

  @Test
  void textInDoubleQuotesIsToldHowToBeQuoted() {
    sql("SELECT 1 FROM orders.keyed_state WHERE state_key = \"it's ada\"")
        .throwsSql("42S22", "unknown column \"it's ada\"; text needs single quotes: 'it''s ada'.");
    sql("SELECT \"state_kee\" FROM orders.keyed_state")
        .throwsSql("42S22", "unknown column \"state_kee\"; did you mean \"state_key\"?");
    sql("SELECT nothing_like_it FROM orders.keyed_state")
        .throwsSql("42S22", "unknown column \"nothing_like_it\".");
  }

  @Test
  void aNullaryFunctionDoesNotHideAColumn() throws SQLException {
    sql("SELECT user FROM orders.keyed_state WHERE state_key = 'a'").returns("ann");
  }

  @Test
  void aTableWithoutItsOperatorIsTold() {
    sql("SELECT * FROM numbers")
        .throwsSql("42S02", "unknown table \"numbers\"", "did you mean \"orders\".\"numbers\"?");
    sql("SELECT * FROM keyed_state").throwsSql("42S02", " or \"orders\".\"keyed_state\"?");
    sql("SELECT * FROM nothing_like_it").throwsSql("42S02", "\"my-uid\".\"nothing_like_it\"");
  }

  @Test
  void aColumnThatIsHiddenIsNotSuggestedAsItself() {
    sql("SELECT state_key FROM (SELECT x AS y FROM orders.\"Totals\") AS t, orders.keyed_state AS k"
            + " WHERE t.x = 1")
        .throwsSql("42S22", "unknown column \"x\"");
    sql("SELECT \"name\" FROM (SELECT i FROM orders.numbers)")
        .throwsSql("42S22", "unknown column \"name\" in this part of the statement");
  }

  @Test
  void aFieldOfAColumnNeedsItsTable() throws SQLException {
    sql("SELECT nested.a FROM orders.composites")
        .throwsSql("42S02", "a field of the column \"nested\"", "as in t.\"nested\".field");
    sql("SELECT composites.nested.a FROM orders.composites WHERE id = 1").returns("7");
  }

  @Test
  void aSchemaIsNoTable() {
    sql("SELECT * FROM sys").throwsSql("42S02", "\"sys\".operators");
    sql("SELECT * FROM orders").throwsSql("42S02", "\"orders\".keyed_state");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "value",
        "array",
        "period",
        "multiset",
        "date",
        "time",
        "timestamp",
        "count",
        "sum",
        "min",
        "max",
        "avg",
        "start",
        "end",
        "status",
        "year",
        "month",
        "day",
        "hour",
        "minute",
        "second",
        "position",
        "result",
        "method",
        "language",
        "element",
        "rank",
        "percent",
        "to",
        "at",
        "of",
        "key",
        "type",
        "name",
        "data",
        "user",
        "state",
        "system",
        "level",
        "path",
        "size",
        "measure",
        "uuid",
        "column",
        "no",
        "open",
        "close",
        "begin",
        "filter",
        "first",
        "last",
        "lag",
        "lead",
        "map",
        "match",
        "number",
        "old",
        "one",
        "only",
        "parameter",
        "reset",
        "search",
        "session",
        "show",
        "static",
        "substring",
        "trim",
        "upper",
        "lower",
        "work",
        "monday",
        "boolean",
        "integer",
        "varchar",
        "double",
        "decimal",
        "ordinal",
        "if",
        "power",
        "mod",
        "local",
        "member",
        "scope",
        "each",
        "condition",
        "check",
        "primary",
        "character",
        "date_trunc",
        "json",
        "version",
        "convert"
      })
  void commonFieldNamesNeedNoQuotes(String name) throws SQLException {
    sql("SELECT t.%1$s + ABS(%1$s) + (%1$s) AS s, %1$s FROM (VALUES (1)) AS t (%1$s) WHERE %1$s = 1 ORDER BY %1$s"
            .formatted(name))
        .returns("3, 1");
  }
}
