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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class GoldenFileTest {
  @Test
  void everyStateHasAsManyEntriesAsItsLineSays() throws IOException {
    assertThat(GoldenFile.snapshots()).hasSizeGreaterThan(100);
    for (String snapshot : GoldenFile.snapshots()) {
      GoldenFile golden = GoldenFile.of(snapshot);
      assertThat(golden.states()).as(snapshot).isNotEmpty().doesNotHaveDuplicates();
      assertThat(golden.states().stream().mapToInt(GoldenState::entries).sum())
          .as(snapshot)
          .isEqualTo(golden.entries().size());
      for (GoldenState state : golden.states()) {
        assertThat(golden.entries())
            .as("%s: %s", snapshot, state)
            .filteredOn(
                entry ->
                    entry.operator().equals(state.operator())
                        && entry.state().equals(state.name())
                        && entry.kind().equals(state.kind()))
            .hasSize(state.entries());
      }
    }
  }

  @Test
  void readsAnEntryOfAListState() throws IOException {
    GoldenEntry entry =
        GoldenFile.of("operatorstate/complexKeyed-flink2.2").entries().stream()
            .filter(candidate -> candidate.kind().equals("LIST"))
            .findFirst()
            .orElseThrow();

    assertThat(entry.operator()).isEqualTo("01203aa9a12dc1ec725e03853dd7c8f2");
    assertThat(entry.state()).isEqualTo("values");
    assertThat(entry.keyGroup()).isEqualTo(7);
    assertThat(entry.key().get("f0").intValue()).isEqualTo(4);
    assertThat(entry.namespace().isNull()).isTrue();
    assertThat(entry.index()).isZero();
    assertThat(entry.value().intValue()).isEqualTo(4);
    assertThat(entry.subtask()).isNull();
    assertThat(entry.mapKey()).isNull();
  }
}
