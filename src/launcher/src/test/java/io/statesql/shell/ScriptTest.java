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

class ScriptTest {
  @Test
  void splitsAtSemicolonsAndKnowsTheLines() {
    assertThat(Script.split("a;b\n;\n\n c\nd;"))
        .containsExactly(
            new ScriptStatement("a", 1),
            new ScriptStatement("b", 1),
            new ScriptStatement("c\nd", 4));
  }

  @Test
  void semicolonsInLiteralsIdentifiersAndCommentsDoNotSplit() {
    String text = "select ';', 'it''s;', \"a;\"\"b\", `c;` -- d;\n, /* e;\n */ f";

    assertThat(Script.split(text)).containsExactly(new ScriptStatement(text, 1));
  }

  @Test
  void leavesOutWhatIsCommentAlone() {
    assertThat(Script.split("#!/usr/bin/env statesql\n-- a\n/* b */;; a -- c")).hasSize(1);
    assertThat(Script.split("-- a")).isEmpty();
    assertThat(Script.split("")).isEmpty();
  }

  @Test
  void aCommandTakesItsLineWhole() {
    assertThat(Script.split("a;\n!set nullvalue ';'\nb"))
        .containsExactly(
            new ScriptStatement("a", 1),
            new ScriptStatement("!set nullvalue ';'", 2),
            new ScriptStatement("b", 3));
  }

  @Test
  void anExclamationMarkInsideAStatementIsNoCommand() {
    assertThat(Script.split("a\n!= b")).containsExactly(new ScriptStatement("a\n!= b", 1));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {"'a, literal", "\"a, quoted identifier", "/* a, comment"})
  void tellsWhereSomethingUnterminatedBegins(String unterminated, String what) {
    assertThatThrownBy(() -> Script.split("a;\nb " + unterminated + "\n;"))
        .isInstanceOf(Script.UnterminatedException.class)
        .hasMessage("The " + what + " that begins on line 2 has no end");
  }
}
