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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class ErrorTextTest {
  @Test
  void ourOwnExceptionSpeaksForThoseAroundIt() {
    Throwable ours = new StateSqlException(ErrorCode.UNKNOWN_TABLE, "No table x in operator a");

    assertThat(ErrorText.of(new SQLException("Error while executing", new RuntimeException(ours))))
        .isEqualTo("Error: No table x in operator a (state=42S02)");
  }

  @Test
  void leavesOutTheStatementAndTheTokensThatTheParserExpected() {
    String sql = "select \"a\": from";
    SQLException failure =
        new SQLException(
            "Error while executing SQL \""
                + sql
                + "\": parse failed: Encountered \":\" at line 1, column 11.\n"
                + "Was expecting one of:\n    <EOF>\n    \"AS\" ...",
            "42000");

    assertThat(ErrorText.of(failure, sql))
        .isEqualTo("Error: parse failed: Encountered \":\" at line 1, column 11. (state=42000)");
  }

  @Test
  void isOneLineAndHasNoStateOfSuccess() {
    assertThat(ErrorText.of(new SQLException("a\n  b\r\nc", "00000"))).isEqualTo("Error: a b c");
  }

  @Test
  void anExceptionThatSaysNothingIsNamed() {
    assertThat(ErrorText.of(new IllegalStateException((String) null)))
        .isEqualTo("Error: IllegalStateException (--verbose shows where)");
    assertThat(ErrorText.of(new ExceptionInInitializerError(new ArithmeticException("/ by zero"))))
        .isEqualTo("Error: / by zero");
  }
}
