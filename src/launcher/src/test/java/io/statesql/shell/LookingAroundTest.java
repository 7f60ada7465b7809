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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell lists names in the ways that people try first. */
class LookingAroundTest {
  private static final String SAMPLE = "../../sql-examples/snapshots/orders";

  private static Outcome csv(String... statements) {
    String[] args = new String[3 + 2 * statements.length];
    args[0] = SAMPLE;
    args[1] = "--silent";
    args[2] = "--outputformat=csv";
    for (int i = 0; i < statements.length; i++) {
      args[3 + 2 * i] = "-e";
      args[4 + 2 * i] = statements[i];
    }
    return Outcome.of(args);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "!columns customers.\"last-seen\"",
        "!describe customers.\"last-seen\";",
        "\\d customers.\"last-seen\"",
        "DESCRIBE customers.\"last-seen\";",
        "show columns from customers.\"last-seen\""
      })
  void columnsOfATable(String statement) {
    Outcome outcome = csv(statement);

    assertThat(outcome.out())
        .startsWith(
            "column_name,data_type,is_nullable,is_key,remarks\nstate_key,VARCHAR,true,true,")
        .contains("\nkey_group,INTEGER,");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"!columns nosuch", "\\d nosuch", "DESCRIBE nosuch"})
  void anUnknownTableIsAnError(String statement) {
    Outcome outcome = csv(statement);

    assertThat(outcome.err()).contains("unknown table \"nosuch\"").contains("state=42S02");
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.status()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"!tables customers", ".tables customers", "USE customers; SHOW TABLES"})
  void tablesOfAnOperator(String statement) {
    assertThat(csv(statement).out())
        .startsWith("schema_name,table_name,remarks\ncustomers,")
        .contains("\ncustomers,keyed_state,", "\ncustomers,timers,");
  }

  @Test
  void helpIsOneScreenByTask() {
    Outcome outcome = csv("!help", "help;");

    assertThat(outcome.out()).startsWith("Look around").contains("!help all").hasLineCount(36);
    assertThat(outcome.status()).isZero();
  }

  @Test
  void quittingTakesASemicolonAndEndsTheScript() {
    Outcome outcome = csv("VALUES 1; !quit;\nVALUES 2", "VALUES 3");

    assertThat(outcome.out()).isEqualTo("EXPR$0\n1\n");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void commandsThatHaveNoUseHereAreUnknown() {
    for (String command : new String[] {"!dropall", "!manual", "\\copy"}) {
      Outcome outcome = csv(command);

      assertThat(outcome.err()).containsIgnoringCase("unknown command");
      assertThat(outcome.status()).isEqualTo(2);
    }
  }

  @Test
  void aTransactionBeginsAndEndsInWordsOfSql() {
    Outcome outcome =
        csv(
            "BEGIN; DELETE FROM customers.\"last-seen\"; SELECT COUNT(*) FROM customers.\"last-seen\"",
            "ROLLBACK; SELECT COUNT(*) FROM customers.\"last-seen\"");

    assertThat(outcome.out()).isEqualTo("EXPR$0\n0\nEXPR$0\n12\n");
    assertThat(outcome.status()).isZero();
  }
}
