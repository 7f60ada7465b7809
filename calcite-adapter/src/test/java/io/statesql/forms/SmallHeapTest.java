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

import static io.statesql.forms.LongTexts.HEAP;
import static io.statesql.forms.LongTexts.KEYS;
import static io.statesql.forms.LongTexts.size;
import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.forms.ManyKeys.Form;
import java.nio.file.Path;
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
    Path snapshot = write(form, maxParallelism, LongTexts.LONG);
    assertThat(size(folder.resolve("state"))).isGreaterThan(10 * HEAP);

    assertAllIsRead(snapshot);
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB"})
  void allOfAKeyGroupLargerThanTheHeapIsRead(Form form) throws Exception {
    Path snapshot = write(form, 1, LongTexts.SHORT);
    assertThat(size(folder.resolve("state"))).isGreaterThan(5 * HEAP / 2);

    assertAllIsRead(snapshot);
  }

  private Path write(Form form, int maxParallelism, int textLength) throws Exception {
    return LongTexts.write(folder.resolve("state"), form, maxParallelism, textLength);
  }

  private void assertAllIsRead(Path snapshot) throws Exception {
    long sum = (long) KEYS * (KEYS - 1) / 2;
    assertThat(
            LongTexts.run(folder, SmallHeapQueries.class, snapshot.toString()).stream()
                .filter(line -> line.matches("\\d+")))
        .containsExactly(
            String.valueOf(KEYS),
            String.valueOf(sum),
            String.valueOf(2 * KEYS),
            String.valueOf(sum),
            "1");
  }
}
