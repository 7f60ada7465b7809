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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Command lines, their statements and exit statuses. */
class StateSqlMainTest {
  @TempDir private Path folder;

  @Test
  void helpAndVersionGoToStandardOutput() {
    Outcome help = Outcome.of("help");

    assertThat(help.status()).isZero();
    assertThat(help.out())
        .startsWith("StateSQL")
        .contains("[NAME=]PATH")
        .contains("--outputFormat");
    assertThat(help.err()).isEmpty();
    assertThat(Outcome.of("--version").out()).matches("StateSQL \\d.*\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nonsense                     | Unknown option: '--nonsense'; 'statesql help' lists what"
            + " there is",
        "-e                             | Option -e needs a value behind it",
        "--silent                       | Name a snapshot to open, or a JDBC URL with -u",
        "/nonexistent                   | No such file or folder: /nonexistent",
        "x=/nonexistent                 | No such file or folder: /nonexistent",
        "x=s3://bucket/savepoint        | The shell opens local paths only, and not"
            + " s3://bucket/savepoint: copy the snapshot first",
        "server                         | Name a snapshot to serve",
        "--silent coordinator           | Command coordinator comes before its options",
        "coordinator --prot=1           | Unknown option: '--prot=1'",
        "coordinator --port=x           | Invalid value for option '--port': 'x' is not an int",
        "coordinator --port=70000       | The port must be 0 to 65535, not 70000.",
        "coordinator --token-file=/no   | The file of --token-file cannot be read: /no",
        "coordinator --host=0.0.0.0     | A coordinator that listens on 0.0.0.0, beyond this"
            + " machine, needs a token (--token-file).",
        "--port=1 /                     | Option --port belongs to the commands server and"
            + " coordinator",
        "-n me /                        | Option -n needs a JDBC URL with -u",
        "demo /                         | Command demo takes no path: /",
        "-u jdbc:calcite: /             | Give either snapshots with their options or a JDBC URL"
            + " with -u",
      })
  void aSenselessCommandLineIsToldInOneSentence(String args, String message) {
    Outcome outcome = Outcome.of(args.strip().split(" "));

    assertThat(outcome.err()).isEqualTo("statesql: " + message + "\n");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void noArgumentsIsAnError() {
    Outcome outcome = Outcome.of();

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("statesql help");
  }

  @Test
  void aConnectionThatFailsIsToldInOneLine() {
    Outcome unknown = Outcome.of("-u", "jdbc:nothing:", "-e", "values 1");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).isEqualTo("Error: No JDBC driver here takes the URL jdbc:nothing:\n");

    Outcome broken = Outcome.of("-u", "jdbc:calcite:model=/nonexistent.json", "-e", "values 1");
    assertThat(broken.status()).isEqualTo(2);
    assertThat(broken.err()).startsWith("Error: ").contains("/nonexistent.json").hasLineCount(1);
    assertThat(broken.out()).isEmpty();
  }

  @Test
  void rowCountsAndErrorsStayOffStandardOutput() {
    Outcome outcome =
        Outcome.of("-u", "jdbc:calcite:", "--outputformat=csv", "-e", "values 1", "-e", "selec 1");

    assertThat(outcome.out()).isEqualTo("EXPR$0\n1\n");
    assertThat(outcome.err()).matches("1 row selected \\(.* seconds\\)\nError: parse failed: .*\n");
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void anErrorIsOneLineWithoutAStackTrace() {
    Outcome outcome = Outcome.onCalcite("-e", "select * from nope");

    assertThat(outcome.err())
        .isEqualTo("Error: From line 1, column 15 to line 1, column 18: Object 'NOPE' not found\n");
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void verboseShowsTheStackTrace() {
    Outcome outcome = Outcome.onCalcite("--verbose", "-e", "select * from nope");

    assertThat(outcome.err()).contains("\tat org.apache.calcite");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void severalStatementsStopAtTheFirstThatFails() {
    String format = "--outputformat=csv";

    Outcome options =
        Outcome.onCalcite(format, "-e", "values 1", "-e", "values nope", "-e", "values 3");
    assertThat(options.out()).isEqualTo("EXPR$0\n1\n");
    assertThat(options.status()).isEqualTo(2);

    Outcome one = Outcome.onCalcite(format, "-e", "values 1; values nope; values 3");
    assertThat(one.out()).isEqualTo("EXPR$0\n1\n");
    assertThat(one.status()).isEqualTo(2);
  }

  @Test
  void forceGoesOnAndStillFails() {
    Outcome outcome =
        Outcome.onCalcite("--force", "--outputformat=csv", "-e", "values nope; values 3");

    assertThat(outcome.out()).isEqualTo("EXPR$0\n3\n");
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void forceGoesOnFromOneOptionToTheNextAndToTheScript() throws IOException {
    Path script = Files.writeString(folder.resolve("s.sql"), "values 4;");
    Outcome outcome =
        Outcome.onCalcite(
            "--force",
            "--showheader=false",
            "--outputformat=csv",
            "-e",
            "values nope",
            "-e",
            "values 3",
            "-f",
            script.toString());

    assertThat(outcome.out()).isEqualTo("3\n4\n");
    assertThat(outcome.err()).hasLineCount(1);
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void everyStatementOfAnOptionRuns() {
    Outcome outcome =
        Outcome.onCalcite("--showheader=false", "--outputformat=csv", "-e", "values 1; values 2;");

    assertThat(outcome.out()).isEqualTo("1\n2\n");
    assertThat(outcome.status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "values 7 -- seven",
        "values 7 -- seven;",
        "values 7; -- seven",
        "-- seven\nvalues 7",
        "values /* ; */ 7 /* seven */",
        "/* ; */ values 7"
      })
  void commentsDoNotKeepAStatementFromRunning(String sql) {
    Outcome outcome = Outcome.onCalcite("--showheader=false", "--outputformat=csv", "-e", sql);

    assertThat(outcome.out()).isEqualTo("7\n");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void anUnterminatedLiteralIsAnErrorAndNothingRuns() {
    Outcome outcome = Outcome.onCalcite("-e", "values 1; values 'a");

    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).isEqualTo("Error: The literal that begins on line 1 has no end\n");
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void anErrorInAScriptSaysFileAndLine() throws IOException {
    Path script = folder.resolve("my script.sql");
    Files.writeString(script, "values 1;\n\n-- a\nselect *\n from nope;\nvalues 2;\n");

    Outcome outcome = Outcome.onCalcite("--outputformat=csv", "-f", script.toString());

    assertThat(outcome.out()).isEqualTo("EXPR$0\n1\n");
    assertThat(outcome.err())
        .isEqualTo(
            script
                + ":4: Error: From line 5, column 7 to line 5, column 10: Object 'NOPE' not"
                + " found\n");
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void aScriptWithoutALastSemicolonRunsWhole() throws IOException {
    Path script = folder.resolve("a.sql");
    Files.writeString(script, "\uFEFFvalues _UTF8'é';\nvalues 2 -- two");

    Outcome outcome =
        Outcome.onCalcite("--showheader=false", "--outputformat=csv", "-f", script.toString());

    assertThat(outcome.out()).isEqualTo("é\n2\n");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void aScriptThatCannotBeReadIsAnError() throws IOException {
    Outcome missing = Outcome.onCalcite("-f", "/nonexistent.sql");
    assertThat(missing.err()).isEqualTo("Error: No such script: /nonexistent.sql\n");
    assertThat(missing.status()).isEqualTo(2);

    Path binary = folder.resolve("a.sql");
    Files.write(binary, new byte[] {(byte) 0xFF});
    Outcome undecodable = Outcome.onCalcite("-f", binary.toString());
    assertThat(undecodable.err()).isEqualTo("Error: Script " + binary + " is not UTF-8 text\n");
    assertThat(undecodable.status()).isEqualTo(2);
  }

  @Test
  void standardInputIsAScriptWhenItIsNoTerminal() {
    Outcome outcome =
        Outcome.withInput(
            "values 1;\n!set outputformat csv\nvalues 2;\nvalues nope",
            "-u",
            "jdbc:calcite:",
            "--silent",
            "--outputformat=json");

    assertThat(outcome.out()).isEqualTo("{\"resultset\":[\n{\"EXPR$0\":1}\n]}\nEXPR$0\n2\n");
    assertThat(outcome.err()).startsWith("stdin:4: Error: ");
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void commandsRunInOneShotAndFailTheRunWhenTheyFail() {
    Outcome tables = Outcome.onCalcite("-e", "!tables");
    assertThat(tables.out()).contains("TABLE_NAME").contains("COLUMNS");
    assertThat(tables.status()).isZero();

    Outcome unknown = Outcome.onCalcite("-e", "!nonsense", "-e", "values 1");
    assertThat(unknown.out()).isEmpty();
    assertThat(unknown.err()).isEqualTo("Unknown command: nonsense\n");
    assertThat(unknown.status()).isEqualTo(2);

    assertThat(Outcome.onCalcite("-e", "!outputformat nonsense").status()).isEqualTo(2);
  }

  @Test
  void quittingEndsAScriptWithSuccess() {
    Outcome outcome =
        Outcome.onCalcite(
            "--outputformat=csv", "-e", "values 1;\n!quit\nvalues 2", "-e", "values 3");

    assertThat(outcome.out()).isEqualTo("EXPR$0\n1\n");
    assertThat(outcome.status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--outputformat=nonsense", "--maxWidth=wide", "--timeFormat=q"})
  void aWrongValueOfAnOptionIsAnError(String option) {
    Outcome outcome = Outcome.onCalcite(option, "-e", "values 1");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).hasLineCount(1);
  }

  @Test
  void anErrorWhileRowsAreFetchedFailsTheStatement() {
    Outcome outcome =
        Outcome.onCalcite(
            "-e", "select 6 / (3 - x) from (values 1, 2, 3) as t(x)", "-e", "values 1");

    assertThat(outcome.err()).isEqualTo("Error: / by zero\n");
    assertThat(outcome.out()).doesNotContain("EXPR$0 ");
    assertThat(outcome.status()).isEqualTo(2);
  }

  @Test
  void aStatementNestedTooDeeplyIsAnError() {
    Outcome outcome =
        Outcome.onCalcite("-e", "values " + "(".repeat(100_000) + "1" + ")".repeat(100_000));

    assertThat(outcome.err()).startsWith("Error: ").hasLineCount(1);
    assertThat(outcome.status()).isEqualTo(2);
  }
}
