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
package io.statesql.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people type who know another shell does what they mean. */
class FamiliarCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '%',
      value = {
        "exit > !quit",
        "QUIT; > !quit",
        "!quit; > !quit",
        "\\q > !quit",
        "? > !help",
        "help > !help",
        "\\d > SHOW TABLES",
        ".tables > SHOW TABLES",
        "\\d \"a b\".\"c\"; > DESCRIBE TABLE \"a b\".\"c\"",
        "\\dt customers > SHOW TABLES FROM customers",
        "!columns customers.keyed_state; > DESCRIBE TABLE customers.keyed_state",
        "!describe x > DESCRIBE TABLE x",
        "!tables > SHOW TABLES",
        "!Tables customers > SHOW TABLES FROM customers",
        "!schemas > SHOW SCHEMAS",
        "!columns > !columns",
        "Begin  Transaction; > !autocommit off",
        "COMMIT; > !commit",
        "rollback > !rollback",
        "!set nullvalue ; > !set nullvalue ;",
        "SELECT 1 > SELECT 1",
        "COMMIT PREPARED > COMMIT PREPARED",
      })
  void hasAnEqual(String typed, String equal) {
    assertThat(FamiliarCommand.equalOf(typed, true)).isEqualTo(equal);
  }

  @Test
  void listingsAreSqllinesWhereTheConnectionHasNone() {
    assertThat(FamiliarCommand.equalOf("!tables", false)).isEqualTo("!tables");
    assertThat(FamiliarCommand.equalOf("!columns t;", false)).isEqualTo("!columns t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\copy x", ".import a.csv b", "\\i"})
  void othersAreToldWithTheirText(String typed) {
    assertThatThrownBy(() -> FamiliarCommand.equalOf(typed, true))
        .isInstanceOf(FamiliarCommand.UnknownCommandException.class)
        .hasMessage("Unknown command: " + typed + "; !help lists what there is");
  }

  @Test
  void theyNeedNoSemicolon() {
    assertThat(FamiliarCommand.isWholeLine("exit")).isTrue();
    assertThat(FamiliarCommand.isWholeLine(" \\d x")).isTrue();
    assertThat(FamiliarCommand.isWholeLine("SELECT 1")).isFalse();
    assertThat(FamiliarCommand.isWholeLine("")).isFalse();
  }
}
