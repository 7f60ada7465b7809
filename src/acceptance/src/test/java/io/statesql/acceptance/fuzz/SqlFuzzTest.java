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
package io.statesql.acceptance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random statements give the rows of DuckDB, and those of other statements that must be the same.
 * Each trial has a seed, which its failure names: {@code mvn -pl src/acceptance test
 * -Dtest=SqlFuzzTest#someStatementsAgree -Dstatesql.seed=SEED -Dstatesql.fuzz.statements=1} runs it
 * alone.
 */
class SqlFuzzTest {
  @TempDir private Path folder;

  @Test
  void someStatementsAgree() throws Exception {
    agree(Long.getLong("statesql.seed", 1), Integer.getInteger("statesql.fuzz.statements", 200));
  }

  @Tag("proof")
  @Test
  void manyStatementsAgree() throws Exception {
    agree(
        Long.getLong("statesql.seed", 1_000_000),
        Integer.getInteger("statesql.fuzz.statements", 20_000));
  }

  private void agree(long seed, int statements) throws Exception {
    SqlFuzz.Outcome outcome = SqlFuzz.run(folder.resolve("odd"), seed, statements);

    System.out.println(
        outcome.statements() + " statements, of which " + outcome.refused() + " were errors");
    assertThat(outcome.findings()).isEmpty();
    assertThat(outcome.refused()).isLessThanOrEqualTo(outcome.statements() / 50 + 1);
  }
}
