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
package io.statesql.forms;

import com.google.common.base.Splitter;
import io.statesql.format.rocksdb.RocksDbTestProcess;
import io.statesql.forms.ManyKeys.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Snapshots of {@link ManyKeys} with long texts in their lists, to be read in a small heap. */
final class LongTexts {
  static final int KEYS = 40_000;
  static final long HEAP = 64L << 20;

  /** Makes the state ten times as large as the heap. */
  static final int LONG = 8500;

  /** Makes the state two and a half times as large as the heap. */
  static final int SHORT = 2500;

  /** Of different texts: those of all keys would take as much of our own heap. */
  private static final int TEXTS = 100;

  private LongTexts() {}

  /** Writes a snapshot of {@link #KEYS} keys; returns its folder. */
  static Path write(Path folder, Form form, int maxParallelism, int textLength) throws Exception {
    return ManyKeys.write(folder, form, maxParallelism, states -> put(states, textLength));
  }

  private static void put(ManyKeys.States states, int textLength) throws Exception {
    List<String> texts =
        new Random(7)
            .ints((long) TEXTS * textLength, ' ', 127)
            .mapToObj(Character::toString)
            .collect(
                Collectors.collectingAndThen(
                    Collectors.joining(),
                    all -> Splitter.fixedLength(textLength).splitToList(all)));
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      states.of(key, ManyKeys.TOTAL).update((long) i);
      states
          .of(key, ManyKeys.NAMES)
          .update(List.of(texts.get(i % TEXTS), texts.get((i + i / TEXTS) % TEXTS)));
      states.of(key, ManyKeys.COUNTS).putAll(new TreeMap<>(Map.of("in", (long) i, "out", 0L)));
      states.of(key, ManyKeys.THIRD).update("x");
    }
  }

  /** The bytes of all files below a folder. */
  static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      long size = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        size += Files.size(file);
      }
      return size;
    }
  }

  /** Runs a program in a heap of {@link #HEAP}; returns the lines that it printed. */
  static List<String> run(Path folder, Class<?> program, String... args) throws Exception {
    Path workDir = Files.createDirectories(folder.resolve("work"));
    List<String> command = RocksDbTestProcess.command(workDir, program, args);
    command.set(command.indexOf("-Xmx256m"), "-Xmx" + HEAP);
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(program + " failed: " + Files.readString(output));
    }
    return Files.readAllLines(output);
  }
}
