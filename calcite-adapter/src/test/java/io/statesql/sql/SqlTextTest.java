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
package io.statesql.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlTextTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "SELECT `a` FROM `b`.`c`|SELECT \"a\" FROM \"b\".\"c\"",
        "SELECT `a``b\"c`|SELECT \"a`b\"\"c\"",
        "SELECT '`', \"`\" -- `x`|SELECT '`', \"`\" -- `x`",
        "SELECT 'it''s `' /* ` */|SELECT 'it''s `' /* ` */",
        "SELECT 1;|SELECT 1",
        "SELECT 1 ; -- end;|SELECT 1   -- end;",
        "SELECT ';'|SELECT ';'",
        "SELECT 1; SELECT 2|SELECT 1; SELECT 2"
      })
  void quotesAndSemicolonsAreRewritten(String text, String expected) {
    assertThat(SqlText.forParser(text).stripTrailing()).isEqualTo(expected);
  }

  @Test
  void nothingButCommentsIsEmpty() {
    for (String text : List.of("", "  ", "-- x", "/* x */ // y")) {
      assertThatThrownBy(() -> SqlText.forParser(text)).isInstanceOf(StateSqlException.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "SELECT `open|line 1, column 8: the quoted name",
        "SELECT 'it''s|line 1, column 8: the text",
        "SELECT a, \"b\"\"|line 1, column 11: the quoted name",
        "/* open|line 1, column 1: the comment"
      })
  void whatHasNoEndIsToldByWhereItBegins(String text, String message) {
    assertThatThrownBy(() -> SqlText.forParser(text))
        .hasMessageContaining(message + " that begins here has no end.");
    assertThatThrownBy(() -> SqlText.forParser("-- one\n  " + text))
        .hasMessageContaining("line 2, column ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"/* a */ show tables|SHOW", "USE x|USE", "(SELECT 1)|''", "-- a|''", "DESC;|DESC"})
  void theFirstWordIsKnown(String text, String word) {
    assertThat(SqlText.firstWord(text)).isEqualTo(word);
  }

  @Test
  void nearestNamesComeFirst() {
    assertThat(NearestNames.suggestion("oders", List.of("orders", "users", "x")))
        .isEqualTo("; did you mean \"orders\"?");
    assertThat(NearestNames.suggestion("zzz", List.of("orders"))).isEqualTo(".");
    assertThat(NearestNames.nearest("KEYED_STATE", List.of("keyed_state", "keyed", "timers")))
        .containsExactly("keyed_state", "keyed");
  }
}
