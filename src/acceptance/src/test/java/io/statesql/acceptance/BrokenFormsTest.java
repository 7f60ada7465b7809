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
package io.statesql.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.acceptance.OrdersRun.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged snapshots of every form: an error or right rows, and nothing left behind. */
class BrokenFormsTest {

  /** Flink's own, of every form and handle. */
  private static final List<String> SNAPSHOTS =
      List.of(
          "new-stateful-udf-migration-itcase-flink2.2-hashmap-savepoint-native",
          "new-stateful-udf-migration-itcase-flink2.2-rocksdb-savepoint-native",
          "new-stateful-udf-migration-itcase-flink2.2-rocksdb-checkpoint",
          "new-stateful-udf-migration-itcase-flink2.2-hashmap-checkpoint",
          "new-stateful-broadcast-udf-migration-itcase-flink2.2-rocksdb-checkpoint",
          "new-stateful-udf-migration-itcase-flink1.15-rocksdb-savepoint-native",
          "new-stateful-udf-migration-itcase-flink1.16-hashmap-checkpoint",
          "new-stateful-udf-migration-itcase-flink1.13-rocksdb-savepoint",
          "new-stateful-udf-migration-itcase-flink1.9-rocksdb-savepoint",
          "legacy-raw-state-heap-timers-rocks-db-1.12");

  /** What the long trial damages, in all. */
  private static final int CASES = Integer.getInteger("statesql.damage.cases", 10_000);

  private static final long SEED = Long.getLong("statesql.seed", 1);

  @TempDir private Path folder;

  @Test
  @Timeout(600)
  void damageOfAnyFormIsAnErrorOrLeavesTheRows() throws Exception {
    assertThat(cases(200, 20261129, true, flinkTests())).isGreaterThanOrEqualTo(250);
  }

  /**
   * In ten pieces, each with damage of its own; a piece is what can be run alone. The first has the
   * hostile names beside, of which there are always the same.
   */
  @RepeatedTest(10)
  @Tag("proof")
  void muchDamageOfAnyFormIsAnErrorOrLeavesTheRows(RepetitionInfo piece) throws Exception {
    List<Path> snapshots = flinkTests();
    for (String name : ChangelogCheckpoints.namesWithBases()) {
      snapshots.add(ChangelogCheckpoints.copy(name, folder));
    }
    snapshots.add(ProjectFiles.SAMPLE);
    snapshots.add(OrdersRun.of("hashmap", Form.CANONICAL, true, 100, 2, 128).snapshot().folder());
    snapshots.add(OrdersRun.of("hashmap", Form.NATIVE, false, 100, 2, 128).snapshot().folder());
    for (OrdersRun run : EqualFormsTest.forms()) {
      snapshots.add(run.snapshot().folder());
    }
    int random = CASES / piece.getTotalRepetitions();
    long seed = SEED + piece.getCurrentRepetition() - 1;
    boolean withNames = piece.getCurrentRepetition() == 1;
    assertThat(cases(random, seed, withNames, snapshots)).isGreaterThanOrEqualTo(random);
  }

  private static List<Path> flinkTests() {
    return SNAPSHOTS.stream()
        .map(ProjectFiles.FLINK_TESTS::resolve)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Runs {@link FormDamageTrial} in a JVM with a heap of 512 MB and returns the cases. */
  private int cases(int random, long seed, boolean withNames, List<Path> snapshots)
      throws Exception {
    Path workFolders = Files.createDirectory(folder.resolve("work"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"));
    for (String part : List.of("util", "lang", "time")) {
      command.add("--add-opens=java.base/java." + part + "=ALL-UNNAMED");
    }
    // Most statements are the same in each case: compile them once.
    command.add("-Dcalcite.bindable.cache.maxSize=1000");
    command.add("-Dstatesql.work-dir=" + workFolders);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(FormDamageTrial.class.getName());
    command.addAll(List.of(folder.toString(), Integer.toString(random), Long.toString(seed)));
    command.add(Boolean.toString(withNames));
    snapshots.forEach(snapshot -> command.add(snapshot.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = output(process);
    assertThat(process.waitFor()).as(() -> String.join("\n", lines)).isZero();
    assertThat(lines).as("seed %s", seed).filteredOn(line -> line.startsWith("FAULT")).isEmpty();
    assertThat(workFolders).isEmptyDirectory();
    String summary = lines.get(lines.size() - 1);
    assertThat(summary).startsWith("cases ");
    return Integer.parseInt(summary.split(" ", 3)[1]);
  }

  private static List<String> output(Process process) throws IOException {
    try (var reader = process.inputReader()) {
      return reader.lines().toList();
    }
  }
}
