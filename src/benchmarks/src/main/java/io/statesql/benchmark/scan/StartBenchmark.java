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
package io.statesql.benchmark.scan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures how long the shell takes from its start to its end for one small statement, and how long
 * a program takes that does nothing, in the same JVM: same options, class path and archive of
 * classes.
 */
public final class StartBenchmark {
  private final Path root;
  private final int runs;

  private StartBenchmark(Path root, int runs) {
    this.root = root;
    this.runs = runs;
  }

  /** The arguments: the folder of the repository; how often to start. */
  public static void main(String[] args) throws IOException, InterruptedException {
    new StartBenchmark(Path.of(args[0]), Integer.parseInt(args[1])).run();
  }

  private void run() throws IOException, InterruptedException {
    MarkdownTable table = new MarkdownTable("program", "median", "fastest", "memory");
    measure(
        table,
        "`./statesql demo -e \"SELECT * FROM operators\"`",
        List.of(root.resolve("statesql").toString(), "demo", "-e", "SELECT * FROM operators"));
    measure(table, "a program that does nothing", nothing());
    System.out.print(table);
  }

  private void measure(MarkdownTable table, String title, List<String> command)
      throws IOException, InterruptedException {
    ProcessRun.of(root, command);
    List<Long> nanos = new ArrayList<>();
    List<Long> memory = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      ProcessRun run = ProcessRun.of(root, command);
      nanos.add(run.nanos());
      memory.add(run.peakMemory());
    }
    table.add(
        title,
        millis(Medians.of(nanos)),
        millis(nanos.stream().min(Long::compare).orElseThrow()),
        Medians.of(memory) / (1 << 20) + " MB");
  }

  /** As the launcher starts its JVM. */
  private List<String> nothing() throws IOException {
    Path home = root.resolve("src/distribution/target/statesql");
    Path archive;
    try (var archives = Files.newDirectoryStream(home, "classes-*.jsa")) {
      archive = archives.iterator().next();
    }
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-Xlog:disable",
        "-Xlog:all=error:stderr",
        "-XX:SharedArchiveFile=" + archive,
        "-cp",
        home + "/lib/*:" + System.getProperty("java.class.path").split(":", 2)[0],
        Nothing.class.getName());
  }

  /** A program that does nothing. */
  public static final class Nothing {
    private Nothing() {}

    public static void main(String[] args) {}
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.0f ms", nanos / 1e6);
  }
}
