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
package io.statesql.format.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksDbDamageTest {
  private static final int TRIALS = 1000;

  @TempDir private Path folder;

  @Test
  void damagedFilesAreRefusedOrReadRightAndTheJvmSurvives() throws Exception {
    Path snapshot = RocksDbSample.write(folder);
    Path workDir = Files.createDirectory(folder.resolve("work"));

    RocksDbTestProcess.Result result =
        RocksDbTestProcess.run(
            workDir,
            folder.resolve("output"),
            RocksDbDamage.class,
            snapshot.toString(),
            "1",
            Integer.toString(TRIALS));

    List<String> outcomes =
        result.output().stream()
            .filter(line -> line.contains(" -> "))
            .map(line -> line.substring(line.indexOf(" -> ") + 4))
            .toList();
    assertThat(result.status()).as(() -> String.join("\n", result.output())).isZero();
    assertThat(outcomes).hasSize(TRIALS);
    assertThat(outcomes)
        .allMatch(
            outcome ->
                outcome.equals(RocksDbDamage.ROWS) || outcome.startsWith(RocksDbDamage.REFUSED))
        .filteredOn(outcome -> outcome.startsWith(RocksDbDamage.REFUSED))
        .hasSizeGreaterThan(TRIALS / 3)
        .allMatch(outcome -> outcome.contains("Operator \"rocks\", subtask 0"));
    assertThat(content(workDir)).isEmpty();
  }

  private static List<Path> content(Path workDir) throws IOException {
    try (Stream<Path> files = Files.list(workDir)) {
      return files.toList();
    }
  }
}
