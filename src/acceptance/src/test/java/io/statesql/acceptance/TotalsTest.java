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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How much of the state in all snapshots at hand is decoded, and why the rest is not: these are the
 * totals that the README states.
 */
class TotalsTest {
  private static final String EXPECTED =
      """
      flink-tests 2.3.0: 176 snapshots, 1248 operators, 1595 states: 1507 decoded, 84 opaque, 4 unreadable, 0 without data
        80 opaque: Java-serialized objects
        4 opaque: serializers of the job's own
        2 unreadable: a changelog without key serializer
        2 unreadable: serializers of the job's own
      flink-tests 1.20.0 (those that 2.3.0 has not): 74 snapshots, 296 operators, 1065 states: 144 decoded, 611 opaque, 310 unreadable, 0 without data
        611 opaque: Scala serializers
        270 unreadable: Scala serializers
        40 unreadable: a changelog without key serializer
      the sample job, in every form: 7 snapshots, 182 operators, 399 states: 389 decoded, 1 opaque, 2 unreadable, 7 without data
        7 internal: sets of merging windows
        1 opaque: classes that the snapshot does not describe
        2 unreadable: classes that the snapshot does not describe
      """;

  @Test
  void everyStateIsDecodedOrHasAKnownReason() throws IOException, SQLException {
    SnapshotTotals flink2 = new SnapshotTotals("flink-tests 2.3.0");
    for (Path snapshot : snapshots("2.3.0")) {
      flink2.add(snapshot);
    }
    SnapshotTotals flink1 = new SnapshotTotals("flink-tests 1.20.0 (those that 2.3.0 has not)");
    for (Path snapshot : snapshots("1.20.0")) {
      if (!isIn("2.3.0", snapshot)) {
        flink1.add(snapshot);
      }
    }
    SnapshotTotals sample = new SnapshotTotals("the sample job, in every form");
    sample.add(ProjectFiles.SAMPLE);
    for (OrdersRun run : EqualFormsTest.forms()) {
      sample.add(run.snapshot().folder());
    }

    List<String> lines = new ArrayList<>();
    List.of(flink2, flink1, sample).forEach(totals -> lines.addAll(totals.lines()));
    lines.forEach(System.out::println);
    Files.write(ProjectFiles.TARGET.resolve("totals.txt"), lines);

    assertThat(List.of(flink2, flink1, sample))
        .allSatisfy(totals -> assertThat(totals.unknown()).isEmpty());
    assertThat(lines).containsExactlyElementsOf(EXPECTED.lines().toList());
  }

  private static List<Path> snapshots(String release) throws IOException {
    try (var files = Files.walk(root(release))) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .map(Path::getParent)
          .sorted()
          .toList();
    }
  }

  private static Path root(String release) {
    return ProjectFiles.FLINK_TESTS.resolveSibling(release);
  }

  /** Whether another jar has the same snapshot at the same place. */
  private static boolean isIn(String release, Path snapshot) throws IOException {
    Path other = root(release).resolve(root("1.20.0").relativize(snapshot)).resolve("_metadata");
    return Files.exists(other) && Files.mismatch(other, snapshot.resolve("_metadata")) < 0;
  }
}
