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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;

/**
 * Blocks of tables and records of the log of tables are changed and their checksums made right
 * again, so that RocksDB trusts them. Each is read in a process of its own, whose death is seen.
 */
class RocksDbHostileFilesTest {
  private static final int SOME = 60;
  private static final int MANY = 1500;
  private static final long FIRST_SEED = Long.getLong("statesql.seed", 1);
  private static final String ENDED = "the process ended";

  @TempDir private Path folder;

  @Test
  void someHostileFilesDoNotEndTheProcess() throws Exception {
    List<String> outcomes = outcomes(SOME, RocksDbHostileFilesTest::smallBlocks);

    assertHarmless(outcomes);
    assertThat(outcomes)
        .filteredOn(outcome -> outcome.contains(RocksDbDamage.REFUSED))
        .hasSizeGreaterThan(SOME / 2)
        .allMatch(outcome -> outcome.contains("Operator \"rocks\", subtask 0"));
  }

  @Test
  @Tag("proof")
  void manyHostileFilesDoNotEndTheProcessUnlessByABlockOfData() throws Exception {
    assertHarmlessButForData(outcomes(MANY, RocksDbHostileFilesTest::smallBlocks));
  }

  @Test
  @Tag("proof")
  void manyHostileFilesWithAnIndexInPartsDoNotEndTheProcessUnlessByABlockOfData() throws Exception {
    assertHarmlessButForData(outcomes(MANY, RocksDbHostileFilesTest::indexInParts));
  }

  /** What a block of data holds may be any value; all else is refused or has no influence. */
  private static void assertHarmless(List<String> outcomes) {
    assertThat(outcomes).noneMatch(outcome -> outcome.contains(ENDED));
    assertHarmlessButForData(outcomes);
  }

  /**
   * Blocks of data between the first and the last of a file are not looked into before native code
   * reads them, which a few of them end: isolation is what protects from those.
   */
  private static void assertHarmlessButForData(List<String> outcomes) {
    assertThat(outcomes)
        .filteredOn(outcome -> !outcome.contains(": data "))
        .noneMatch(outcome -> outcome.contains(ENDED))
        .noneMatch(outcome -> outcome.endsWith(RocksDbDamage.OTHER_ROWS));
    assertThat(outcomes)
        .filteredOn(outcome -> outcome.contains(ENDED))
        .hasSizeLessThan(outcomes.size() / 100 + 1);
  }

  private static BlockBasedTableConfig indexInParts(BlockBasedTableConfig table) {
    return smallBlocks(table)
        .setIndexType(IndexType.kTwoLevelIndexSearch)
        .setMetadataBlockSize(128);
  }

  private static BlockBasedTableConfig smallBlocks(BlockBasedTableConfig table) {
    return table.setBlockSize(512);
  }

  /** What came of each change; a process that ended is started again behind it. */
  private List<String> outcomes(int count, UnaryOperator<BlockBasedTableConfig> form)
      throws Exception {
    Path snapshot = RocksDbSample.write(folder, form, CompressionType.NO_COMPRESSION);
    Path workDir = Files.createDirectory(folder.resolve("work"));
    List<String> outcomes = new ArrayList<>();
    long next = FIRST_SEED;
    long last = FIRST_SEED + count - 1;
    while (next <= last) {
      RocksDbTestProcess.Result result =
          RocksDbTestProcess.run(
              workDir,
              folder.resolve("output"),
              RocksDbDamage.class,
              snapshot.toString(),
              Long.toString(next),
              Long.toString(last),
              RocksDbDamage.HOSTILE);
      String change = "";
      for (String line : result.output()) {
        if (line.contains(" -> ")) {
          outcomes.add(change + line);
          next++;
        } else if (line.startsWith(next + " ")) {
          change = line;
        }
      }
      if (next <= last) {
        outcomes.add(change + ENDED + " at seed " + next);
        next++;
      }
    }
    return outcomes;
  }
}
