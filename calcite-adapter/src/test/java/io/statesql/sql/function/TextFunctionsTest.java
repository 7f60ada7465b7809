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
package io.statesql.sql.function;

import io.statesql.StateSqlAssert;
import io.statesql.jdbc.ToyCatalogs;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Functions of text count characters, of which an emoji is one. */
class TextFunctionsTest {
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

  /** Over a column, too, where nothing is computed before the statement runs. */
  private void expression(String expression, String expected) throws SQLException {
    sql("SELECT " + expression + " FROM (VALUES '😀abcde') AS t (x)").returns(expected);
    sql("SELECT " + expression.replaceAll("\\bx\\b", "'😀abcde'") + " FROM (VALUES 1) AS t (y)")
        .returns(expected);
  }

  @Test
  void anEmojiIsOneCharacter() throws SQLException {
    expression("CHAR_LENGTH(x)", "6");
    expression("CHARACTER_LENGTH(x)", "6");
    expression("SUBSTRING(x FROM 2)", "abcde");
    expression("SUBSTRING(x, 1, 2)", "😀a");
    expression("SUBSTRING(x FROM -1 FOR 4)", "😀a");
    expression("POSITION('b' IN x)", "3");
    expression("POSITION('b' IN x FROM 4)", "0");
    expression("POSITION('a' IN x FROM -1)", "2");
    expression("OVERLAY(x PLACING '--' FROM 1)", "--bcde");
    expression("OVERLAY(x PLACING '--' FROM 2 FOR 1)", "😀--bcde");
    expression("TRIM(LEADING '😀' FROM x)", "abcde");
    expression("TRIM('e' FROM x)", "😀abcd");
    expression("INITCAP(x || ' éTÉ')", "😀Abcde Été");
    expression("ASCII(x)", "128512");
  }

  @Test
  void castsKeepWholeCharacters() throws SQLException {
    expression("CAST(x AS VARCHAR(1))", "😀");
    expression("CAST(x AS VARCHAR(3))", "😀ab");
    expression("CAST(x AS CHAR(2))", "😀a");
    expression("CAST(x AS CHAR(7)) || '.'", "😀abcde .");
    sql("VALUES CAST('😀' AS CHAR(2)) || '.'").returns("😀 .");
    sql("SELECT CASE WHEN x = 1 THEN '😀' ELSE 'longer' END FROM (VALUES 1) AS t (x)")
        .returns("😀");
  }

  @Test
  void likeTakesAnEmojiOrALineBreakForOneCharacter() throws SQLException {
    expression("x LIKE '_abcde'", "true");
    expression("x LIKE '__abcde'", "false");
    expression("x LIKE '%b%e' AND x NOT LIKE '%e%b%'", "true");
    expression("x LIKE '_a%' ESCAPE '!' AND '%_' LIKE '!%😀_' ESCAPE '!'", "false");
    sql("VALUES (U&'a\\000ab' LIKE 'a_b', 'a_' LIKE 'a!_' ESCAPE '!', 'ab' LIKE 'a!_' ESCAPE '!',"
            + " 'a%' LIKE 'a😀%' ESCAPE '😀', '' LIKE '%%', 'abab' LIKE '%ab', NULL LIKE '%')")
        .returns("true, true, false, true, true, true, null");
  }

  @Test
  void similarToTakesAnEmojiOrALineBreakForOneCharacter() throws SQLException {
    expression("x SIMILAR TO '_abcde'", "true");
    expression("x SIMILAR TO '..abcde'", "false");
    expression("x SIMILAR TO '[😀-😂](a|b|c)+[^z]{2}'", "true");
    sql("VALUES (U&'a\\000ab' SIMILAR TO 'a_b', 'a_' SIMILAR TO 'a!_' ESCAPE '!', 'a^$b' SIMILAR TO 'a^$b',"
            + " 'a1' SIMILAR TO '[[:ALPHA:]][[:DIGIT:]]', 'a\\b' SIMILAR TO 'a\\b', 'abc' SIMILAR TO 'ab|abc')")
        .returns("true, true, true, true, true, true");
  }

  @Test
  void patternsThatOnceTriedAllWaysToDivideATextEnd() throws SQLException {
    String text = "'" + "a".repeat(60) + "'";
    sql("VALUES " + text + " LIKE '" + "%a".repeat(30) + "b'").returns("false");
    sql("VALUES " + text + " SIMILAR TO '" + "%a".repeat(30) + "b'").returns("false");
    sql("VALUES " + text + " SIMILAR TO '((a|aa)+)+b'").returns("false");
  }

  @Test
  void wrongArgumentsAreTold() {
    sql("VALUES 'abc' LIKE 'a%' ESCAPE 'ab'").throwsSql("22023", "ESCAPE takes one character");
    sql("VALUES 'abc' LIKE 'a!bc' ESCAPE '!'").throwsSql("22023", "the pattern 'a!bc'");
    sql("VALUES 'abc' SIMILAR TO 'a[b'").throwsSql("22023", "'a[b'", "ends too soon");
    sql("VALUES 'abc' SIMILAR TO 'a(b'").throwsSql("22023", "( without )");
    sql("VALUES 'abc' SIMILAR TO '((a{999}){999}){999}'").throwsSql("22023", "too large");
    sql("VALUES 'abc' SIMILAR TO '" + "(".repeat(5000) + "'").throwsSql("22023", "too large");
    sql("VALUES OVERLAY('abc' PLACING 'x' FROM 0)").throwsSql("22023", "OVERLAY starts at");
    sql("VALUES SUBSTRING('abc' FROM 1 FOR -1)").throwsSql("22023", "length of 0 or more");
    sql("VALUES TRIM('ab' FROM 'abc')").throwsSql("22023", "TRIM takes one character");
  }

  @Test
  void allThatOrdersTextOrdersItAlike() throws SQLException {
    // By units of UTF-16 the emoji comes before the letter of full width.
    String texts = "(VALUES 'ａ', '😀', 'z') AS t (x)";
    sql("SELECT x FROM " + texts + " ORDER BY x").returns("z", "😀", "ａ");
    sql("SELECT MIN(x), MAX(x) FROM " + texts).returns("z, ａ");
    sql("SELECT x FROM " + texts + " WHERE x > '😀'").returns("ａ");
    sql("SELECT MAX(x) OVER (), RANK() OVER (ORDER BY x) FROM " + texts + " WHERE x <> 'z'")
        .returns("ａ, 1", "ａ, 2");
    sql("VALUES 'ａ' > '😀'").returns("true");
  }
}
