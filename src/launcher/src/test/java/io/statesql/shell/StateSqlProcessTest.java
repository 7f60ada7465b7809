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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell as a process: what only a JVM of its own shows. */
class StateSqlProcessTest {
  /** A result of ten megabytes, far more than a pipe holds. */
  private static final String LARGE =
      "select a.x, '%2$s' from %1$s a(x), %1$s b(x), %1$s c(x), %1$s d(x)"
          .formatted("(values 0,1,2,3,4,5,6,7,8,9)", "x".repeat(1000));

  @TempDir private Path home;
  private Process process;

  @AfterEach
  void stop() {
    process.destroyForcibly();
  }

  @Test
  void standardErrorHoldsNothingButOurMessages() throws Exception {
    Outcome outcome = run("--outputformat=csv", "--silent", "-e", "values 1");

    assertThat(outcome).isEqualTo(new Outcome(0, "EXPR$0\n1\n", ""));
  }

  @Test
  void outputIsUtf8AndUtcWhateverTheLocaleAndZone() throws Exception {
    Outcome outcome =
        run(
            "--outputformat=csv",
            "--showheader=false",
            "--silent",
            "-e",
            "values (_UTF8'日本é😀', timestamp '2024-03-31 02:30:00')",
            "-e",
            "values ü");

    assertThat(outcome.out()).isEqualTo("日本é😀,2024-03-31 02:30:00.000\n");
    assertThat(outcome.err()).startsWith("Error: ").contains("Ü").hasLineCount(1);
  }

  @Test
  void statusTellsUsageFromFailure() throws Exception {
    assertThat(run("--nonsense").status()).isEqualTo(1);
    assertThat(run("-e", "values nope").status()).isEqualTo(2);
  }

  @Test
  void aReaderThatGoesAwayEndsTheShellQuietly() throws Exception {
    start("--outputformat=csv", "-e", LARGE);
    try (InputStream out = process.getInputStream()) {
      assertThat(out.readNBytes(2)).isEqualTo("X,".getBytes(StandardCharsets.UTF_8));
    }

    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(141);
    assertThat(process.getErrorStream().readAllBytes()).isEmpty();
  }

  @Test
  void aSignalEndsARunningStatementAtOnce() throws Exception {
    start("--outputformat=csv", "-e", LARGE);
    try (InputStream out = process.getInputStream()) {
      assertThat(out.readNBytes(4)).hasSize(4);
      process.toHandle().destroy();
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    }

    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(process.getErrorStream().readAllBytes()).isEmpty();
  }

  @Test
  void oneShotLeavesNothingInTheHomeFolder() throws Exception {
    run("-e", "values 1");

    try (var files = Files.list(home)) {
      assertThat(files).isEmpty();
    }
  }

  private Outcome run(String... args) throws IOException, InterruptedException {
    start(args);
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out, err);
  }

  private void start(String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Duser.timezone=Europe/Berlin",
                "-Duser.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                StateSqlMain.class.getName(),
                "-u",
                "jdbc:calcite:"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOME", home.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    process = builder.start();
  }
}
