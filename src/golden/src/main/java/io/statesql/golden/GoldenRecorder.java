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
package io.statesql.golden;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes what Flink yields for snapshots: one file of JSON lines per snapshot, and {@code
 * not-restorable.txt} with the reasons of those that Flink does not restore.
 */
public final class GoldenRecorder {
  private static final String ENDING = ".jsonl";
  private static final String NOT_RESTORABLE = "not-restorable.txt";

  private final Path output;
  private final PrintStream messages;

  GoldenRecorder(Path output, PrintStream messages) {
    this.output = output;
    this.messages = messages;
  }

  /**
   * Records the snapshots below a folder.
   *
   * @param arguments the root folder, then the folder to write into
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      System.err.println("Usage: GoldenRecorder ROOT OUTPUT");
      System.exit(2);
    }
    new GoldenRecorder(Path.of(arguments[1]), System.out).record(Path.of(arguments[0]));
  }

  /** Records every recordable snapshot below a root. */
  void record(Path root) throws IOException {
    SortedMap<String, String> notRestorable = new TreeMap<>();
    for (Path folder : SnapshotFolders.below(root)) {
      String name = root.relativize(folder).toString().replace('\\', '/');
      try {
        record(folder, name);
      } catch (Exception | LinkageError e) {
        Files.deleteIfExists(output.resolve(name + ENDING));
        notRestorable.put(name, reason(e));
        messages.println(name + ": " + reason(e));
      }
    }
    write(
        NOT_RESTORABLE,
        notRestorable.entrySet().stream().map(entry -> entry.getKey() + ": " + entry.getValue()));
  }

  /**
   * Records one snapshot.
   *
   * @param name of the golden file, without its ending
   * @throws Exception whatever Flink throws where it cannot restore the snapshot
   */
  void record(Path folder, String name) throws Exception {
    List<GoldenLine> lines = new SnapshotRecorder(folder).lines();
    write(name + ENDING, lines.stream().map(GoldenLine::json));
    long states = lines.stream().filter(line -> line.entries() != null).count();
    messages.println(name + ": " + states + " states, " + (lines.size() - states) + " entries");
  }

  private void write(String name, Stream<String> lines) throws IOException {
    Path file = output.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(
        file, lines.map(line -> line + "\n").collect(Collectors.joining()), StandardCharsets.UTF_8);
  }

  /** The first line of the innermost cause. */
  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.toString().lines().findFirst().orElseThrow();
  }
}
