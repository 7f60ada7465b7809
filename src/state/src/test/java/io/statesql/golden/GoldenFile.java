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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What Flink 2.3.0 yields for one snapshot of its own test jar; see the README beside the files.
 *
 * @param states in the order of operator and name
 * @param entries in the file's order: by operator, state, place and key
 */
public record GoldenFile(List<GoldenState> states, List<GoldenEntry> entries) {
  private static final Path FOLDER = Path.of("src/test/resources/golden/flink-2.3.0");
  private static final String ENDING = ".jsonl";
  private static final ObjectMapper JSON = new ObjectMapper();

  public GoldenFile {
    states = List.copyOf(states);
    entries = List.copyOf(entries);
  }

  /** The snapshots that have a golden file: their paths within the test jar, sorted. */
  public static List<String> snapshots() throws IOException {
    return snapshots(FOLDER);
  }

  /** The snapshots that have a golden file in a folder, for tests that run elsewhere. */
  public static List<String> snapshots(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .filter(name -> name.endsWith(ENDING))
          .map(name -> name.substring(0, name.length() - ENDING.length()))
          .sorted()
          .toList();
    }
  }

  /**
   * Reads the golden file of a snapshot.
   *
   * @param snapshot as {@link #snapshots()} names it
   */
  public static GoldenFile of(String snapshot) throws IOException {
    return of(FOLDER, snapshot);
  }

  /** Reads the golden file of a snapshot from a folder. */
  public static GoldenFile of(Path folder, String snapshot) throws IOException {
    List<GoldenState> states = new ArrayList<>();
    List<GoldenEntry> entries = new ArrayList<>();
    for (String text : Files.readAllLines(folder.resolve(snapshot + ENDING))) {
      JsonNode line = JSON.readTree(text);
      if (line.has("entries")) {
        states.add(state(line));
      } else {
        entries.add(GoldenEntry.of(line));
      }
    }
    return new GoldenFile(states, entries);
  }

  private static GoldenState state(JsonNode line) {
    return new GoldenState(
        line.required("operator").textValue(),
        line.required("state").textValue(),
        line.required("kind").textValue(),
        line.required("entries").intValue());
  }
}
