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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code statesql}, with stand-ins for Java and Maven that tell how they were called.
 */
class LauncherScriptTest {
  private static final Path SCRIPT = Path.of("..", "..", "statesql").toAbsolutePath().normalize();

  @TempDir private Path folder;
  private Path root;
  private Path jdk;
  private Path bin;
  private Path script;

  @BeforeEach
  void layOut() throws IOException {
    root = Files.createDirectories(folder.resolve("a root"));
    script = Files.copy(SCRIPT, root.resolve("statesql"));
    jdk = folder.resolve("a jdk");
    executable(jdk.resolve("bin/java"), "for a in \"$@\"; do echo \"$a\"; done");
    executable(jdk.resolve("bin/javac"), "exit 1");
    release("17.0.1");
    bin = folder.resolve("bin");
    executable(
        bin.resolve("mvn"),
        """
        echo "mvn $*" >>"%s"
        if [ -e "%s" ]; then echo "no such dependency"; exit 1; fi
        sleep 1
        mkdir -p src/distribution/target/statesql.new/lib
        """
            .formatted(folder.resolve("calls"), folder.resolve("broken")));
  }

  @Test
  void aDistributionRunsAsItIs() throws Exception {
    Files.createDirectories(root.resolve("lib"));

    Outcome outcome = run(script, "a b", "", "*");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .contains("-Dstatesql.home=" + root + "\n", root + "/lib/*\n")
        .contains("-Dstatesql.interactive=false\n")
        .endsWith("io.statesql.shell.StateSqlMain\na b\n\n*\n");
    assertThat(builds()).isEmpty();
  }

  @Test
  void theFirstStartArchivesClassesForTheLaterOnes() throws Exception {
    Files.createDirectories(root.resolve("lib"));
    Files.createDirectories(root.resolve("samples/orders"));
    Files.writeString(
        jdk.resolve("release"),
        "JAVA_VERSION=\"17.0.1\"\nJAVA_RUNTIME_VERSION=\"17.0.1+12-some build\"\n");
    Path archive = root.resolve("classes-17.0.1+12-some_build.jsa");

    Outcome first = run(script, "x");

    assertThat(first.err()).startsWith("statesql: preparing for faster starts").hasLineCount(1);
    assertThat(first.out())
        .contains("-XX:SharedArchiveFile=" + archive + "\n")
        .doesNotContain("ArchiveClassesAtExit");
    // The stand-in for Java archives nothing, which is remembered.
    assertThat(archive).isEmptyFile();
    assertThat(run(script, "x").err()).isEmpty();
  }

  /** The JVM would pass over the archive without a word, and start slowly for ever. */
  @Test
  void aMovedCopiedOrUpdatedDistributionArchivesItsClassesAnew() throws Exception {
    Path lib = Files.createDirectories(root.resolve("lib"));
    Files.createDirectories(root.resolve("samples/orders"));
    Files.writeString(lib.resolve("a.jar"), "one");
    Files.writeString(
        jdk.resolve("release"), "JAVA_VERSION=\"17.0.1\"\nJAVA_RUNTIME_VERSION=\"17.0.1+12\"\n");
    assertThat(run(script, "x").err()).contains("preparing");
    assertThat(run(script, "x").err()).isEmpty();

    Path moved = Files.move(root, folder.resolve("moved"));
    Path movedScript = moved.resolve("statesql");
    assertThat(run(movedScript, "x").err()).contains("preparing");
    assertThat(run(movedScript, "x").err()).isEmpty();

    // As an archive of files puts it there: older than the classes that were kept.
    Path jar = Files.writeString(moved.resolve("lib/b.jar"), "two");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
    assertThat(run(movedScript, "x").err()).contains("preparing");
    assertThat(run(movedScript, "x").err()).isEmpty();
  }

  @Test
  void linksLeadToTheDistribution() throws Exception {
    Files.createDirectories(root.resolve("lib"));
    Path link = Files.createSymbolicLink(folder.resolve("a link"), Path.of("a root", "statesql"));
    Path second = Files.createSymbolicLink(bin.resolve("second"), link);

    assertThat(run(second, "x").out()).contains("-Dstatesql.home=" + root + "\n");
  }

  @Test
  void optionsForJavaPassThrough() throws Exception {
    Files.createDirectories(root.resolve("lib"));

    Outcome outcome = run(Map.of("JAVA_OPTS", "-Xmx3g -Da=b"), script, "x");

    assertThat(outcome.out()).contains("-Xmx3g\n-Da=b\n");
  }

  @Test
  void anOldOrMissingJavaIsToldInOneSentence() throws Exception {
    Files.createDirectories(root.resolve("lib"));
    release("11.0.2");
    Outcome old = run(script, "x");
    assertThat(old.status()).isEqualTo(1);
    assertThat(old.err()).startsWith("statesql: Java 17 or newer is needed").hasLineCount(1);

    Outcome missing = run(Map.of("JAVA_HOME", folder + "/none"), script, "x");
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.err()).contains("which holds no bin/java").hasLineCount(1);
  }

  @Test
  void aSourceTreeIsBuiltOnceAndAgainWhenASourceIsNewer() throws Exception {
    Path source = sourceTree();

    Outcome first = run(script, "x");
    assertThat(first.err()).startsWith("statesql: building").hasLineCount(1);
    assertThat(first.out())
        .contains("-Dstatesql.home=" + root + "/src/distribution/target/statesql\n");
    assertThat(builds()).hasSize(1);

    assertThat(run(script, "x").err()).isEmpty();
    assertThat(builds()).hasSize(1);

    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));
    assertThat(run(script, "x").err()).startsWith("statesql: building");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void twoFirstStartsBuildOnce() throws Exception {
    sourceTree();
    Process one = process(Map.of(), script, "x").start();
    Process two = process(Map.of(), script, "x").start();

    assertThat(one.waitFor()).isZero();
    assertThat(two.waitFor()).isZero();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aFailedBuildShowsMavenAndIsTriedAgain() throws Exception {
    sourceTree();
    Path broken = Files.createFile(folder.resolve("broken"));

    Outcome failed = run(script, "x");
    assertThat(failed.status()).isEqualTo(1);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err()).contains("no such dependency").contains("The build failed");

    Files.delete(broken);
    assertThat(run(script, "x").status()).isZero();
  }

  private Path sourceTree() throws IOException {
    Path module = Files.createDirectories(root.resolve("calcite-adapter/src/main"));
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(root.resolve("calcite-adapter/pom.xml"));
    return Files.createFile(module.resolve("A.java"));
  }

  private void release(String version) throws IOException {
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
  }

  private List<String> builds() throws IOException {
    Path calls = folder.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  private Outcome run(Path command, String... args) throws IOException, InterruptedException {
    return run(Map.of(), command, args);
  }

  private Outcome run(Map<String, String> environment, Path command, String... args)
      throws IOException, InterruptedException {
    Process process = process(environment, command, args).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out, err);
  }

  private ProcessBuilder process(Map<String, String> environment, Path command, String... args) {
    List<String> line = new ArrayList<>(List.of(command.toString()));
    line.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
    builder.environment().remove("JAVA_OPTS");
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
    builder.environment().putAll(environment);
    return builder;
  }

  private static void executable(Path file, String body) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
