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
package io.statesql.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.statesql.format.ManyKeys.Form;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A heap of 64 MB is enough for a snapshot ten times as large, of any form, and for one of a single
 * key group that is several times as large.
 */
@Tag("proof")
class SmallHeapTest {
  private static final int KEYS = 40_000;
  private static final int LONG_TEXT = 8500;
  private static final int TEXT = 2500;
  private static final long HEAP = 64L << 20;

  /** Of different texts: those of all keys would take as much of our own heap. */
  private static final int TEXTS = 100;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "CANONICAL, 128",
    "CANONICAL_COMPRESSED, 128",
    "HEAP, 128",
    "HEAP_COMPRESSED, 32768",
    "ROCKSDB, 128"
  })
  void allOfASnapshotTenTimesLargerThanTheHeapIsRead(Form form, int maxParallelism)
      throws Exception {
    Path snapshot = write(form, maxParallelism, LONG_TEXT);
    assertThat(size(folder.resolve("state"))).isGreaterThan(10 * HEAP);

    assertAllIsRead(snapshot);
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void allOfAKeyGroupLargerThanTheHeapIsRead(Form form) throws Exception {
    Path snapshot = write(form, 1, TEXT);
    assertThat(size(folder.resolve("state"))).isGreaterThan(5 * HEAP / 2);

    assertAllIsRead(snapshot);
  }

  private Path write(Form form, int maxParallelism, int textLength) throws Exception {
    return ManyKeys.write(
        folder.resolve("state"), form, maxParallelism, states -> put(states, textLength));
  }

  private void assertAllIsRead(Path snapshot) throws Exception {

    Path workDir = Files.createDirectories(folder.resolve("work"));
    List<String> command =
        RocksDbTestProcess.command(workDir, SmallHeapQueries.class, snapshot.toString());
    command.set(command.indexOf("-Xmx256m"), "-Xmx64m");
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(output)).isZero();

    long sum = (long) KEYS * (KEYS - 1) / 2;
    assertThat(Files.readAllLines(output).stream().filter(line -> line.matches("\\d+")))
        .containsExactly(
            String.valueOf(KEYS),
            String.valueOf(sum),
            String.valueOf(2 * KEYS),
            String.valueOf(sum),
            "1");
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

  private static long size(Path folder) throws Exception {
    try (Stream<Path> files = Files.walk(folder)) {
      long size = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        size += Files.size(file);
      }
      return size;
    }
  }
}
